// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@testable import Dialtone
@testable import SystemSupport

/// Routers on the wire: which answers count, and what a router reports.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct RouterProbeTests {
    @Test func `a router answers in both families, and reports nothing`() async throws {
        let lab = try await HopLab()
        let answers = try await lab.ask()
        #expect(answers.map(\.outcome) == [.answers, .answers])
        #expect(answers.map(\.report) == [nil, nil])
        #expect(answers.map(\.router) == (try lab.gateways()))
    }

    @Test func `without a public address the router is asked itself`() async throws {
        let lab = try await HopLab()
        #expect(try await lab.ask(towards: []).map(\.outcome) == [.answers, .answers])
    }

    @Test func `a router that drops what is addressed to itself answers a datagram that expires there`() async throws {
        let lab = try await HopLab()
        try await lab.filterRouter()
        #expect(try await lab.ask().first?.outcome == .answers)
        // Without that datagram, it looks like a router that is gone.
        #expect(try await lab.ask(towards: []).first?.outcome == .unclear)
    }

    /// The kernel's table lists the router for up to 45 seconds after its last answer.
    @Test func `a router that died just now does not answer, whatever the neighbor table says`() async throws {
        let lab = try await HopLab()
        _ = try await lab.ask()
        try await lab.killRouter()
        let answers = try await lab.ask()
        #expect(answers.map(\.outcome) == [.unclear, .unclear])
        let states = try await lab.machine.run {
            var kernel = try RouteNetlink()
            return try kernel.neighbors().filter { $0.address == NetworkAddress(192, 0, 2, 1) }.map(\.state)
        }
        #expect(states.allSatisfy { !$0.isDisjoint(with: .valid) } && !states.isEmpty, "\(states)")
    }

    @Test func `a router whose link address is unknown is silent, and its error is of this machine`()
        async throws
    {
        let lab = try await HopLab()
        try await lab.killRouter()
        // The kernel gives up after three seconds, and then makes an error itself.
        for patience in [Duration.seconds(1), .seconds(4)] {
            let answers = try await lab.ask(within: patience)
            #expect(answers.map(\.outcome) == [.silent, .silent])
            #expect(answers.map(\.report) == [nil, nil])
        }
    }

    static let reports: [(RouteType?, RouterReport.Reason, RouterReport.Reason)] = [
        (nil, .noRoute, .noRoute), (.unreachable, .hostUnreachable, .noRoute), (.prohibit, .prohibited, .prohibited),
    ]

    @Test(arguments: reports)
    func `a router reports why it does not forward, and from which address`(
        route: RouteType?, reason: RouterReport.Reason, reasonOfIPv6: RouterReport.Reason
    ) async throws {
        let lab = try await HopLab()
        try await lab.cutUplink(route)
        let answers = try await lab.ask()
        #expect(answers.map(\.outcome) == [.answers, .answers])
        #expect(
            answers.map(\.report) == [
                RouterReport(reason, by: NetworkAddress(192, 0, 2, 1)),
                RouterReport(reasonOfIPv6, by: "2001:db8:1::1"),
            ])
    }

    @Test func `a cancelled probe ends at once`() async throws {
        let probe = RouterProbe([.init(NetworkAddress(127, 0, 0, 2))], towards: [])
        let task = Task { await probe.run(within: .seconds(3600)) }
        task.cancel()
        #expect(await task.value.count == 1)
    }
}

/// ICMP errors as reports: RFC 792, RFC 1812, RFC 4443.
struct RouterReportTests {
    static let four = NetworkAddress(192, 0, 2, 1)
    static let six: NetworkAddress = "2001:db8::1"

    static let rows: [(NetworkAddress, UInt8, UInt8, RouterReport.Reason?)] = [
        (four, 3, 0, .noRoute), (four, 3, 6, .noRoute), (four, 3, 1, .hostUnreachable), (four, 3, 7, .hostUnreachable),
        (four, 3, 9, .prohibited), (four, 3, 10, .prohibited), (four, 3, 13, .prohibited),
        // Port unreachable, fragmentation needed, time exceeded.
        (four, 3, 3, nil), (four, 3, 4, nil), (four, 11, 0, nil),
        (six, 1, 0, .noRoute), (six, 1, 3, .hostUnreachable), (six, 1, 1, .prohibited), (six, 1, 5, .prohibited),
        (six, 1, 6, .prohibited),
        // Port unreachable, packet too big, time exceeded.
        (six, 1, 4, nil), (six, 2, 0, nil), (six, 3, 0, nil),
    ]

    @Test(arguments: rows)
    func `the type and the code decide`(
        sender: NetworkAddress, type: UInt8, code: UInt8, reason: RouterReport.Reason?
    ) {
        let report = RouterReport(.init(type: type, code: code, sender: sender))
        #expect(report == reason.map { RouterReport($0, by: sender) })
    }

    @Test func `the sentence names the router`() {
        #expect(
            "\(RouterReport(.prohibited, by: Self.four))"
                == "A router (192.0.2.1) refuses to forward: administratively prohibited.")
    }
}
#endif
