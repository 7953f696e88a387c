// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Netlink
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// The questions of a heartbeat on the wire: what counts as an answer, and what cannot be sent.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct HeartbeatSocketsTests {
    /// The reaction to a question.
    private enum Reply: Equatable { case answered, missed, silent, notSent }

    /// A lab whose hosts have found their neighbors: a question is not repeated, and may be lost before that.
    private func makeLab() async throws -> HopLab {
        let lab = try await HopLab()
        try await eventually {
            let answers = try await lab.contact(HopLab.ipv4 + HopLab.ipv6, within: .seconds(5))
            return answers.allSatisfy { $0.outcome == .refuses }
        }
        return lab
    }

    /// Sends questions from the machine, and waits until each is answered.
    ///
    /// - Parameter last: questions that are sent after them and answered on the same way: if there are any, it waits for
    ///   these only, and returns their replies too.
    private func ask(
        _ questions: [HeartbeatQuestion], and last: [HeartbeatQuestion] = [], in lab: HopLab
    ) async throws -> [Reply] {
        try await lab.machine.run {
            var sockets = HeartbeatSockets(KernelSockets())
            var replies = (questions + last).enumerated().map { number, question in
                sockets.send(question, number: number, binding: .none) ? Reply.silent : .notSent
            }
            let deadline = TimeSource.system.now + .seconds(60)
            let awaited = last.isEmpty ? replies.indices : questions.count..<replies.count
            while replies[awaited].contains(.silent), TimeSource.system.now < deadline {
                for result in sockets.results(until: deadline) {
                    replies[result.number] = result.isAnswered ? .answered : .missed
                }
            }
            return replies
        }
    }

    /// Questions to hosts on the Internet in both families.
    private static func beyond(_ means: HeartbeatQuestion.Means) -> [HeartbeatQuestion] {
        [HopLab.ipv4[0], HopLab.ipv6[0]].map { HeartbeatQuestion(.beyond, means, $0) }
    }

    /// Questions to the name servers of `serve(_:in:)` that they always answer.
    private static let answered = [HopLab.ipv4[0], HopLab.ipv6[0]].map {
        HeartbeatQuestion(.nameServers, .query, $0, about: "answered.test")
    }

    /// A name server on the Internet, in both families.
    private func serve(
        _ answer: ScriptedResolver.Answer, in lab: HopLab
    ) async throws -> (ScriptedResolver, [ScriptedNameServer]) {
        let names = ScriptedResolver(["answered.test": .notFound], otherwise: answer)
        return try await lab.internet.run {
            (names, try ["203.0.113.1", "2001:db8:2::1"].map { try ScriptedNameServer(playing: names, address: $0) })
        }
    }

    @Test func `echo requests are sent where the kernel allows them`() async throws {
        let lab = try await makeLab()
        #expect(try await ask(Self.beyond(.echo), in: lab) == [.notSent, .notSent])
        try await lab.machine.run { try Setting.write("ipv4/ping_group_range", "0\t2147483647") }
        #expect(try await ask(Self.beyond(.echo), in: lab) == [.answered, .answered])
    }

    @Test func `a name that does not exist is an answer, an error or an address is not`() async throws {
        let lab = try await makeLab()
        let (names, servers) = try await serve(.notFound, in: lab)
        let rows: [(ScriptedResolver.Answer, Reply)] = [
            (.notFound, .answered), (.addresses(), .answered), (.addresses("192.0.2.1"), .missed),
            (.serverFailure, .missed), (.refusal, .missed),
        ]
        for (answer, reply) in rows {
            names.play(answer)
            #expect(try await ask(Self.beyond(.query), in: lab) == [reply, reply], "\(answer)")
        }
        names.play(.silence)
        #expect(
            try await ask(Self.beyond(.query), and: Self.answered, in: lab) == [.silent, .silent, .answered, .answered])
        // No name is asked for twice, so that no cache has it.
        let asked = names.questions.filter { $0 != "answered.test" }
        #expect(Set(asked).count == asked.count)
        withExtendedLifetime(servers) {}
    }

    @Test func `a name server is asked for a name, and its errors are misses`() async throws {
        let lab = try await makeLab()
        let (names, servers) = try await serve(.addresses("203.0.113.9"), in: lab)
        let questions = [HopLab.ipv4[0], HopLab.ipv6[0]].map {
            HeartbeatQuestion(.nameServers, .query, $0, about: "check.test")
        }
        for (answer, reply) in [
            (ScriptedResolver.Answer.addresses("203.0.113.9"), Reply.answered), (.notFound, .answered),
            (.serverFailure, .missed), (.refusal, .missed),
        ] {
            names.play(answer)
            #expect(try await ask(questions, in: lab) == [reply, reply], "\(answer)")
        }
        #expect(Set(names.questions) == ["check.test"])
        names.play(.silence)
        #expect(try await ask(questions, and: Self.answered, in: lab) == [.silent, .silent, .answered, .answered])
        withExtendedLifetime(servers) {}
    }

    @Test func `a closed port answers a datagram, but neither a query nor a connection`() async throws {
        let lab = try await makeLab()
        #expect(try await ask(Self.beyond(.datagram), in: lab) == [.answered, .answered])
        #expect(try await ask(Self.beyond(.query), in: lab) == [.missed, .missed])
        #expect(try await ask(Self.beyond(.connection), in: lab) == [.missed, .missed])
    }

    @Test func `a connection that is accepted is an answer`() async throws {
        let lab = try await makeLab()
        let listeners = try ["203.0.113.1", "2001:db8:2::1"].map { try TCPListener($0, port: 443, in: lab.internet) }
        #expect(try await ask(Self.beyond(.connection), in: lab) == [.answered, .answered])
        withExtendedLifetime(listeners) {}
    }

    @Test func `a router answers a datagram that expires there, even if it drops what is addressed to itself`()
        async throws
    {
        let lab = try await makeLab()
        let questions = [HopLab.ipv4[0], HopLab.ipv6[0]].map {
            HeartbeatQuestion(.router, .expiringDatagram, $0, over: "up0")
        }
        let replies = try await ask(questions, in: lab)
        let counts = try lab.reportCounts()
        #expect(replies == [.answered, .answered], "\(counts)")
        let own = try lab.gateways().map { HeartbeatQuestion(.router, .query, $0.address, over: $0.interface) }
        #expect(try await ask(own, in: lab) == [.answered, .answered])
        try await lab.filterRouter()
        #expect(try await ask([questions[0]], in: lab) == [.answered])
        #expect(try await ask([own[0]], and: [questions[0]], in: lab) == [.silent, .answered])
    }

    @Test func `a near hop does not answer for what is beyond it`() async throws {
        let lab = try await makeLab()
        try await lab.cutUplink(.blackhole)
        let means: [HeartbeatQuestion.Means] = [.query, .datagram, .connection]
        let own = try lab.gateways().map { HeartbeatQuestion(.router, .query, $0.address, over: $0.interface) }
        #expect(
            try await ask(means.flatMap(Self.beyond), and: own, in: lab)
                == Array(repeating: .silent, count: 2 * means.count) + [.answered, .answered])
    }

    @Test func `a router's report that it does not forward is a miss at once`() async throws {
        let lab = try await makeLab()
        try await lab.cutUplink(.prohibit)
        for means in [HeartbeatQuestion.Means.query, .datagram] {
            #expect(try await ask(Self.beyond(means), in: lab) == [.missed, .missed])
        }
        // It is the router's own answer, though.
        let router = try lab.gateways().first { $0.address.version == .ipv4 }?.address
        let question = HeartbeatQuestion(.router, .expiringDatagram, HopLab.ipv4[0], over: "up0", through: router)
        #expect(try await ask([question], in: lab) == [.answered])
    }

    @Test func `without a route nothing is sent`() async throws {
        let lab = try await makeLab()
        try await lab.machine.run {
            var kernel = try RouteNetlink()
            try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "fe80::1"))
        }
        #expect(try await ask([HeartbeatQuestion(.beyond, .datagram, HopLab.ipv6[0])], in: lab) == [.notSent])
    }

    @Test func `a question that is given up is closed, and a wait without questions ends with the interrupt`() throws {
        let wake = try WakeEvent()
        var sockets = HeartbeatSockets(KernelSockets(wake))
        let question = HeartbeatQuestion(.beyond, .datagram, NetworkAddress(127, 0, 0, 1))
        let isSent = sockets.send(question, number: 1, binding: .none)
        #expect(isSent)
        sockets.close(1)
        wake.signal()
        let results = sockets.results(until: nil)
        #expect(results.isEmpty)
    }
}
#endif
