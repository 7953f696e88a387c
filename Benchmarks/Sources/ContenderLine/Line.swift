// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The line that every contender prints: see `Contenders/line.h`.
public enum Line {
    /// The monotonic clock, in nanoseconds.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Writes a line with a single system call.
    public static func write(_ when: Int64, _ event: StaticString, _ state: String) {
        var line = "\(when) \(event) \(state)\n"
        line.withUTF8 { _ = Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
