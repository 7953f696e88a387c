//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import FoundationEssentials

/// Whether the wall clock can be believed so far that what is old by it may be removed.
///
/// A host without a battery may start in any year until its clock is set: that must not cost the history.
package struct ClockTrust: Hashable, Sendable {
    /// The clock is believed at once when the run before was so many seconds away at most.
    package static let longestAbsence: Double = 30 * 86_400
    /// It is believed after it has not been set for so many seconds.
    package static let shortestStanding: Double = 86_400

    private let previous: Date?
    private var last: ClockReading
    /// Since when the clock has not been set, as `boottime`.
    private var standsSince: Double

    /// Begins with a run.
    ///
    /// - Parameters:
    ///   - previous: the last sign of life of the run before; nil when there was none.
    ///   - beginning: what the clocks said when this run began.
    package init(after previous: Date?, at beginning: ClockReading) {
        self.previous = previous
        last = beginning
        standsSince = beginning.boottime
    }

    /// Looks at the clocks.
    ///
    /// - Returns: whether the wall clock can be believed.
    package mutating func believes(_ now: ClockReading) -> Bool {
        let stepped = now.wall.timeIntervalSince(last.wall) - (now.boottime - last.boottime)
        if abs(stepped) >= GapRules.shortestStep { standsSince = now.boottime }
        last = now
        guard let previous else { return true }
        return abs(now.wall.timeIntervalSince(previous)) <= Self.longestAbsence
            || now.boottime - standsSince >= Self.shortestStanding
    }
}
