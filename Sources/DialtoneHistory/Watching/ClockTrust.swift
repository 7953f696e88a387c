// SPDX-License-Identifier: Apache-2.0

package import DialtoneSupport

/// Decides whether the wall clock can be trusted for removing old records.
///
/// A host without a clock battery may boot in any year until its clock is set; that must not erase the history.
package struct ClockTrust: Hashable, Sendable {
    /// The clock is trusted at once if the previous run ended at most this number of seconds ago.
    package static let longestAbsence: Double = 30 * 86_400
    /// The clock is trusted after it has not been set for this number of seconds.
    package static let shortestUnchanged: Double = 86_400

    private let previous: Date?
    private var last: ClockReading
    /// The `boottime` since which the clock has not been set.
    private var unchangedSince: Double

    /// Creates the decision for one run.
    ///
    /// - Parameters:
    ///   - previous: the last heartbeat of the previous run; nil if there was none.
    ///   - beginning: the clock reading at the start of this run.
    package init(after previous: Date?, at beginning: ClockReading) {
        self.previous = previous
        last = beginning
        unchangedSince = beginning.boottime
    }

    /// Evaluates a clock reading.
    ///
    /// - Returns: whether the wall clock can be trusted.
    package mutating func trusts(_ now: ClockReading) -> Bool {
        let stepped = now.wall.timeIntervalSince(last.wall) - (now.boottime - last.boottime)
        if abs(stepped) >= GapRules.shortestStep { unchangedSince = now.boottime }
        last = now
        guard let previous else { return true }
        return abs(now.wall.timeIntervalSince(previous)) <= Self.longestAbsence
            || now.boottime - unchangedSince >= Self.shortestUnchanged
    }
}
