// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Queries of name servers on virtual time: events with their times, and what they show.
struct NameServerMachineTests {
    typealias Machine = NameServerProbe.Machine
    typealias Outcome = NameServerProbe.Outcome

    private static func failure(_ number: Int32) -> Machine.Event { .failure(SystemError(number)) }

    static let reactions: [(Machine.Event, Outcome)] = [
        // No error, and no such name; then the errors of RFC 1035.
        (.reply(0), .answers), (.reply(3), .answers),
        (.reply(1), .fails), (.reply(2), .fails), (.reply(4), .fails), (.reply(5), .fails),
        (failure(ECONNREFUSED), .refuses),
        (failure(ENETUNREACH), .unreachable), (failure(EHOSTUNREACH), .unreachable),
        // A firewall of this machine.
        (failure(EPERM), .unreachable), (failure(EACCES), .unreachable),
        (failure(EMFILE), .silent),
    ]

    @Test(arguments: reactions) func `each reaction has its outcome`(event: Machine.Event, outcome: Outcome) {
        var machine = Machine(servers: 1, within: .seconds(3))
        let answer = machine.handle(event, of: 0, at: .milliseconds(20))
        #expect(answer == .init(outcome: outcome, duration: .milliseconds(20)))
        #expect(machine.wakeTime == nil)
        #expect(machine.answers(at: .seconds(3)) == [.init(outcome: outcome, duration: .milliseconds(20))])
    }

    @Test func `the query is repeated every 250 ms to servers that have not reacted`() {
        var run = Run(servers: 3, within: 600)
        run.expectQueries(at: 0, to: 0, 1, 2)
        #expect(run.wakeTime == 250)
        run.react(.reply(0), of: 1, at: 30)
        run.expectQueries(at: 31)
        // The thread wakes up late, so that the next query is late as well.
        run.expectQueries(at: 260, to: 0, 2)
        #expect(run.wakeTime == 510)
        run.react(Self.failure(ECONNREFUSED), of: 0, at: 261)
        run.expectQueries(at: 510, to: 2)
        #expect(run.wakeTime == 600)
        run.expectQueries(at: 760)
        #expect(run.machine.answers(at: .milliseconds(760)).map(\.outcome) == [.refuses, .answers, .silent])
        #expect(run.machine.answers(at: .milliseconds(760)).last?.duration == .milliseconds(760))
    }

    @Test func `the first reaction of a server counts`() {
        var run = Run(servers: 2, within: 600)
        run.react(.reply(2), of: 0, at: 10)
        let second = run.machine.handle(.reply(0), of: 0, at: .milliseconds(20))
        #expect(second == nil)
        #expect(run.machine.answers(at: .milliseconds(30)).map(\.outcome) == [.fails, .silent])
    }

    @Test func `what arrived before the time limit counts although it is read later`() {
        var run = Run(servers: 2, within: 600)
        run.react(.reply(0), of: 1, at: 2000)
        #expect(run.machine.answers(at: .milliseconds(2000)).map(\.outcome) == [.silent, .answers])
    }

    /// A machine, with times in milliseconds.
    private struct Run {
        var machine: Machine

        init(servers: Int, within limit: Int) { machine = Machine(servers: servers, within: .milliseconds(limit)) }

        var wakeTime: Int? { machine.wakeTime.map { Int($0 / .milliseconds(1)) } }

        mutating func expectQueries(
            at time: Int, to servers: Int..., sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(machine.dueQueries(at: .milliseconds(time)) == servers, sourceLocation: sourceLocation)
        }

        mutating func react(
            _ event: Machine.Event, of server: Int, at time: Int, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(
                machine.handle(event, of: server, at: .milliseconds(time)) != nil, sourceLocation: sourceLocation)
        }
    }
}

#if os(Linux)
import DialtoneTesting
import Netlink

/// Queries of name servers on the wire.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct NameServerProbeTests {
    @Test func `servers that answer, fail, refuse and cannot be reached are distinguished`() async throws {
        let lab = try NetworkNamespace()
        try await lab.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let servers = try await lab.run {
            [
                try ScriptedNameServer(playing: ScriptedResolver(otherwise: .notFound), address: "127.0.0.1"),
                try ScriptedNameServer(playing: ScriptedResolver(otherwise: .serverFailure), address: "127.0.0.2"),
            ]
        }
        let probe = NameServerProbe(
            (1...3).map { NetworkAddress(127, 0, 0, $0) } + [NetworkAddress(192, 0, 2, 1)], about: "name.test")
        let (answers, reported) = try await lab.run {
            var reported: Set<Int> = []
            let answers = probe.run(within: .seconds(60), KernelSockets()) { index, _ in reported.insert(index) }
            return (answers, reported)
        }
        #expect(answers.map(\.outcome) == [.answers, .fails, .refuses, .unreachable])
        #expect(reported == [0, 1, 2, 3])
        withExtendedLifetime(servers) {}
    }

    @Test func `a query that is cancelled ends at once`() async throws {
        let task = Task {
            await NameServerProbe([NetworkAddress(127, 0, 0, 1)], about: "").run(
                within: .seconds(3600), over: KernelSocketRunner())
        }
        task.cancel()
        #expect(await task.value.count == 1)
    }
}
#endif
