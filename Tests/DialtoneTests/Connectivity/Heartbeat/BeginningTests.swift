// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Between which times a state began, and what a heartbeat follows.
struct BeginningTests {
    /// A machine without scheduled checks that was verified at second 0.
    private struct Rig {
        var rig: MachineRig
        private let start: Date

        init(_ change: (inout ConnectivityMonitor.Configuration) -> Void = { _ in }) {
            var configuration = ConnectivityMonitor.Configuration.spaced
            configuration.polling = .never
            change(&configuration)
            rig = .started(.wired, configuration)
            start = rig.moment.realtime
            rig.answer(.verified)
        }

        var now: Double { rig.now / .seconds(1) }

        mutating func advance(to second: Double) { rig.advance(.seconds(second) - rig.now) }

        /// A hop answered, or did not, between two times.
        mutating func observe(
            _ hop: HeartbeatHop, _ isAnswered: Bool, _ sent: Double, _ ended: Double, isLate: Bool = false
        ) {
            advance(to: max(ended, now))
            let observation = HopObservation(
                hop: hop, isAnswered: isAnswered, isLate: isLate, sent: .seconds(sent), ended: .seconds(ended))
            rig.handle(.observed(observation))
        }

        /// Checks between two times.
        mutating func check(_ start: Double, _ end: Double, _ report: InternetCheck.Report) {
            advance(to: start)
            rig.handle(.checkRequested)
            advance(to: end)
            rig.answer(report)
        }

        var state: ConnectivityState { rig.state }
        var fault: ConnectivityFault? { rig.machine.connectivity.fault }

        /// The bounds of the current state's beginning, in seconds.
        var bounds: [Double?]? {
            rig.machine.connectivity.beginning.map {
                [$0.earliest, $0.latest].map { $0.map { ($0.timeIntervalSince(start) * 1000).rounded() / 1000 } }
            }
        }
    }

    @Test func `a loss of packets for a minute is a remark, and not a change of the state`() {
        var rig = Rig()
        func minute(_ second: Double, _ lost: Int, of sent: Int) {
            rig.advance(to: second + 61)
            let roundTrips = (0..<sent).map { $0 < lost ? nil : Duration.milliseconds(20) }
            let start = rig.rig.machine.connectivity.since + second
            rig.rig.handle(.minute(HopMinute(start: start, hops: [.beyond: HopStatistics(roundTrips)])))
        }
        func remarks() -> [InternetCheck.Remark.Kind] { rig.rig.machine.connectivity.remarks.map(\.kind) }
        minute(60, 4, of: 12)
        #expect(remarks() == [.packetLoss] && rig.state == .online)
        let json = try? OneLineJSON.text(StatusReport(rig.rig.machine.connectivity, at: .distantPast))
        #expect(json?.contains(#""kind":"packetLoss""#) == true)
        // One answer may be late by chance.
        minute(120, 1, of: 12)
        #expect(remarks().isEmpty)
        minute(180, 12, of: 12)
        #expect(remarks().isEmpty)
        minute(240, 3, of: 16)
        #expect(remarks() == [.packetLoss])
        // An outage is no loss, nor is the minute in which it ended.
        rig.check(302, 303, Self.report(.noInternet(.timedOut)))
        #expect(remarks().isEmpty)
        rig.check(320, 321, Self.report(.verified))
        minute(-15, 5, of: 12)
        #expect(rig.state == .online && remarks().isEmpty)
    }

    private static func report(
        _ verdict: InternetCheck.Verdict, _ code: ProbeError.Code = .timedOut, during step: ProbeError.Step = .connect,
        router: InternetCheck.RouterAnswer.Outcome = .answers,
        _ beyond: InternetCheck.AddressAnswer.Outcome = .silent
    ) -> InternetCheck.Report {
        var report = InternetCheck.Report(verdict: verdict, checkedAt: .distantPast)
        if verdict == .verified { return report }
        report.endpoints = ["http://one.test/", "http://two.test/"].map {
            .init(url: $0, operatorName: $0, .failed(.init(code, during: step)), durations: .init(total: .seconds(4)))
        }
        report.hops = .init(
            routers: [.init(.init(HeartbeatRig.router), router)],
            publicAddresses: [.init(HeartbeatRig.operators[0], beyond)])
        return report
    }

    private static let verified = report(.verified)
    private static let provider = report(.noInternet(.timedOut))
    private static let router = report(.noInternet(.timedOut), router: .silent)
    private static let names = report(.noInternet(.dnsSilent), .nameServerSilent, during: .resolve, .answers)

    @Test func `a state began at the latest when it was noticed, also if the heartbeat has seen a later answer`() {
        var rig = Rig()
        rig.observe(.beyond, false, 15, 16)
        rig.check(20, 24, Self.provider)
        rig.advance(to: 30)
        rig.rig.handle(.checkRequested)
        // Its thread reads the clock after the check's has done, and before that one is handled.
        rig.rig.handle(.observed(.init(hop: .beyond, isAnswered: true, sent: .seconds(30), ended: .seconds(30.1))))
        rig.rig.answer(Self.verified)
        #expect(rig.state == .online && rig.bounds?.last == 30)
    }

    @Test func `an outage began between the last answer from beyond the router and the first miss`() {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.02)
        rig.observe(.beyond, false, 15, 16)
        rig.observe(.router, true, 16, 16.01)
        rig.observe(.beyond, false, 16, 17)
        rig.check(17, 21, Self.provider)
        #expect(rig.state == .noInternet && rig.fault == .provider)
        #expect(rig.bounds == [10, 16])
        // It ended between the last miss and the first answer.
        rig.observe(.beyond, false, 25, 26)
        rig.observe(.beyond, true, 30, 30.02)
        rig.check(30.02, 31, Self.verified)
        #expect(rig.state == .online)
        #expect(rig.bounds == [25, 30.02])
        #expect(rig.rig.violations == [])
    }

    /// What was observed of an outage that was noticed by a miss in its second 0 and a check that failed, and the bounds of its end.
    struct End: CustomTestStringConvertible, Sendable {
        enum Event: Sendable { case miss(Double), answer(Double), late(Double, after: Double), failedCheck(Double) }

        let testDescription: String
        let events: [Event]
        let bounds: [Double]

        init(_ description: String, _ events: [Event], _ bounds: [Double]) {
            testDescription = description
            self.events = events
            self.bounds = bounds
        }
    }

    @Test(arguments: [
        End(
            "first packets that take longer than the patience of a beat",
            [.miss(25), .miss(27.5), .miss(28), .late(27.5, after: 1.7), .late(28, after: 1.3)], [25, 29.2]),
        End(
            "a late answer after another one",
            [.miss(60), .miss(120), .answer(122), .late(120, after: 3)], [60, 122.1]),
        End(
            "what is missed after a late answer may be late, too",
            [.miss(10), .miss(12.5), .late(12.5, after: 1.2), .miss(15), .answer(16)], [10, 16.1]),
        End(
            "the answer to what was just missed may come after the check",
            [.miss(10), .miss(15), .answer(16)], [10, 16.1]),
        End(
            "a check that fails shows that an answer was no end",
            [.answer(10), .failedCheck(11), .miss(15), .answer(100)], [15, 100.1]),
    ])
    func `an answer that comes late takes its miss back`(end: End) {
        var rig = Rig()
        // The second outage shows that nothing of the first is left.
        for start in [20.0, 1000] {
            rig.observe(.beyond, false, start, start + 1)
            rig.check(start + 1, start + 5, Self.provider)
            for event in end.events {
                switch event {
                case .miss(let sent): rig.observe(.beyond, false, start + sent, start + sent + 1)
                case .answer(let sent): rig.observe(.beyond, true, start + sent, start + sent + 0.1)
                case .late(let sent, let time):
                    rig.observe(.beyond, true, start + sent, start + sent + time, isLate: true)
                case .failedCheck(let begin): rig.check(start + begin, start + begin + 4, Self.provider)
                }
            }
            rig.check(rig.now, rig.now + 0.1, Self.verified)
            #expect(rig.state == .online && rig.bounds == end.bounds.map { $0 + start })
        }
    }

    @Test(arguments: [true, false])
    func `a check during which only a late answer was missed holds`(isLate: Bool) {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.1)
        rig.advance(to: 20)
        rig.rig.handle(.checkRequested)
        rig.observe(.beyond, false, 20, 21)
        rig.observe(.beyond, true, isLate ? 20 : 21, 21.5, isLate: isLate)
        rig.rig.answer(Self.report(.somePortal))
        // Otherwise it saw a part of an outage, and is repeated.
        #expect((rig.state == .captivePortal) == isLate)
    }

    @Test func `an outage of the router began after the last answer that has passed it`() {
        var rig = Rig()
        rig.observe(.router, true, 5, 5.01)
        rig.observe(.beyond, true, 10, 10.02)
        rig.observe(.beyond, false, 15, 16)
        rig.observe(.router, false, 16, 17)
        rig.check(17, 21, Self.router)
        #expect(rig.fault == .router)
        #expect(rig.bounds == [10, 16])
        // The router was not asked again; what is beyond it was.
        rig.observe(.beyond, false, 45, 46)
        rig.observe(.beyond, true, 50, 50.02)
        rig.check(50.02, 51, Self.verified)
        #expect(rig.bounds == [45, 50.02])
    }

    @Test func `a router that was not asked failed with what is beyond it`() {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.02)
        rig.observe(.beyond, false, 15, 16)
        rig.check(17, 21, Self.router)
        #expect(rig.bounds == [10, 16])
    }

    @Test func `name servers failed after their own last answer`() {
        var rig = Rig()
        rig.observe(.nameServers, true, 15, 15.01)
        rig.observe(.nameServers, false, 30, 32)
        rig.observe(.beyond, true, 30, 30.02)
        rig.check(34, 38, Self.names)
        #expect(rig.state == .limited && rig.fault == .nameServers)
        #expect(rig.bounds == [15, 32])
        rig.observe(.nameServers, true, 45, 45.01)
        rig.check(46, 47, Self.verified)
        #expect(rig.bounds == [30, 45.01])
    }

    @Test func `if beats passed and a check failed, the outage began after the last check that passed`() {
        var rig = Rig()
        rig.check(20, 21, Self.verified)
        rig.observe(.beyond, true, 40, 40.02)
        rig.check(50, 54, Self.provider)
        #expect(rig.bounds == [20, 54])
        // The beats say nothing about its end either.
        rig.observe(.beyond, true, 60, 60.02)
        rig.check(70, 74, Self.provider)
        rig.check(80, 81, Self.verified)
        #expect(rig.bounds == [70, 81])
    }

    @Test func `a login page appeared after the last check that passed`() {
        var rig = Rig()
        rig.observe(.beyond, false, 5, 6)
        rig.observe(.beyond, true, 6, 6.02)
        rig.check(20, 21, Self.verified)
        rig.check(50, 50.5, Self.report(.somePortal))
        #expect(rig.bounds == [20, 50.5])
    }

    @Test func `whatever the fault is, silence beyond the router was its first sign`() {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.02)
        rig.observe(.beyond, false, 15, 16)
        rig.check(17, 20, Self.report(.somePortal))
        #expect(rig.bounds == [10, 16])
        // It may have been answered again at any time.
        rig.observe(.beyond, true, 30, 30.02)
        rig.check(40, 41, Self.verified)
        #expect(rig.bounds == [17, 41])
    }

    @Test func `without a heartbeat the checks bound both ends`() {
        var rig = Rig()
        rig.check(20, 21, Self.verified)
        rig.check(80, 84, Self.provider)
        #expect(rig.bounds == [20, 84])
        rig.check(90, 94, Self.provider)
        rig.check(100, 101, Self.verified)
        #expect(rig.bounds == [90, 101])
    }

    @Test func `silence before a check that passed belongs to no later outage`() {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.02)
        rig.observe(.beyond, false, 15, 16)
        rig.check(20, 21, Self.verified)
        rig.check(80, 84, Self.provider)
        #expect(rig.bounds == [20, 84])
    }

    @Test func `the kernel reports a lost path at once`() {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.02)
        rig.advance(to: 12)
        rig.rig.become(.offline(.noCarrier))
        #expect(rig.state == .offline)
        #expect(rig.bounds == [12, 12])
        rig.advance(to: 20)
        rig.rig.become(.wired)
        #expect(rig.bounds == [20, 20])
        rig.advance(to: 21)
        rig.rig.answer(Self.verified)
        #expect(rig.state == .online)
        #expect(rig.bounds == [20, 21])
    }

    @Test func `an outage after a change of network ended after the last check that failed`() {
        var rig = Rig()
        rig.advance(to: 12)
        rig.rig.become(.offline(.noCarrier))
        rig.advance(to: 17)
        rig.rig.become(.wired)
        rig.advance(to: 21)
        rig.rig.answer(Self.router)
        rig.check(40, 44, Self.router)
        rig.observe(.beyond, true, 50, 50.02)
        rig.check(50.02, 51, Self.verified)
        #expect(rig.state == .online)
        #expect(rig.bounds == [40, 50.02])
    }

    @Test func `when the first state began is not known`() {
        #expect(Rig().state == .online)
        #expect(Rig().bounds == nil)
    }

    @Test func `what was observed before a sleep does not count`() {
        var rig = Rig()
        rig.observe(.beyond, true, 10, 10.02)
        rig.rig.sleep(.seconds(100))
        rig.rig.handle(.clocksLookedAt)
        #expect(rig.state == .unverified)
        let awake = rig.now
        rig.advance(to: awake + 4)
        rig.rig.answer(Self.provider)
        #expect(rig.bounds == [awake, awake + 4])
    }

    // MARK: What the heartbeat follows

    @Test func `a heartbeat follows checks, is paused without a path, and starts again on another network`() throws {
        var rig = Rig { $0.heartbeat = .init() }
        #expect(rig.rig.situations.map { $0?.state } == [.online])
        rig.check(20, 24, Self.provider)
        let outage = try #require(rig.rig.situations.last ?? nil)
        #expect(outage.state == .noInternet && outage.checkStart == .seconds(20))
        rig.rig.become(.offline)
        #expect(rig.rig.situations.last == .some(nil))
        rig.rig.become(.wired)
        #expect(rig.rig.situations.last == .some(nil))
        rig.advance(to: 30)
        rig.rig.answer(.verified)
        let next = try #require(rig.rig.situations.last ?? nil)
        #expect(next.network != outage.network)
        rig.rig.handle(.suspended)
        #expect(rig.rig.situations.last == .some(nil))
    }

    @Test func `packets that were lost by chance delay the check of an outage by a minute at most`() {
        var rig = Rig { $0.heartbeat = .init() }
        for time in 1...100 {
            rig.advance(to: Double(time) * 100)
            rig.rig.handle(.reported(.failed))
            rig.rig.answer(Self.verified)
        }
        #expect(rig.rig.starts.count == 101)
        rig.rig.handle(.reported(.failed))
        rig.advance(to: 10_060)
        #expect(rig.rig.starts.count == 102)
    }

    @Test func `without a heartbeat there is nothing to follow`() {
        var rig = Rig()
        rig.check(20, 24, Self.provider)
        #expect(rig.rig.situations.isEmpty)
    }

    @Test(arguments: [(0.5, 60.0), (5, 0), (5, 100_000), (-1, 60)])
    func `an interval that is no heartbeat's is invalid`(interval: Double, expensive: Double) {
        let heartbeat = ConnectivityMonitor.Heartbeat(
            interval: .seconds(interval), expensiveInterval: .seconds(expensive))
        #expect(throws: InvalidConfiguration.self) {
            try ConnectivityMonitor.Configuration(heartbeat: heartbeat).validate()
        }
    }
}
