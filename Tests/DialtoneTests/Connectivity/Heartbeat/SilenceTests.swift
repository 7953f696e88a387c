// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Tests which silences are drops, and which outages are always noticed.
struct SilenceTests {
    /// A rig in a network that is known for five minutes.
    private func rig(
        beating heartbeat: ConnectivityMonitor.Heartbeat = .init(), over path: NetworkPath = .home,
        and addresses: [NetworkAddress] = HeartbeatRig.operators,
        _ reply: @escaping (HeartbeatQuestion) -> HeartbeatRig.Reply = HeartbeatRig.home()
    ) -> HeartbeatRig {
        var rig = HeartbeatRig(beating: heartbeat, over: path, and: addresses, reply)
        rig.check(.online)
        rig.run(.seconds(300), checking: true)
        return rig
    }

    /// Replies as before outside these times, and in them is silent beyond the router.
    private func play(_ rig: inout HeartbeatRig, silentFor seconds: Double, after: Double, until end: Double = 90) {
        let reply = rig.reply
        rig.run(.seconds(after))
        rig.reply = { $0.hop == .beyond ? .silence : reply($0) }
        rig.run(.seconds(seconds))
        rig.reply = reply
        rig.run(.seconds(end))
    }

    // MARK: Drops

    @Test(arguments: [0.0, 0.1, 1, 2.5, 4, 4.9, 5])
    func `a silence of 8 s is a drop, whenever it begins, and its true times are within its margins`(
        after: Double
    ) throws {
        var rig = rig()
        let start = (rig.now / .seconds(1)) + after
        play(&rig, silentFor: 8, after: after)
        #expect(rig.silences.count == 1)
        let silence = try #require(rig.silences.first)
        #expect(silence.isDrop)
        let bounds = HeartbeatRig.bounds(silence).compactMap(\.self)
        #expect(bounds[0] <= start + 0.001 && start <= bounds[1])
        #expect(bounds[2] <= start + 8 && start + 8 <= bounds[3])
        // Each margin is at most 7 s.
        #expect(bounds[1] - bounds[0] <= 7 && bounds[3] - bounds[2] <= 7)
        let beyond = try #require(silence.counts.first { $0.hop == .beyond })
        #expect(beyond.answered == 0 && beyond.sent >= 7)
        let router = try #require(silence.counts.first { $0.hop == .router })
        #expect(router.sent >= 2 && router.answered == router.sent)
    }

    @Test(arguments: [0.3, 1, 2, 5]) func `a shorter silence is one only where both rounds fall into it`(
        seconds: Double
    ) {
        for after in stride(from: 0.0, to: 5, by: 0.4) {
            var rig = rig()
            play(&rig, silentFor: seconds, after: after)
            let isSeen = !rig.silences.isEmpty
            #expect(rig.silences.allSatisfy { $0.isDrop })
            if isSeen { #expect(seconds >= 1.6) }
        }
    }

    @Test func `answers that are late are no drop`() {
        var rig = rig()
        rig.reply = { $0.hop == .beyond ? .answer(after: .seconds(4)) : .answer(after: .milliseconds(1)) }
        rig.run(.seconds(120))
        #expect(rig.silences.isEmpty)
    }

    @Test func `a silence in which the router is silent too is no drop`() {
        var rig = rig()
        rig.run(.seconds(3))
        rig.reply = { _ in .silence }
        rig.run(.seconds(12))
        rig.reply = HeartbeatRig.home()
        rig.run(.seconds(90))
        #expect(rig.silences.map(\.isDrop) == [false])
        #expect(rig.silences.first?.counts.first { $0.hop == .router }?.answered == 0)
    }

    @Test(arguments: [5, 30, 60]) func `random loss each way makes no drop in an hour`(percent: Int) {
        for seed in 0..<4 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var rig = rig()
            rig.reply = { question in
                guard question.hop == .beyond else { return HeartbeatRig.home()(question) }
                let isLost = (0..<2).contains { _ in Int.random(in: 0..<100, using: &generator) < percent }
                return isLost ? .silence : HeartbeatRig.home()(question)
            }
            rig.run(.seconds(3600), checking: true)
            #expect(rig.silences.filter(\.isDrop).isEmpty, "seed \(seed)")
        }
    }

    /// Adds the observation of a question, which is answered after 20 ms or missed after 2 s.
    private func add(
        _ hop: HeartbeatHop, _ operatorNumber: Int = 0, at seconds: Double, isAnswered: Bool,
        to collector: inout SilenceCollector
    ) {
        let (sent, wait) = (Duration.seconds(seconds), Duration.seconds(isAnswered ? 0.02 : 2))
        collector.add(
            HopObservation(
                hop: hop, isAnswered: isAnswered, sent: sent, ended: sent + wait,
                missed: isAnswered ? nil : sent + wait,
                address: HeartbeatRig.operators[operatorNumber]))
    }

    /// Adds a round, which nothing beyond the router answers.
    private func addSilentRound(of operators: Int, at seconds: Double, to collector: inout SilenceCollector) {
        for number in 0..<operators { add(.beyond, number, at: seconds, isAnswered: false, to: &collector) }
        add(.router, at: seconds, isAnswered: true, to: &collector)
    }

    @Test(arguments: [0, 1]) func `one packet lost in the minute after the shortest silence makes it a chance of loss`(
        lost: Int
    ) {
        var collector = SilenceCollector()
        for beat in 0..<60 { add(.beyond, at: 5 * Double(beat), isAnswered: true, to: &collector) }
        for round in [300, 300.5] { addSilentRound(of: 2, at: round, to: &collector) }
        for beat in 0..<12 {
            add(.beyond, at: 303 + 5 * Double(beat), isAnswered: beat != 5 || lost == 0, to: &collector)
        }
        let silences = collector.silences(at: .seconds(400), wall: HeartbeatRig.start)
        #expect(silences.map(\.isDrop) == [lost == 0])
    }

    @Test func `an outage of one round in the minute after a silence, and three before it, leave it a drop`() {
        var collector = SilenceCollector()
        for beat in 0..<72 where !(60...61).contains(beat) {
            let (time, isShort) = (5 * Double(beat), [20, 35, 50, 66].contains(beat))
            add(.beyond, at: time, isAnswered: !isShort, to: &collector)
            if isShort { addSilentRound(of: 3, at: time + 1, to: &collector) }
        }
        add(.beyond, at: 300, isAnswered: false, to: &collector)
        for round in [302, 302.5] { addSilentRound(of: 3, at: round, to: &collector) }
        let silences = collector.silences(at: .seconds(400), wall: HeartbeatRig.start)
        #expect(silences.map(\.isDrop) == [true])
    }

    @Test func `one operator that fails is no silence, and costs one round at each of its beats`() {
        var rig = rig()
        rig.reply = { $0.address == HeartbeatRig.operators[1] ? .silence : HeartbeatRig.home()($0) }
        let start = rig.now
        rig.run(.seconds(600), checking: true)
        #expect(rig.silences.isEmpty && rig.reports.isEmpty)
        #expect(rig.beats(to: .beyond, since: start).count < 300)
    }

    @Test func `a drop ends with its network`() {
        var rig = rig()
        rig.run(.seconds(2))
        rig.reply = HeartbeatRig.silentBeyond
        rig.run(.seconds(20))
        rig.reply = HeartbeatRig.home()
        let end = rig.now / .seconds(1)
        rig.moveToAnotherNetwork()
        rig.run(.seconds(3600), checking: true)
        #expect(rig.silences.count == 1 && rig.silences.first?.isDrop == true)
        #expect(rig.silences.first.map { HeartbeatRig.bounds($0)[3] ?? 0 <= end } == true)
    }

    @Test func `twelve drops an hour, five minutes apart, are all found`() {
        var rig = rig()
        for _ in 0..<12 { play(&rig, silentFor: 9, after: 3, until: 288) }
        #expect(rig.silences.count == 12 && rig.silences.allSatisfy { $0.isDrop })
    }

    @Test func `a provider that fails for 9 s every 20 s has drops, although they are half of all packets`() {
        var rig = rig()
        for _ in 0..<12 { play(&rig, silentFor: 9, after: 3, until: 8) }
        rig.run(.seconds(90))
        #expect(rig.silences.count == 12 && rig.silences.allSatisfy { $0.isDrop })
    }

    // MARK: Coverage

    @Test func `with the defaults, outages of 8 s are noticed`() {
        let rig = rig()
        #expect(rig.coverages == [HeartbeatCoverage(shortest: 8, limit: nil)])
        #expect(rig.coverages.first?.reason == nil)
    }

    @Test(arguments: [20, 250, 600, 1000]) func `they are wherever answers come within a second`(milliseconds: Int) {
        let rig = rig { question in
            question.hop == .beyond && HeartbeatRig.operators.contains(question.address)
                ? .answer(after: .milliseconds(milliseconds)) : HeartbeatRig.home()(question)
        }
        #expect(rig.coverages.last == HeartbeatCoverage(shortest: 8, limit: nil))
    }

    @Test func `a figure of more than 8 s has its reason`() {
        func last(_ rig: HeartbeatRig) -> HeartbeatCoverage? { rig.coverages.last }
        var connecting = rig(HeartbeatRig.home([.connection]))
        #expect(last(connecting) == HeartbeatCoverage(shortest: 33, limit: .connections))
        // Once the network answers again, the figure is less.
        connecting.reply = HeartbeatRig.home()
        connecting.moveToAnotherNetwork()
        connecting.run(.seconds(10))
        #expect(last(connecting) == HeartbeatCoverage(shortest: 8, limit: nil))
        #expect(last(rig(HeartbeatRig.home([]))) == HeartbeatCoverage(shortest: 70, limit: .unanswered))
        #expect(
            last(rig(beating: .init(interval: .seconds(20)))) == HeartbeatCoverage(shortest: 23, limit: .interval))
        #expect(
            last(rig(and: [HeartbeatRig.operators[0]])) == HeartbeatCoverage(shortest: 12, limit: .oneOperator))
        let silent = rig { $0.hop == .router ? .silence : HeartbeatRig.home()($0) }
        #expect(last(silent) == HeartbeatCoverage(shortest: 12, limit: .silentRouter))
        let slow = rig {
            $0.hop == .beyond && HeartbeatRig.operators.contains($0.address)
                ? .answer(after: .seconds(1.9)) : HeartbeatRig.home()($0)
        }
        #expect(last(slow) == HeartbeatCoverage(shortest: 11, limit: .slowAnswers))
        #expect(HeartbeatCoverage.Limit.allCases.allSatisfy { HeartbeatCoverage(shortest: 9, limit: $0).reason != nil })
    }

    @Test
    func
        `where the resolvers are blocked and endpoints answer echo requests, the figure is 8 s from the 11th second on`()
    {
        let endpoints = (1...4).map { NetworkAddress(203, 0, 113, $0) }
        var rig = HeartbeatRig(reaching: endpoints) { question in
            guard question.hop == .beyond else { return .answer(after: .milliseconds(1)) }
            return endpoints.contains(question.address) && question.means == .echo ? .answer() : .silence
        }
        rig.check(.online)
        rig.run(.seconds(11))
        #expect(rig.coverages == [HeartbeatCoverage(shortest: 8, limit: nil)])
        play(&rig, silentFor: 8, after: 3)
        #expect(rig.silences.map(\.isDrop) == [true])
    }

    @Test func `where the figure is confirmed by a check, an outage of that length is reported 5 s before its end`() {
        for after in stride(from: 0.0, through: 5, by: 0.5) {
            var rig = rig(and: [HeartbeatRig.operators[0]])
            let start = rig.now + .seconds(after)
            play(&rig, silentFor: 12, after: after)
            #expect(rig.reports.first.map { $0.time - start <= .seconds(7) } == true)
        }
    }
}
