// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone

/// Tests the packets of a heartbeat, and the checks that it causes.
struct HeartbeatMachineTests {
    /// A rig in a network that has been learnt.
    private func learnt(
        asking nameServers: [NetworkAddress] = [HeartbeatRig.router],
        and addresses: [NetworkAddress] = HeartbeatRig.operators,
        _ reply: @escaping (HeartbeatQuestion) -> HeartbeatRig.Reply = HeartbeatRig.home()
    ) -> HeartbeatRig {
        var rig = HeartbeatRig(asking: nameServers, and: addresses, reply)
        rig.check(.online)
        // No beat is due at this time.
        rig.run(.seconds(57))
        rig.check(.online)
        return rig
    }

    // MARK: Traffic

    @Test func `every five seconds one packet goes beyond the router, to each operator in turn`() {
        var rig = learnt()
        let start = rig.now
        rig.run(.seconds(31))
        let beats = rig.beats(to: .beyond, since: start)
        #expect(beats.map { ($0.time - start) / .seconds(1) } == [5, 10, 15, 20, 25, 30])
        #expect(Set(beats.map(\.question.means)) == [.echo])
        #expect(zip(beats, beats.dropFirst()).allSatisfy { $0.question.address != $1.question.address })
        #expect(Set(beats.map(\.question.address)) == Set(HeartbeatRig.operators))
    }

    @Test func `every third beat asks a name server for a name that a check has resolved`() {
        var rig = learnt()
        let start = rig.now
        rig.run(.seconds(46))
        let names = rig.beats(to: .nameServers, since: start)
        #expect(names.map { ($0.time - start) / .seconds(1) } == [15, 30, 45])
        #expect(names.allSatisfy { $0.question.name == "check.test" && $0.question.address == HeartbeatRig.router })
    }

    @Test(arguments: [HeartbeatRig.router, NetworkAddress(203, 0, 113, 53)])
    func `the router is asked once a minute, and what its name server answers is not its own answer`(
        nameServer: NetworkAddress
    ) {
        var rig = learnt(asking: [nameServer]) { question in
            question.hop == .nameServers ? .answer(after: .milliseconds(300)) : HeartbeatRig.home()(question)
        }
        let start = rig.now
        rig.run(.seconds(600), checking: true)
        #expect((9...10).contains(rig.beats(to: .router, since: start).count))
        let trips = rig.counted.filter { $0.hop == .router }.map(\.roundTrip)
        #expect(Set(trips) == [.milliseconds(1)])
    }

    @Test func `where one operator answers, a missed beat is repeated once by another means`() {
        var rig = learnt(and: [HeartbeatRig.operators[0]])
        let start = rig.now
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(8))
        let beats = rig.beats(to: .beyond, since: start)
        #expect(beats.map { ($0.time - start) / .seconds(1) } == [5, 6])
        #expect(beats.map(\.question.means) == [.echo, .query])
        #expect(rig.reports.map { $0.time - start } == [.seconds(7)])
    }

    @Test(arguments: [HeartbeatRig.router, NetworkAddress(203, 0, 113, 53)])
    func `at most 30 packets a minute are sent and received`(nameServer: NetworkAddress) {
        var rig = learnt(asking: [nameServer])
        let packets = rig.packets
        rig.run(.seconds(3600), checking: true)
        #expect(rig.packets - packets <= 30 * 60)
    }

    @Test(
        arguments: [
            { $0.isExpensive = true }, { $0.isConstrained = true }, { $0.usedInterfaceTypes = [.cellular] },
        ] as [@Sendable (inout NetworkPath) -> Void])
    func `where traffic costs money, a beat is sent every minute`(change: @Sendable (inout NetworkPath) -> Void) {
        var path = NetworkPath.home
        change(&path)
        var rig = HeartbeatRig(over: path)
        rig.check(.online)
        rig.run(.seconds(30))
        let start = rig.now
        rig.run(.seconds(600))
        #expect((9...10).contains(rig.beats(to: .beyond, since: start).count))
    }

    @Test(arguments: [ConnectivityState.captivePortal, .noInternet, .limited, .unverified])
    func `nothing is sent before a check has verified the Internet`(state: ConnectivityState) {
        var rig = HeartbeatRig()
        rig.check(state)
        rig.run(.seconds(600))
        #expect(rig.questions.isEmpty)
    }

    @Test func `a pause ends everything, and another network is learnt again`() {
        var rig = learnt()
        rig.run(.seconds(5))
        rig.update(nil)
        let count = rig.questions.count
        rig.run(.seconds(600))
        #expect(rig.questions.count == count)
        rig.moveToAnotherNetwork()
        #expect(rig.questions.dropFirst(count).map(\.question.hop) == [.nameServers, .beyond, .beyond])
        #expect(rig.questions.last?.question.address == HeartbeatQuestion.unusedAddress(.ipv4))
    }

    @Test func `on another network where a check finds nothing, what was answered before is asked again`() {
        var rig = learnt()
        rig.run(.seconds(5))
        rig.update(nil)
        rig.reply = { _ in .silence }
        rig.moveToAnotherNetwork(.noInternet)
        let (questions, observations) = (rig.questions.count, rig.observations.count)
        rig.run(.seconds(60))
        rig.check(.noInternet)
        // Silence proves nothing there.
        #expect(rig.questions.dropFirst(questions).map(\.question.hop) == Array(repeating: .beyond, count: 12))
        #expect(rig.observations.count == observations && rig.reports.isEmpty)
        rig.reply = HeartbeatRig.home()
        rig.run(.seconds(6))
        #expect(rig.reports.map(\.outcome) == [.reached])
        // The last miss was one: what answers now was silent then.
        #expect(rig.observations.dropFirst(observations).prefix(2).map(\.isAnswered) == [false, true])
        // Whether its answers come from beyond the router is learnt as anywhere.
        rig.check(.online)
        #expect(rig.questions.last?.question.address == HeartbeatQuestion.unusedAddress(.ipv4))
    }

    @Test func `without public addresses there is no heartbeat`() {
        var rig = HeartbeatRig(and: [])
        rig.check(.online)
        rig.run(.seconds(600))
        #expect(rig.questions.isEmpty)
    }

    // MARK: Outages

    @Test func `after a missed beat all operators are asked twice, and the second miss is reported once`() {
        var rig = learnt()
        let start = rig.now
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(45))
        let beats = rig.beats(to: .beyond, since: start)
        #expect(
            beats.map { ($0.time - start) / .seconds(1) } == [5, 6, 6, 6, 6.5, 6.5, 6.5]
                // At twice the rate, for 30 s.
                + stride(from: 8.5, through: 36, by: 2.5) + [41])
        for round in [beats[1...3], beats[4...6]] {
            #expect(Set(round.map(\.question.address)) == Set(HeartbeatRig.operators))
            #expect(round.first?.question.means == .query)
        }
        // At 5 s because a minute has passed.
        #expect(rig.beats(to: .router, since: start).map { ($0.time - start) / .seconds(1) } == [5, 6, 6.5])
        #expect(rig.reports.map(\.outcome) == [.failed])
        #expect(rig.reports.map { $0.time - start } == [.seconds(7)])
    }

    @Test func `the first answer after an outage is reported once, and beats go on`() {
        var rig = learnt()
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(20))
        rig.reply = HeartbeatRig.home()
        rig.run(.seconds(30))
        #expect(rig.reports.map(\.outcome) == [.failed, .reached])
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(20))
        #expect(rig.reports.map(\.outcome) == [.failed, .reached, .failed])
    }

    @Test func `an answer after its time is late, not lost, and the next ones are awaited for longer`() {
        var rig = learnt()
        let (start, count) = (rig.now, rig.counted.count)
        rig.reply = { $0.hop == .beyond ? .answer(after: .seconds(3)) : .answer(after: .milliseconds(1)) }
        rig.run(.seconds(60))
        let beyond = rig.counted.dropFirst(count).filter { $0.hop == .beyond }
        #expect(beyond.allSatisfy { $0.roundTrip == .seconds(3) })
        // Those that were asked before the first of them was answered.
        #expect(beyond.filter(\.isLate).count == 8)
        // Two misses are a reason to check, and so is the first answer after them.
        #expect(rig.reports.map(\.outcome) == [.failed, .reached])
        #expect(rig.reports.first?.time == start + .seconds(7))
        // An answer after 10 s does not count.
        rig.reply = { $0.hop == .beyond ? .answer(after: .seconds(11)) : .answer(after: .milliseconds(1)) }
        let before = rig.counted.count
        rig.run(.seconds(60))
        #expect(rig.counted.dropFirst(before).filter { $0.hop == .beyond }.suffix(5).allSatisfy { !$0.isAnswered })
        #expect(rig.counted.last { $0.hop == .beyond }.map { $0.ended - $0.sent } == HeartbeatMachine.latest)
    }

    @Test func `one lost packet is no outage`() {
        var rig = learnt()
        var count = 0
        rig.reply = { question in
            count += 1
            return count == 1 ? .silence : HeartbeatRig.home()(question)
        }
        rig.run(.seconds(60))
        #expect(rig.reports.isEmpty)
        #expect(rig.observations.filter { !$0.isAnswered }.count == 1)
    }

    @Test func `a router's report that nothing passes is a miss at once`() {
        var rig = learnt()
        let start = rig.now
        rig.reply = { $0.hop == .beyond ? .report : .answer() }
        rig.run(.seconds(6))
        #expect(rig.reports.map { $0.time - start } == [.seconds(5)])
    }

    @Test func `what this machine cannot send is no miss`() {
        var rig = learnt()
        rig.reply = { _ in .notSent }
        let count = rig.observations.count
        rig.run(.seconds(60))
        #expect(rig.reports.isEmpty)
        #expect(rig.observations.count == count)
    }

    @Test func `an answer after a check that nothing answered is reported, although no beat was missed`() {
        var rig = learnt()
        rig.run(.seconds(7))
        rig.check(.noInternet)
        rig.run(.seconds(10))
        #expect(rig.reports.map(\.outcome) == [.reached])
    }

    @Test func `silent name servers are asked twice, one after the other, and then reported`() {
        let servers = [NetworkAddress(203, 0, 113, 53), NetworkAddress(203, 0, 113, 54)]
        var rig = learnt(asking: servers)
        let start = rig.now
        rig.reply = { $0.hop == .nameServers ? .silence : HeartbeatRig.home()($0) }
        rig.run(.seconds(20))
        #expect(Set(rig.beats(to: .nameServers, since: start).map(\.question.address)) == Set(servers))
        #expect(rig.reports.map { $0.time - start } == [.seconds(19)])
        rig.reply = HeartbeatRig.home()
        rig.run(.seconds(15))
        #expect(rig.reports.map(\.outcome) == [.failed, .reached])
    }

    @Test func `silent name servers are reported in the first minute of a network too`() {
        var rig = HeartbeatRig(asking: [NetworkAddress(203, 0, 113, 53)])
        rig.check(.online)
        rig.run(.seconds(4))
        rig.reply = { $0.hop == .nameServers ? .silence : HeartbeatRig.home()($0) }
        rig.run(.seconds(20))
        #expect(rig.reports.map(\.time) == [.seconds(19)])
    }

    @Test func `name servers that were silent in an outage are proven by the check that ends it`() {
        var rig = learnt(asking: [NetworkAddress(203, 0, 113, 53)])
        rig.run(.seconds(11))
        // The next beat asks both hops.
        rig.reply = { _ in .silence }
        rig.run(.seconds(20))
        rig.reply = HeartbeatRig.home()
        rig.check(.online)
        rig.run(.seconds(4))
        let start = rig.now
        rig.reply = { $0.hop == .nameServers ? .silence : HeartbeatRig.home()($0) }
        rig.run(.seconds(20))
        #expect(rig.reports.filter { $0.time > start }.map { $0.time - start } == [.seconds(15)])
    }

    @Test func `a silence after the first check is missed by the first beat, because all operators have answered`() {
        var rig = HeartbeatRig()
        rig.check(.online)
        rig.run(.seconds(6))
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(10))
        #expect(rig.observations.first { !$0.isAnswered }?.ended == .seconds(11))
    }

    @Test func `one silent name server of two is no outage`() {
        let servers = [NetworkAddress(203, 0, 113, 53), NetworkAddress(203, 0, 113, 54)]
        var rig = learnt(asking: servers)
        rig.reply = { $0.address == servers[0] ? .silence : HeartbeatRig.home()($0) }
        rig.run(.seconds(300), checking: true)
        #expect(rig.reports.isEmpty)
    }

    // MARK: Learning

    /// The means of a network, those that something nearby answers for as well, and those that beats use.
    static let networks:
        [(
            answered: Set<HeartbeatQuestion.Means>, nearby: Set<HeartbeatQuestion.Means>,
            used: [HeartbeatQuestion.Means]
        )] = [
            ([.echo, .query, .datagram, .connection], [], [.echo, .query]),
            ([.query, .datagram, .connection], [], [.query, .datagram]),
            ([.query, .connection], [], [.query]),
            ([.datagram, .connection], [], [.datagram]),
            ([.connection], [], [.connection]),
            ([], [], []),
            // A box that accepts every connection, and one that answers everything.
            ([.connection], [.connection], []),
            ([.echo, .query, .datagram, .connection], [.echo, .query, .datagram, .connection], []),
            // A router that answers every query.
            ([.echo, .query], [.query], [.echo]),
            ([.query, .connection], [.query], [.connection]),
        ]

    @Test(arguments: networks)
    func `a network's means are learnt with fallbacks, and what is answered nearby does not count`(
        answered: Set<HeartbeatQuestion.Means>, nearby: Set<HeartbeatQuestion.Means>, used: [HeartbeatQuestion.Means]
    ) {
        var rig = learnt { question in
            guard question.hop == .beyond, nearby.contains(question.means) else {
                return HeartbeatRig.home(answered)(question)
            }
            return .answer(after: .milliseconds(1))
        }
        // Everything is tried again.
        if used.isEmpty { rig.run(.seconds(30)) }
        let start = rig.now
        rig.run(.seconds(121))
        let beats = rig.beats(to: .beyond, since: start)
        #expect(Set(beats.map(\.question.means)) == Set(used.prefix(1)))
        // A connection costs more packets.
        #expect(beats.count == (used.isEmpty ? 0 : used == [.connection] ? 4 : 24))
        rig.reply = HeartbeatRig.silentBeyond
        let cut = rig.now
        rig.run(.seconds(40))
        #expect(Set(rig.beats(to: .beyond, since: cut).map(\.question.means)) == Set(used))
        #expect(rig.reports.map(\.outcome) == (used.isEmpty ? [] : [.failed]))
    }

    @Test func `a check that passes after an outage on a new network teaches what is answered at once`() {
        var rig = HeartbeatRig()
        // The provider is silent just after a reconnection whose check has passed.
        rig.reply = HeartbeatRig.silentBeyond
        rig.check(.online)
        rig.run(.seconds(59))
        rig.reply = HeartbeatRig.home()
        rig.check(.online)
        let start = rig.now
        rig.run(.seconds(31))
        #expect(rig.beats(to: .beyond, since: start).count { $0.question.means == .echo } >= 6)
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(8))
        #expect(rig.reports.map(\.outcome) == [.failed])
    }

    @Test(arguments: [[HeartbeatQuestion.Means.echo, .connection], [.connection]])
    func `where public addresses are blocked, beats go to what the check has reached`(
        means: [HeartbeatQuestion.Means]
    ) {
        let endpoint = NetworkAddress(203, 0, 113, 80)
        var rig = HeartbeatRig(reaching: [endpoint]) { question in
            guard question.hop == .beyond else { return .answer(after: .milliseconds(1)) }
            return question.address == endpoint && means.contains(question.means) ? .answer() : .silence
        }
        rig.check(.online)
        rig.run(.seconds(59))
        rig.check(.online)
        let start = rig.now
        rig.run(.seconds(121))
        let beats = rig.beats(to: .beyond, since: start)
        #expect(Set(beats.map(\.question.means)) == [means[0]])
        #expect(Set(beats.map(\.question.address)) == [endpoint])
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(40))
        #expect(rig.reports.map(\.outcome) == [.failed])
    }

    @Test func `where nothing is answered, each attempt to learn waits twice as long as the one before`() {
        var rig = HeartbeatRig()
        rig.reply = HeartbeatRig.silentBeyond
        rig.check(.online)
        rig.run(.seconds(7200), checking: true)
        let learnings = rig.beats(to: .beyond, since: .zero).map { Int($0.time / .seconds(60)) }
        let minutes = Set(learnings).sorted()
        #expect(minutes.prefix(5) == [0, 1, 3, 6, 12])
        #expect(minutes.count == 5 + 10)
    }

    @Test func `an operator that answers no echo is left out`() {
        var rig = learnt { question in
            question.address == HeartbeatRig.operators[0] && question.means == .echo
                ? .silence : HeartbeatRig.home()(question)
        }
        let start = rig.now
        rig.run(.seconds(300), checking: true)
        #expect(rig.reports.isEmpty)
        #expect(!rig.beats(to: .beyond, since: start).contains { $0.question.address == HeartbeatRig.operators[0] })
    }

    @Test func `means that are answered while a check finds nothing no longer count on this network`() {
        var rig = learnt()
        // From here on, a box nearby answers every echo request.
        rig.reply = { $0.hop != .beyond || $0.means == .echo ? .answer() : .silence }
        rig.run(.seconds(10))
        rig.check(.noInternet)
        rig.run(.seconds(12))
        #expect(rig.reports.map(\.outcome) == [.reached])
        // The check that the answer caused finds nothing either.
        rig.check(.noInternet)
        rig.run(.seconds(6))
        let start = rig.now
        rig.run(.seconds(20))
        #expect(Set(rig.beats(to: .beyond, since: start).map(\.question.means)) == [.query])
        rig.check(.online)
        rig.run(.seconds(10))
        #expect(!rig.beats(to: .beyond, since: rig.now - .seconds(10)).contains { $0.question.means == .echo })
    }

    @Test func `means that were answered in an outage are used again ten minutes later`() {
        var rig = learnt(HeartbeatRig.home([.echo]))
        // Names fail, and what the check asks besides; the packets of the heartbeat are answered.
        for _ in 0..<4 {
            rig.check(.noInternet)
            rig.run(.seconds(12))
        }
        var start = rig.now
        rig.check(.online)
        rig.run(.seconds(500), checking: true)
        #expect(!rig.beats(to: .beyond, since: start).contains { $0.question.means == .echo })
        start += .seconds(720)
        rig.run(.seconds(400), checking: true)
        #expect(rig.beats(to: .beyond, since: start).count { $0.question.means == .echo } > 20)
    }

    @Test func `an outage that ends during a check takes no means away`() {
        var rig = learnt()
        for _ in 0..<5 {
            rig.reply = HeartbeatRig.silentBeyond
            rig.run(.seconds(12))
            let start = rig.now
            rig.reply = HeartbeatRig.home()
            rig.run(.seconds(6))
            rig.check(.noInternet, startedAt: start)
            rig.run(.seconds(6))
            rig.check(.online)
        }
        let start = rig.now
        rig.run(.seconds(30))
        #expect(Set(rig.beats(to: .beyond, since: start).map(\.question.means)) == [.echo])
    }

    @Test func `name servers that are silent while checks pass are left alone`() {
        var rig = learnt()
        rig.run(.seconds(20), checking: true)
        rig.reply = { $0.hop == .nameServers ? .silence : HeartbeatRig.home()($0) }
        rig.run(.seconds(500), checking: true)
        #expect(rig.reports.map(\.outcome) == [.failed])
    }

    @Test func `channels that are silent while checks pass are learnt again`() {
        let other = NetworkAddress(203, 0, 113, 7)
        var rig = learnt(and: [HeartbeatRig.operators[0], other])
        rig.reply = { $0.hop != .beyond || $0.address == other ? .answer() : .silence }
        rig.run(.seconds(20))
        rig.check(.online)
        rig.run(.seconds(30))
        let start = rig.now
        rig.run(.seconds(60))
        #expect(Set(rig.beats(to: .beyond, since: start).map(\.question.address)) == [other])
    }

    @Test func `a router that drops what is addressed to itself is asked by a packet that expires there`() {
        var rig = learnt(asking: [])
        let start = rig.now
        rig.run(.seconds(130))
        #expect(Set(rig.beats(to: .router, since: start).map(\.question.means)) == [.expiringDatagram])
        #expect(rig.observations.contains { $0.hop == .router && $0.isAnswered })
    }

    @Test func `a router that reports nothing is asked itself, and one that answers nothing is left alone`() {
        var rig = HeartbeatRig(asking: []) { $0.means == .expiringDatagram ? .silence : HeartbeatRig.home()($0) }
        rig.check(.online)
        rig.run(.seconds(200))
        #expect(rig.beats(to: .router, since: .zero).map(\.question.means).dropFirst().allSatisfy { $0 == .echo })
        #expect(!rig.observations.contains { $0.hop == .router && !$0.isAnswered })
        var silent = HeartbeatRig(asking: []) { $0.hop == .router ? .silence : HeartbeatRig.home()($0) }
        silent.check(.online)
        silent.run(.seconds(600))
        #expect(silent.beats(to: .router, since: .zero).count == 4)
        #expect(!silent.observations.contains { $0.hop == .router })
    }
}
