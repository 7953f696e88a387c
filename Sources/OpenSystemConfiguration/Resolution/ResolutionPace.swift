// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// The intervals in seconds at which a name is resolved again, while nothing else triggers that.
package struct ResolutionPace: Hashable, Sendable {
    /// After the first temporary failure; it doubles with each further one.
    package var firstRetry = 1.0
    /// The longest interval after failures.
    package var longestRetry = 60.0
    /// After an answer, because the C library does not report its time to live.
    package var refresh = 300.0

    package init(firstRetry: Double = 1, longestRetry: Double = 60, refresh: Double = 300) {
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.refresh = refresh
    }

    /// The interval: `refresh` without failures; then `firstRetry`, doubled with each failure up to `longestRetry`.
    func wait(afterFailures failures: Int) -> Double {
        failures == 0 ? refresh : min(firstRetry * Double(1 << min(failures - 1, 16)), longestRetry)
    }
}

#endif
