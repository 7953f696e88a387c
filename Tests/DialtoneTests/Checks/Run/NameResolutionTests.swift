// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// Checks of hosts with names, and the resolution of names itself.
@Suite(.real, .timeLimit(.minutes(5)))
struct NameResolutionTests {
    @Test func `public names at a private address are a forgery`() async throws {
        // Nothing listens on this port of loopback, and it is not a public address.
        let names = ScriptedResolver(otherwise: .addresses("127.0.0.1"))
        let configuration = InternetCheck.Configuration(
            endpoints: ["http://one.example.org/", "https://two.example.org/"], captivePortalAPI: .off)
        let report = try await InternetCheck(configuration, prober: SocketHTTPProbe(resolver: names)).run()
        #expect(report.verdict == .noInternet(.hijackedNames))
        #expect(report.endpoints.allSatisfy { $0.error?.code == .hijackedName && $0.address?.isPrivate == true })
    }

    @Test func `a forged 204 proves nothing`() async throws {
        let internet = try ScriptedInternet()
        let port = internet.http.split(separator: ":").last ?? ""
        let names = ScriptedResolver(otherwise: .addresses("127.0.0.1"))
        for (isPublic, verdict) in [
            (nil, InternetCheck.Verdict.noInternet(.hijackedNames)), (false, .verified),
        ] as [(Bool?, InternetCheck.Verdict)] {
            let configuration = InternetCheck.Configuration(
                endpoints: [.init("http://probe.example.org:\(port)/", isPublic: isPublic)], captivePortalAPI: .off)
            let check = try InternetCheck(configuration, prober: SocketHTTPProbe(resolver: names))
            #expect(await check.run().verdict == verdict)
        }
    }

    @Test func `only addresses of the wanted family are used`() async throws {
        let internet = try ScriptedInternet()
        let port = internet.http.split(separator: ":").last ?? ""
        let names = ScriptedResolver(otherwise: .addresses("::1", "127.0.0.1"))
        var configuration = InternetCheck.Configuration(
            endpoints: [.init("http://probe.test:\(port)/")], captivePortalAPI: .off)
        for (family, isReached) in [(InternetCheck.Configuration.Family.any, true), (.ipv4, true), (.ipv6, false)] {
            configuration.family = family
            let check = try InternetCheck(configuration, prober: SocketHTTPProbe(resolver: names))
            let evidence = await check.run().endpoints[0]
            #expect(evidence.passed == isReached)
            #expect(evidence.family == (isReached ? .ipv4 : .ipv6))
        }
    }

    @Test func `a resolver that ignores cancellation does not delay the check`() async throws {
        struct Deaf: NameResolver {
            func addresses(
                of host: String, family: InternetCheck.Configuration.Family
            ) async throws -> [NetworkAddress] {
                await withCheckedContinuation { held.record($0) }
                return []
            }
            let held = Recorder<CheckedContinuation<Void, Never>>()
        }
        let resolver = Deaf()
        let configuration = InternetCheck.Configuration(
            endpoints: ["http://one.example.org/"], timeouts: .init(resolve: .milliseconds(50)), captivePortalAPI: .off)
        let check = try InternetCheck(configuration, prober: SocketHTTPProbe(resolver: resolver))
        #expect(await check.run().endpoints.map(\.error?.code) == [.timedOut])
        for continuation in resolver.held.values { continuation.resume() }
    }

    @Test func `the system's resolver resolves names that need no name server`() async throws {
        let addresses = try await SystemResolver.shared.addresses(of: "localhost", family: .ipv4)
        #expect(addresses.map(\.description) == ["127.0.0.1"])
    }

    @Test func `lookups share calls, wait in order, and can be cancelled at any time`() async throws {
        // The test decides when calls end; no thread is started.
        let started = Recorder<@Sendable () -> Void>()
        let threads = ThreadStarter { name, work in
            if name == "dialtone.lookup" { started.record(work) }
        }
        let resolver = SystemResolver(threads: threads, limit: 2, hardLimit: 2)
        let lookups = ["localhost", "localhost", "ip6-localhost", "localhost.localdomain"].map { name in
            Task { try await resolver.addresses(of: name, family: .any) }
        }
        let first = try await started.next()
        let second = try await started.next()
        #expect(resolver.running == 2)
        for lookup in lookups { lookup.cancel() }
        for lookup in lookups {
            await #expect(throws: ProbeError(.cancelled, during: .resolve)) { try await lookup.value }
        }
        // A lookup that no caller waits for any more is not started.
        first()
        second()
        #expect(resolver.running == 0)
        #expect(started.values.count == 2)
    }

    @Test func `stuck calls do not count against the limit, up to a bound`() {
        typealias Queue = LookupQueue<String, Bool>
        var queue = Queue(hopefulCalls: 2, calls: 5, patience: .seconds(5), sharing: .seconds(1))
        let start = TimeSource.system.now
        func host(_ action: Queue.Action) -> String? {
            if case .start(_, let name) = action { name } else { nil }
        }
        func ask(_ name: String, at seconds: Int) -> String? {
            let ticket = queue.makeTicket()
            return host(queue.ask(name, ticket, at: start + .seconds(seconds)) { _ in })
        }
        func next(at seconds: Int) -> String? { host(queue.next(at: start + .seconds(seconds))) }

        let first = [ask("a", at: 0), ask("b", at: 0), ask("c", at: 4)]
        #expect(first == ["a", "b", nil])
        // No other lookup may start until then.
        var stuck: ContinuousClock.Instant?
        if case .retry(let time) = queue.next(at: start + .seconds(4)) { stuck = time }
        #expect(stuck == start + .seconds(5))
        // The lookup that has waited longest starts first.
        let second = [ask("d", at: 6), next(at: 6), next(at: 6), ask("e", at: 6)]
        #expect(second == ["c", "d", nil, nil])
        let third = [ask("f", at: 12), next(at: 12)]
        #expect(third == ["e", nil])
        // The third job was the third question's.
        let count = queue.finish(3).count
        #expect(count == 1)
        let last = [next(at: 12), next(at: 12)]
        #expect(last == ["f", nil])
    }

    @Test func `a process that cannot start threads fails with noResources`() async throws {
        struct Refusal: Error {}
        let resolver = SystemResolver(threads: ThreadStarter { _, _ in throw Refusal() })
        let error = await #expect(throws: ProbeError.self) {
            try await resolver.addresses(of: "localhost", family: .any)
        }
        #expect(error?.code == .noResources)
        #expect(resolver.running == 0)
    }
}

#endif
