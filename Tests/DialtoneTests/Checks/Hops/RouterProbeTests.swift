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

    @Test func `a bound probe asks over its link, and nothing if it cannot be bound`() async throws {
        let lab = try await HopLab()
        #expect(try await lab.ask(over: .interface("up0")).map(\.outcome) == [.answers, .answers])
        #expect(try await lab.ask(over: .interface("gone0")).isEmpty)
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
        for givesUp in [false, true] {
            // The kernel then makes an error itself.
            if givesUp { try await lab.giveUpSoon() }
            let answers = try await lab.ask()
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
        let probe = RouterProbe(routers: [.init(NetworkAddress(127, 0, 0, 2))], destinations: [])
        let task = Task { await probe.run(within: .seconds(3600)) }
        task.cancel()
        #expect(await task.value.count == 1)
    }
}

/// Tests the conclusions about routers, on virtual time.
struct RouterMachineTests {
    typealias Machine = RouterProbe.Machine

    private static let four = NetworkPath.Gateway(NetworkAddress(192, 0, 2, 1), interface: "up0")
    private static let other = NetworkPath.Gateway(NetworkAddress(192, 0, 2, 3), interface: "up0")

    private static func report(_ code: UInt8, by sender: NetworkAddress = four.address) -> HopReaction {
        .report(.init(type: 3, code: code, sender: sender))
    }
    private static let expiry = HopReaction.report(.init(type: 11, code: 0, sender: four.address))

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isBeyond = false
        let reaction: HopReaction
        var routers = [four]
        var destinations = HopLab.ipv4
        /// When the probe ends after the reaction, in milliseconds.
        let end: Int
        var isAnswer = true
        var report: RouterReport.Reason?
    }

    static let rows = [
        Row(testDescription: "an echo is followed by a time for a report", reaction: .answer([]), end: 290),
        Row(testDescription: "a refusal is an answer", reaction: .refusal, end: 290),
        Row(testDescription: "a report about the router itself", reaction: report(13), end: 290),
        Row(testDescription: "nothing beyond is asked", reaction: .answer([]), destinations: HopLab.ipv6, end: 0),
        Row(testDescription: "the datagram expires at the router", isBeyond: true, reaction: expiry, end: 0),
        Row(
            testDescription: "the router does not forward", isBeyond: true, reaction: report(13), end: 0,
            report: .prohibited),
        Row(
            testDescription: "it reports from another of its addresses", isBeyond: true,
            reaction: report(0, by: NetworkAddress(198, 51, 100, 1)), end: 0, report: .noRoute),
        Row(
            testDescription: "one of two routers on the link reports", isBeyond: true, reaction: report(0),
            routers: [four, other], end: 1000, report: .noRoute),
        Row(
            testDescription: "neither of two routers is the sender", isBeyond: true,
            reaction: report(0, by: NetworkAddress(198, 51, 100, 1)), routers: [four, other], end: 1000,
            isAnswer: false),
        Row(
            testDescription: "a connection that the kernel gave up shows nothing", reaction: .failure, end: 1000,
            isAnswer: false),
    ]

    @Test(arguments: rows) func `each reaction has its meaning, and its end`(row: Row) {
        var machine = Machine(row.routers, towards: row.destinations, within: .seconds(1))
        #expect(machine.end == .seconds(1))
        machine.handle(row.reaction, from: .init(router: 0, isBeyond: row.isBeyond), at: .milliseconds(40))
        #expect(machine.end == .milliseconds(row.end))
        #expect(machine.isSettled(0) == (row.isAnswer && row.end != 290))
        let answer = machine.answers(at: .seconds(1)) { _ in false }[0]
        #expect(answer.outcome == (row.isAnswer ? .answers : .unclear))
        #expect(answer.duration == (row.isAnswer ? .milliseconds(40) : .seconds(1)))
        #expect(answer.report?.reason == row.report)
    }

    @Test func `the wait for a report ends with the time limit, and a report may follow an answer`() {
        var machine = Machine([Self.four], towards: HopLab.ipv4, within: .seconds(1))
        machine.handle(.answer([]), from: .init(router: 0, isBeyond: false), at: .milliseconds(900))
        #expect(machine.end == .seconds(1))
        // It is read after the limit, because the thread runs late.
        machine.handle(Self.report(13), from: .init(router: 0, isBeyond: true), at: .milliseconds(1500))
        let answers = machine.answers(at: .milliseconds(1500)) { _ in true }
        #expect(answers.map(\.report?.reason) == [.prohibited])
        #expect(answers.map(\.duration) == [.milliseconds(900)])
    }

    @Test func `a router without an answer is silent if the kernel does not find it either`() {
        let machine = Machine([Self.four, Self.other], towards: [], within: .seconds(1))
        let answers = machine.answers(at: .seconds(1)) { $0 == Self.other }
        #expect(answers.map(\.outcome) == [.unclear, .silent])
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
