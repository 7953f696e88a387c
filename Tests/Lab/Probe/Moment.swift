// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Moments on the monotonic clock, in nanoseconds.
enum Moment {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time between two moments, in milliseconds.
    static func text(since start: UInt64, until end: UInt64 = now) -> String {
        let tenths = (end - min(start, end)) / 100_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
