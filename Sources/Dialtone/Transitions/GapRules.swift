// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Classifies time in which nothing was watched: pure rules over the clock readings before and after it.
///
/// The history adds those for the time between two runs.
package enum GapRules {
    /// A suspension shorter than this number of seconds is ignored: it is within the difference between the clocks.
    package static let shortestSleep = 1.0

    /// Returns the states between two readings of one run, each with the seconds from its beginning to the second reading.
    ///
    /// A suspension is placed at the end of the time between them, because the second reading is the first event after it.
    ///
    /// - Parameters:
    ///   - passed: the seconds between the readings.
    ///   - slept: the seconds of them in which the machine was suspended.
    ///   - overdue: the seconds after which a process that runs has read the clocks again; nil if it need not.
    package static func unwatched(
        passed: Double, slept: Double, overdue: Double? = nil
    ) -> [(record: StateRecord, before: Double)] {
        var states: [(record: StateRecord, before: Double)] = []
        if let overdue, passed - slept > overdue { states.append((StateRecord(.notWatching, cause: .paused), passed)) }
        if slept >= shortestSleep { states.append((StateRecord(.asleep, cause: .suspended), slept)) }
        return states
    }
}
