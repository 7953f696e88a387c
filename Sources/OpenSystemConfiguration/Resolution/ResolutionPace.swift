//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// When a name is asked for again, in seconds, while nothing else gives a reason.
package struct ResolutionPace: Hashable, Sendable {
    /// After the first failure that may pass; it doubles.
    package var firstRetry = 1.0
    /// After many of them.
    package var longestRetry = 60.0
    /// After an answer, because the C library does not tell how long it is good for.
    package var refresh = 300.0

    package init(firstRetry: Double = 1, longestRetry: Double = 60, refresh: Double = 300) {
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.refresh = refresh
    }

    /// 0 failures: `refresh`; then `firstRetry`, twice that, four times that, up to `longestRetry`.
    func wait(afterFailures failures: Int) -> Double {
        failures == 0 ? refresh : min(firstRetry * Double(1 << min(failures - 1, 16)), longestRetry)
    }
}

#endif
