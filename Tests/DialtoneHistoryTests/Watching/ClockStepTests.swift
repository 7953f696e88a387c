// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import DialtoneHistory

/// A clock that is set while an outage lasts, or after a start with a wrong time.
struct ClockStepTests {
    /// A run whose clock is set once.
    private struct Run {
        private(set) var records: [HistoryTransition]
        private var log: WatchLog
        private let step: (after: Double, by: Double)
        /// The seconds by which the clock is wrong at the start.
        private let error: Double

        /// Begins after a run that has ended.
        init(at start: Double, error: Double = 0, step: (after: Double, by: Double), after last: Tick? = nil) {
            (self.step, self.error) = (step, error)
            let reading = Sample.clocks(start, wallIsAheadBy: error)
            log = WatchLog(at: reading, interval: 1e9)
            records = (last.map { GapRules.gap(after: $0, until: reading) } ?? []) + [log.current]
        }

        func clocks(_ seconds: Double) -> ClockReading {
            Sample.clocks(seconds, wallIsAheadBy: error + (seconds > step.after ? step.by : 0))
        }

        mutating func beat(from first: Double, to last: Double) {
            for second in stride(from: first, through: last, by: 10) { records += log.observe(clocks(second)) }
        }

        /// Records a transition that is found some time after it happened.
        mutating func record(
            _ state: HistoryState, _ seconds: Double, earliest: Double, found: Double, fault: ConnectivityFault? = nil,
            number: Int, isSilent: Bool = false
        ) {
            let now = clocks(found)
            var transition = HistoryTransition(
                time: now.wall - (found - seconds), earliest: now.wall - (found - earliest), state: state, fault: fault,
                number: number)
            transition.isSilent = isSilent
            records += log.record(transition, at: now)
        }

        /// The last time.
        var end: Tick { log.tick(isEnd: true) }
    }

    @Test(arguments: [2, -2, 1200, -1200, 3600] as [Double], [2102, 2105, 2108, 2111.5])
    func `a step changes neither the length nor the margins of an outage`(step: Double, after: Double) throws {
        var run = Run(at: 0, step: (after, step))
        run.record(.online, 1, earliest: 1, found: 1, number: 1)
        run.beat(from: 10, to: 2100)
        run.record(.noInternet, 2100, earliest: 2097, found: 2104, fault: .router, number: 2)
        run.record(
            .noInternet, 2106, earliest: 2106, found: 2106, fault: .provider, number: 2, isSilent: true)
        run.record(.online, 2112, earliest: 2111, found: 2113, number: 3)
        run.beat(from: 2120, to: 2200)
        let now = run.clocks(2200).wall
        let timeline = Timeline(from: Sample.time(0), to: now, transitions: run.records)
        let outage = try #require(timeline.outages.first)
        #expect(timeline.outages.count == 1 && outage.length == 12, "\(timeline.text)")
        #expect(outage.startMargin == 3 && outage.endMargin == 1)
        #expect(outage.phases.map(\.length) == [6, 6] && outage.fault == .router)
        #expect(outage.end == run.clocks(2112).wall)
        #expect(timeline.summary.seconds[.noInternet] == 12)
        let events = run.records.filter { !$0.isSilent }.map(\.state)
        let rest: [HistoryState] =
            after < 2104
            ? [.notWatching, .online, .noInternet, .online] : [.noInternet, .notWatching, .noInternet, .online]
        #expect(events == [.unknown, .online] + rest)
    }

    @Test(arguments: [50, 3600, 400 * 86_400] as [Double])
    func `after a start with the clock behind, one record corrects what was recorded, and hides nothing older`(
        behind: Double
    ) throws {
        let stop = 500 * 86_400.0
        // The run before had an outage at the times that the wrong clock has now.
        var before = Run(at: 0, step: (.infinity, 0))
        before.record(.online, 1, earliest: 1, found: 1, number: 1)
        let old = stop + 15 - behind
        before.record(.offline, old, earliest: old, found: old, number: 2)
        before.record(.online, old + 10, earliest: old + 10, found: old + 10, number: 3)
        before.beat(from: stop, to: stop)
        var run = Run(at: stop + 10, error: -behind, step: (stop + 32, behind), after: before.end)
        run.record(.noInternet, stop + 15, earliest: stop + 14, found: stop + 15, fault: .provider, number: 1)
        run.record(.online, stop + 30, earliest: stop + 29, found: stop + 31, number: 2)
        run.beat(from: stop + 40, to: stop + 100)
        let timeline = Timeline(
            from: Sample.time(0), to: Sample.time(stop + 100), transitions: before.records + run.records)
        #expect(timeline.outages.map(\.length) == [10, 15], "\(timeline.text)")
        #expect(timeline.outages.map(\.start) == [Sample.time(old), Sample.time(stop + 15)])
        #expect(timeline.outages.last?.startMargin == 1)
        let corrections = run.records.filter { $0.replaced > 0 }
        #expect(corrections.map(\.replaced) == [3])
        #expect(corrections.first?.reason == "time corrected by \(Figures.duration(behind))")
        #expect(run.records.filter { !$0.isSilent }.suffix(2).map(\.state) == [.notWatching, .online])
    }

    @Test func `a clock that is set long after it was right moves nothing but an outage in progress`() {
        var run = Run(at: 0, step: (2000, 3600))
        run.record(.online, 1, earliest: 1, found: 1, number: 1)
        run.record(.offline, 100, earliest: 100, found: 100, number: 2)
        run.record(.online, 110, earliest: 110, found: 110, number: 3)
        run.beat(from: 120, to: 3000)
        #expect(!run.records.contains { $0.replaced > 0 })
        let timeline = Timeline(from: Sample.time(0), to: run.clocks(3000).wall, transitions: run.records)
        #expect(timeline.outages.map(\.start) == [Sample.time(100)])
        #expect(timeline.summary.seconds[.notWatching] == 3600)
    }
}
