// SPDX-License-Identifier: Apache-2.0

import LibC

/// A clock that does not jump, for timeouts and intervals.
package enum MonotonicTime {
    /// The number of seconds since an arbitrary moment, excluding suspension.
    package static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
