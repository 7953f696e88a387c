// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone

/// Checks over networks in memory: each row is a network, and what a check must find in it.
struct ScriptedNetworkTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let verdict: InternetCheck.Verdict
        let router: InternetCheck.RouterAnswer.Outcome?
        let nameServer: InternetCheck.NameServerAnswer.Outcome?
        let publicAddress: InternetCheck.AddressAnswer.Outcome?
        /// Within a millisecond.
        let duration: Duration
        let network: NetworkChain

        init(
            _ name: String, _ verdict: InternetCheck.Verdict, router: InternetCheck.RouterAnswer.Outcome? = nil,
            nameServer: InternetCheck.NameServerAnswer.Outcome? = nil,
            publicAddress: InternetCheck.AddressAnswer.Outcome? = nil, after duration: Duration,
            _ change: (inout NetworkChain) -> Void
        ) {
            (testDescription, self.verdict, self.router) = (name, verdict, router)
            (self.nameServer, self.publicAddress, self.duration) = (nameServer, publicAddress, duration)
            var network = NetworkChain.home
            change(&network)
            self.network = network
        }
    }

    static let login =
        URL(string: ScriptedInternet.Behavior.loginPage).map { InternetCheck.Verdict.captivePortal($0) }
        ?? .inconclusive
    static let rows = [
        // A lookup, a connection, a handshake of two round trips and an answer, of two operators and then of the others.
        Row("a working home", .verified, after: .milliseconds(83)) { _ in },
        Row("a portal that redirects", login, after: .milliseconds(9)) {
            $0[.box].passing = [.plays(.portal(.redirect)).only(.tcp)]
        },
        Row("a slow portal", login, router: .answers, nameServer: .answers, after: .milliseconds(4009)) {
            $0[.box].passing = [.delays(.seconds(2)).only(.tcp), .plays(.portal(.redirect)).only(.tcp)]
        },
        Row(
            "a dead provider", .noInternet(.dnsSilent), router: .answers, nameServer: .silent, publicAddress: .silent,
            after: .milliseconds(5900)
        ) { $0[.provider].passing = [.drops] },
        Row(
            "no router", .noInternet(.unreachable), router: .silent, nameServer: .unreachable, publicAddress: .silent,
            after: .milliseconds(3900)
        ) { $0[.router].isPresent = false },
        Row(
            // A public address is greeted, and shows its certificate.
            "a router without DNS", .noInternet(.dnsRefused), router: .answers, nameServer: .refuses,
            publicAddress: .answers, after: .milliseconds(41)
        ) { $0[.router].names = nil },
        Row(
            "a name server that is silent", .noInternet(.dnsSilent), router: .answers, nameServer: .silent,
            publicAddress: .answers, after: .milliseconds(5900)
        ) { $0[.router].answering = [.drops.only(.udpPort(53))] },
        Row("HTTPS blocked", .partial, router: .answers, nameServer: .answers, after: .milliseconds(5908)) {
            $0[.box].passing = [.drops.only(.tcpPort(443))]
        },
    ]

    @Test(arguments: rows) func `a check over a network in memory`(_ row: Row) async throws {
        let network = ScriptedNetwork(row.network)
        let check = try InternetCheck(over: network.transport)
        let report = await network.run { await check.run() }
        #expect(report.verdict == row.verdict)
        #expect(report.hops?.routers.first?.outcome == row.router)
        #expect(report.hops?.nameServers.first?.outcome == row.nameServer)
        if let expected = row.publicAddress { #expect(report.hops?.publicAddresses.first?.outcome == expected) }
        #expect(report.duration >= row.duration && report.duration < row.duration + .milliseconds(1))
        #expect(network.clock.now.offset == report.duration)
    }

    /// What a part does, and the cause that a check gives; nil if it is online.
    static let behaviors: [(NetworkChain.Part.Kind, NetworkChain.Behavior, ConnectivityCause?)] = [
        (.box, .losesLargePackets, .largePackets),
        (.box, .losesLargePackets.towards([]), nil),
        (.router, .reportsNoRoute, .routerReport),
        (.router, .reportsNoHost, .routerReport),
        (.router, .reportsNoRoute.only(.tcpPort(443)).towards([]), nil),
        (.box, .resets.only(.tcpPort(443)).towards(NetworkChain.home.hosts.flatMap(\.addresses)), .refused),
        (.box, .resets.towards(NetworkChain.home.hosts.flatMap(\.addresses)).only(.tcpPort(443)), .refused),
    ]

    @Test(arguments: behaviors) func `a check names what a part does`(
        kind: NetworkChain.Part.Kind, behavior: NetworkChain.Behavior, cause: ConnectivityCause?
    ) async throws {
        var chain = NetworkChain.home
        chain[kind].passing.append(behavior)
        let network = ScriptedNetwork(chain)
        let check = try InternetCheck(over: network.transport)
        let report = await network.run { await check.run() }
        #expect(report.cause == cause, "\(report)")
        #expect((report.verdict == .verified) == (cause == nil))
    }

    @Test func `what a check leaves behind ends when the clock is advanced`() async throws {
        // The first name server answers; the probe of both outlives the check.
        var chain = NetworkChain.home
        chain.nameServers.append("198.51.100.53")
        weak var freed: ScriptedNetwork?
        do {
            let network = ScriptedNetwork(chain)
            freed = network
            let check = try InternetCheck(over: network.transport)
            #expect(await network.run { await check.run() }.verdict == .verified)
            network.clock.advance(by: .seconds(60))
        }
        #expect(freed == nil)
    }

    @Test func `arrivals vary with the seed`() async throws {
        var chain = NetworkChain.home
        chain[.provider].passing.append(.varies(upTo: .milliseconds(20)))
        var orders: Set<[String]> = []
        for seed in UInt64(1)...20 {
            let network = ScriptedNetwork(chain, seed: seed)
            let check = try InternetCheck(over: network.transport)
            let report = await network.run { await check.run() }
            #expect(report.verdict == .verified)
            orders.insert(report.endpoints.sorted { $0.durations.total < $1.durations.total }.map(\.url))
        }
        #expect(orders.count > 10)
    }

    @Test func `a seed repeats a run exactly, and another loses other packets`() async throws {
        var lossy = NetworkChain.home
        lossy[.provider].passing = [.loses(0.3)]
        func run(_ seed: UInt64) async throws -> [Duration] {
            let network = ScriptedNetwork(lossy, seed: seed)
            let check = try InternetCheck(over: network.transport)
            let report = await network.run { await check.run() }
            return [report.duration] + report.endpoints.map(\.durations.total)
        }
        var runs: Set<[Duration]> = []
        for seed in UInt64(1)...50 {
            let first = try await run(seed)
            #expect(try await run(seed) == first)
            runs.insert(first)
        }
        #expect(runs.count > 40)
    }

    @Test func `what is played later changes a check under way`() async throws {
        // Names are not resolved until the network works again.
        var dead = NetworkChain.home
        dead[.provider].passing = [.drops]
        let network = ScriptedNetwork(dead)
        network.play(.home, after: .seconds(2))
        let check = try InternetCheck(over: network.transport)
        let report = await network.run { await check.run() }
        #expect(report.verdict == .verified)
        #expect(report.duration > .seconds(2) && report.duration < .seconds(5.1))
    }

    /// Names of the longest labels and of the longest name that DNS has, and some that are one byte longer (RFC 1035, section 2.3.4).
    static let longNames: [(String, Bool)] = [
        (label(63) + ".example", true), (label(64) + ".example", false), (label(256) + ".example", false),
        ([label(63), label(63), label(63), label(61)].joined(separator: "."), true),
        ([label(63), label(63), label(63), label(61)].joined(separator: ".") + ".", true),
        ([label(63), label(63), label(63), label(62)].joined(separator: "."), false),
        (Array(repeating: "a", count: 200).joined(separator: "."), false), ("a..example", false),
    ]

    private static func label(_ length: Int) -> String { String(repeating: "a", count: length) }

    @Test(arguments: longNames) func `a name that is too long for DNS is not found, and no server is queried`(
        name: String, isFound: Bool
    ) async throws {
        var chain = NetworkChain.home
        chain[.router].names = .always(.addresses("198.51.100.7"))
        let network = ScriptedNetwork(chain)
        let resolver = network.transport.resolver
        let result = await network.run { () -> Result<[NetworkAddress], any Error> in
            do { return .success(try await resolver.addresses(of: name, family: .any)) } catch {
                return .failure(error)
            }
        }
        if isFound {
            #expect(try result.get() == ["198.51.100.7"])
            #expect(network.clock.now.offset > .zero)
        } else {
            let error = #expect(throws: ProbeError.self) { try result.get() }
            #expect(error?.code == .hostNotFound)
            #expect(network.clock.now.offset == .zero)
        }
    }

    @Test func `a host over a network in memory`() async throws {
        var network = NetworkChain.home
        network.hosts.append(.init("app.example.org", addresses: ["198.51.100.7", "2001:db8:7::7"]))
        network.hosts.append(
            .init("off.example.org", addresses: ["198.51.100.8"], behavior: .refusing))
        // IPv6 is dead: the connection attempt delay of RFC 8305 passes before IPv4 is tried.
        network[.provider].passing.append(.drops.only(.version(.ipv6)))
        let scripted = ScriptedNetwork(network)
        func check(_ name: String) async throws -> HostReport {
            let host = HostReachability(try HostTarget(name), connects: true, over: scripted.transport)
            return await scripted.run { await host.check() }
        }
        let reached = try await check("app.example.org:443")
        #expect(reached.connection?.value == "198.51.100.7")
        #expect(scripted.clock.now.offset > .milliseconds(250) && scripted.clock.now.offset < .milliseconds(300))
        #expect(try await check("off.example.org:443").error?.code == .refused)
        #expect(try await check("none.example.org:443").error?.code == .nameNotFound)
    }
}
#endif
