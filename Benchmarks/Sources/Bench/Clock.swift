// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The clock of the times in all contenders' lines.
enum Clock {
    /// The current time, in nanoseconds.
    static var now: Int64 { read(CLOCK_MONOTONIC) }

    static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func sleep(milliseconds: Int) {
        usleep(UInt32(milliseconds) * 1000)
    }
}
