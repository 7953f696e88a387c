// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneHistory

struct ClockTrustTests {
    private static let day: Double = 86_400
    private static let longAgo: Double? = -60 * day

    @Test(
        arguments: [
            // Without a previous run there is nothing to lose.
            (nil, [Sample.clocks(0, wallIsAheadBy: 1e9)], true),
            (0.0, [Sample.clocks(300)], true),
            (0.0, [Sample.clocks(29 * day)], true),
            // A clock that is years behind or ahead.
            (0.0, [Sample.clocks(300, wallIsAheadBy: -1e8)], false),
            (0.0, [Sample.clocks(300, wallIsAheadBy: 1e8)], false),
            // The clock is corrected.
            (0.0, [Sample.clocks(300, wallIsAheadBy: -1e8), Sample.clocks(310)], true),
            // The clock has not been set for a day, after the host was off for a long time.
            (longAgo, [Sample.clocks(0), Sample.clocks(0.9 * day)], false),
            (longAgo, [Sample.clocks(0), Sample.clocks(1.1 * day)], true),
            // Meanwhile, it is slewed a little, or set.
            (longAgo, [Sample.clocks(0.5 * day, wallIsAheadBy: 1.5), Sample.clocks(1.1 * day)], true),
            (longAgo, [Sample.clocks(0.5 * day, wallIsAheadBy: 100), Sample.clocks(1.1 * day)], false),
        ] as [(Double?, [ClockReading], Bool)])
    func `old records are removed only by a trustworthy clock`(
        previous: Double?, readings: [ClockReading], isTrusted: Bool
    ) {
        var trust = ClockTrust(after: previous.map(Sample.time), at: Self.beginning(readings))
        var last = false
        for reading in readings { last = trust.trusts(reading) }
        #expect(last == isTrusted)
    }

    /// The clock reading at the start of the run: the wall clock is as wrong as in the first reading.
    private static func beginning(_ readings: [ClockReading]) -> ClockReading {
        guard let first = readings.first else { return Sample.clocks(0) }
        let passed = first.boottime - Sample.clocks(0).boottime
        return ClockReading(
            wall: first.wall.addingTimeInterval(-passed), boottime: first.boottime - passed,
            monotonic: first.monotonic - passed, boot: first.boot)
    }
}
