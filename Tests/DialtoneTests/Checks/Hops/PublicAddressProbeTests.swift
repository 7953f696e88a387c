// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Netlink
import TestSupport
import Testing

@testable import Dialtone
@testable import SystemSupport

/// Public addresses on the wire: what an answer, a refusal, a report and silence are.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct PublicAddressProbeTests {
    private static let addresses = HopLab.ipv4 + HopLab.ipv6

    @Test func `the first address that answers a greeting ends the probe`() async throws {
        let lab = try await HopLab()
        let server = try await lab.internet.run {
            try ScriptedInternet(.online, address: "2001:db8:2::2", httpsPort: 443)
        }
        let answers = try await lab.contact(Self.addresses, within: .seconds(60))
        #expect(answers.map(\.address) == ["2001:db8:2::2"])
        #expect(answers.map(\.outcome) == [.answers])
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [ScriptedInternet.Behavior.ConnectionBehavior.silent, .resetting])
    func `what accepts connections and sends nothing is no answer`(
        behavior: ScriptedInternet.Behavior.ConnectionBehavior
    ) async throws {
        let lab = try await HopLab()
        let server = try await lab.internet.run {
            try ScriptedInternet(.init(https: behavior), address: "2001:db8:2::2", httpsPort: 443)
        }
        let answers = try await lab.contact(HopLab.ipv6.suffix(1), within: .seconds(60))
        #expect(answers.map(\.outcome) == [.accepts])
        withExtendedLifetime(server) {}
    }

    @Test func `an address on which nothing listens refuses`() async throws {
        let lab = try await HopLab()
        let answers = try await lab.contact(Self.addresses, within: .seconds(60))
        #expect(answers.map(\.outcome) == Array(repeating: .refuses, count: 4))
    }

    @Test func `a router that prohibits packets is reported`() async throws {
        let lab = try await HopLab()
        try await lab.cutUplink(.prohibit)
        let answers = try await lab.contact(Self.addresses, within: .seconds(60))
        #expect(answers.map(\.outcome) == Array(repeating: .unreachable, count: 4))
        let four = RouterReport(.prohibited, by: NetworkAddress(192, 0, 2, 1))
        let six = RouterReport(.prohibited, by: "2001:db8:1::1")
        #expect(answers.map(\.report) == [four, four, six, six])
    }

    @Test func `without a route nothing is sent`() async throws {
        let lab = try await HopLab()
        try await lab.machine.run {
            var kernel = try RouteNetlink()
            try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "fe80::1"))
        }
        let answers = try await lab.contact(HopLab.ipv6, within: .seconds(60))
        #expect(answers.map(\.outcome) == [.notSent, .notSent])
    }
}

/// Tests the conclusions about public addresses, on virtual time.
struct PublicAddressMachineTests {
    typealias Machine = PublicAddressProbe.Machine
    typealias Event = Machine.Event

    private static let addresses = HopLab.ipv4
    private static let router = NetworkAddress(192, 0, 2, 1)
    private static let prohibition = Event.datagram(.report(.init(type: 3, code: 13, sender: router)))
    /// Another machine discarded the datagram because it had passed too many routers.
    private static let expiry = Event.datagram(.report(.init(type: 11, code: 0, sender: router)))

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [Event]
        /// The outcome before the time limit; nil if more is awaited.
        var outcome: PublicAddressProbe.Answer.Outcome?
        var unfinished: PublicAddressProbe.Answer.Outcome
        var isReported = false
    }

    static let rows = [
        Row(testDescription: "nothing comes back", events: [], unfinished: .silent),
        Row(testDescription: "no route", events: [.notSent], outcome: .notSent, unfinished: .notSent),
        Row(
            testDescription: "a greeting is answered", events: [.connection(.accepted), .connection(.answer([0]))],
            outcome: .answers, unfinished: .answers),
        Row(
            testDescription: "a connection is accepted, and nothing follows", events: [.connection(.accepted)],
            unfinished: .accepts),
        Row(
            testDescription: "a connection is accepted and closed",
            events: [.connection(.accepted), .connection(.closed)],
            outcome: .accepts, unfinished: .accepts),
        Row(
            testDescription: "one connection is closed, and another answered",
            events: [.connection(.closed), .connection(.answer([0]))], outcome: .answers, unfinished: .answers),
        Row(
            testDescription: "a connection is refused", events: [.connection(.refusal)], outcome: .refuses,
            unfinished: .refuses),
        Row(testDescription: "only the datagram is refused", events: [.datagram(.refusal)], unfinished: .refuses),
        Row(
            testDescription: "the datagram is refused, a connection accepted",
            events: [.datagram(.refusal), .connection(.answer([]))], outcome: .answers, unfinished: .answers),
        Row(
            testDescription: "this machine's kernel gives up, and no router reports why",
            events: [.connection(.failure), .connection(.failure)], unfinished: .silent),
        Row(
            testDescription: "a router rejects the datagram, and may let the connection pass", events: [prohibition],
            unfinished: .unreachable, isReported: true),
        Row(
            testDescription: "a router rejects both", events: [prohibition, .connection(.failure)],
            outcome: .unreachable, unfinished: .unreachable, isReported: true),
        Row(
            testDescription: "a report that is not about forwarding", events: [expiry, .connection(.failure)],
            unfinished: .silent),
        Row(
            testDescription: "a router rejects one connection, and another is accepted",
            events: [prohibition, .connection(.failure), .connection(.answer([]))], outcome: .answers,
            unfinished: .answers, isReported: true),
        Row(
            testDescription: "one connection is rejected, another refused",
            events: [prohibition, .connection(.failure), .connection(.refusal)], outcome: .refuses,
            unfinished: .refuses, isReported: true),
    ]

    @Test(arguments: rows) func `the reactions decide, in whatever order they are read`(row: Row) {
        let rotated = Array(row.events.dropFirst() + row.events.prefix(1))
        for events in [row.events, row.events.reversed(), rotated] {
            var machine = Machine(Self.addresses)
            for event in events { machine.handle(event, from: 1, at: .milliseconds(40)) }
            #expect(machine.isSettled(1) == (row.outcome != nil))
            #expect(machine.isAnswered == (row.outcome == .answers))
            #expect(!machine.isSettled(0))
            let answer = machine.answers(at: .seconds(1)).last
            #expect(answer?.address == Self.addresses[1])
            #expect(answer?.outcome == row.unfinished)
            let isTimed = row.outcome != nil || row.unfinished == .accepts
            #expect(answer?.duration == (isTimed ? .milliseconds(40) : .seconds(1)))
            #expect((answer?.report != nil) == row.isReported)
        }
    }

    @Test func `a greeting has the time of two round trips, and no less than 300 ms`() {
        var machine = Machine(Self.addresses)
        #expect(machine.end == nil)
        machine.handle(.connection(.accepted), from: 0, at: .milliseconds(900))
        #expect(machine.end == .milliseconds(2700))
        machine.handle(.connection(.accepted), from: 1, at: .milliseconds(20))
        #expect(machine.end == .milliseconds(320))
        // The time until the answer is that of one round trip.
        machine.handle(.connection(.answer([0])), from: 0, at: .milliseconds(1800))
        #expect(machine.answers(at: .seconds(2)) == [.init(Self.addresses[0], .answers, after: .milliseconds(900))])
    }

    @Test func `the first address that answers is the only answer`() {
        var machine = Machine(Self.addresses + HopLab.ipv6)
        machine.handle(.connection(.refusal), from: 0, at: .milliseconds(1))
        #expect(machine.answers(at: .milliseconds(2)).count == 4)
        machine.handle(.connection(.answer([])), from: 3, at: .milliseconds(3))
        machine.handle(.connection(.answer([])), from: 1, at: .milliseconds(4))
        let answers = machine.answers(at: .milliseconds(5))
        #expect(answers == [.init(HopLab.ipv6[1], .answers, after: .milliseconds(3))])
    }
}
#endif
