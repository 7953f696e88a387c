// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone

/// Whole checks with the system's own resolver, against a name server and hosts in a namespace.
@Suite(.timeLimit(.minutes(5)), .requires(.privateRooms))
struct SystemResolverTests {
    typealias Answer = ScriptedResolver.Answer

    /// A network whose only host is the scripted Internet at 192.0.2.1, and its name server.
    private final class Network: Sendable {
        let room: PrivateRoom
        let script: ScriptedResolver
        let names: ScriptedNameServer
        let internet: ScriptedInternet
        let resolver: SystemResolver

        init(
            _ answer: Answer, answers: [String: Answer] = [:], limit: Int = 8,
            configuration: String? = nil, answersIPv6: Bool = true
        ) throws {
            // A name server that answers may take longer on a busy machine.
            let options = answer == .silence ? "timeout:1 attempts:1" : "timeout:10 attempts:2"
            let configuration = configuration ?? "nameserver 127.0.0.1\noptions \(options)\n"
            let script = ScriptedResolver(answers, otherwise: answer)
            let room = try PrivateRoom(resolverConfiguration: configuration, addresses: ["192.0.2.1/32"])
            (internet, names) = try room.run {
                let names = ["probe.example.org"]
                return (
                    try ScriptedInternet(address: "192.0.2.1", httpPort: 80, httpsPort: 443, names: names),
                    try ScriptedNameServer(playing: script, answersIPv6: answersIPv6)
                )
            }
            resolver = SystemResolver(threads: room.threads, limit: limit, hardLimit: limit)
            self.script = script
            self.room = room
        }

        deinit { room.close() }

        func check(resolve: Duration = .seconds(30), total: Duration = .seconds(60)) throws -> InternetCheck {
            let configuration = InternetCheck.Configuration(
                endpoints: ["http://probe.example.org/204", "https://probe.example.org/204"],
                timeouts: .init(resolve: resolve, connect: .seconds(30), total: total),
                additionalTrustAnchors: [internet.trustAnchor], captivePortalAPI: .off)
            return try InternetCheck(
                configuration, prober: SocketHTTPProbe(resolver: resolver, over: KernelSocketRunner(room.threads)))
        }
    }

    @Test func `a name is resolved, connected to and verified`() async throws {
        let network = try Network(.addresses("192.0.2.1"))
        let report = try await network.check().run()
        #expect(report.verdict == .verified, "\(report)")
        #expect(report.endpoints[1].address?.description == "192.0.2.1")
        #expect(report.endpoints[1].durations.resolve != nil)
        #expect(network.script.questions.contains("probe.example.org"))
    }

    @Test(arguments: [
        (Answer.notFound, InternetCheck.NoInternetReason.hostNotFound, ProbeError.Code.hostNotFound),
        (.serverFailure, .nameResolution, .nameServerFailure), (.addresses(), .hostNotFound, .noAddress),
        (.silence, .dnsSilent, .nameServerSilent), (.hijacked, .hijackedNames, .hijackedName),
        (.addresses("198.51.100.1"), .unreachable, .unreachable),
    ])
    func `each behavior of the name server has its verdict`(
        answer: Answer, reason: InternetCheck.NoInternetReason, code: ProbeError.Code
    ) async throws {
        let network = try Network(answer)
        let report = try await network.check().run()
        #expect(report.verdict == .noInternet(reason), "\(report)")
        #expect(report.endpoints.map(\.error?.code) == [code, code])
    }

    @Test func `a wildcard in a search domain redirects no check to another host`() async throws {
        let network = try Network(
            .addresses("192.0.2.1"), answers: ["probe.example.org": .notFound],
            configuration: "nameserver 127.0.0.1\nsearch corp.example\noptions timeout:10 attempts:2\n")
        // The host of the wildcard answers like a portal.
        network.internet.play(.portal(.redirect))
        let report = try await network.check().run()
        #expect(report.verdict == .noInternet(.hostNotFound), "\(report)")
        #expect(Set(network.script.questions) == ["probe.example.org"])
        // Search domains still apply to a name without a dot.
        let addresses = try await network.resolver.addresses(of: "intranet", family: .ipv4)
        #expect(addresses.map(\.description) == ["192.0.2.1"])
        #expect(network.script.questions.contains("intranet.corp.example"))
    }

    @Test func `name servers that refuse are reported as refusing`() async throws {
        // Nothing listens on port 53 of this address.
        let network = try Network(.silence, configuration: "nameserver 192.0.2.1\n")
        let report = try await network.check().run()
        #expect(report.verdict == .noInternet(.dnsRefused), "\(report)")
        #expect(report.endpoints.map(\.error?.code) == [.nameServerRefused, .nameServerRefused])
        #expect(report.reason == "DNS servers refuse queries (192.0.2.1).")
    }

    @Test func `silent name servers are listed`() async throws {
        let network = try Network(.silence)
        let report = try await network.check(resolve: .seconds(5)).run()
        withExtendedLifetime(network) {}
        #expect(report.reason == "DNS servers do not answer (127.0.0.1).", "\(report)")
    }

    @Test func `a name server that answers is not called silent, although lookups wait for it`() async throws {
        // The C library asks by TCP, where this one accepts connections and sends nothing.
        let network = try Network(
            .addresses("192.0.2.1"), configuration: "nameserver 127.0.0.1\noptions use-vc timeout:30\n")
        let listener = try network.room.run { try TCPListener("127.0.0.1", port: 53) }
        let report = try await network.check(resolve: .seconds(5)).run()
        #expect(
            report.reason == "Names are not resolved, although DNS servers answer (127.0.0.1).", "\(report)")
        withExtendedLifetime(listener) {}
    }

    @Test func `a first name server that is silent delays a check, and is the only one that is listed`() async throws {
        let network = try Network(
            .addresses("192.0.2.1"), configuration: "nameserver 127.0.0.2\nnameserver 127.0.0.1\n")
        let silent = try network.room.run {
            try ScriptedNameServer(playing: ScriptedResolver(otherwise: .silence), address: "127.0.0.2")
        }
        let hasty = try await network.check(resolve: .seconds(1)).run()
        // The time is that of the whole check, which a busy machine may prolong.
        #expect(hasty.reason?.hasPrefix("No answer within ") == true, "\(hasty)")
        // The C library asks the second server after five seconds; on a busy machine the answer takes longer.
        #expect(InternetCheck.Configuration().timeouts.resolve > .seconds(5))
        let report = try await network.check(resolve: .seconds(50), total: .seconds(60)).run()
        #expect(report.verdict == .verified, "\(report)")
        withExtendedLifetime(silent) {}
    }

    @Test func `a name server that drops queries for IPv6 addresses does not hold up IPv4`() async throws {
        // The C library, which waits for both IP versions, would have an answer after five minutes.
        let network = try Network(
            .addresses("192.0.2.1"), configuration: "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n",
            answersIPv6: false)
        let report = try await network.check(resolve: .seconds(60), total: .seconds(120)).run()
        #expect(report.verdict == .verified, "\(report)")
    }

    @Test func `a silent name server exhausts no resources, and its return is noticed`() async throws {
        let network = try Network(.silence, limit: 4)
        let resolver = network.resolver
        // More lookups than threads, all cancelled.
        let questions = (0..<40).map { number in
            Task { try await resolver.addresses(of: "host\(number).example.org", family: .ipv4) }
        }
        await network.script.waitForQuestions(4)
        #expect(resolver.running <= 4)
        for question in questions { question.cancel() }
        for question in questions { #expect(await question.result.isFailure) }
        network.script.play(.addresses("192.0.2.1"))
        // The C library asks once and waits a second, in which the name server of a busy machine may not answer.
        try await eventually { try await network.check().run().verdict == .verified }
    }

    @Test func `a portal that answers for every name is found`() async throws {
        let network = try Network(.addresses("192.0.2.1"))
        network.internet.play(.portal(.redirect))
        let check = try network.check()
        #expect(await check.run().verdict.portal?.absoluteString == ScriptedInternet.Behavior.loginPage)
        network.internet.play(.online)
        #expect(await check.run().verdict == .verified)
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
#endif
