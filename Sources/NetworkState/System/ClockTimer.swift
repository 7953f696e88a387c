//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import CNetlinkShims
import Netlink

/// Becomes readable when the machine has slept, when somebody has set the wall clock, and at a time: timerfd(2).
///
/// The kernel cancels timers of the wall clock when that jumps, and it jumps when the machine wakes. Waiting for it costs nothing.
package final class ClockTimer: Sendable {
    private let descriptor: Descriptor

    /// Makes a timer; nil when no descriptor is left.
    ///
    /// - Parameter time: seconds since 1970; unless given, the end of time.
    package init?(at time: Double? = nil) {
        let number = CNetlink_clockTimer(time.map { Int64($0) } ?? Int64(time_t.max), 0)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
    }

    /// The number for poll(2).
    package var number: Int32 { descriptor.number }

    /// Makes it unreadable until the next time.
    package func clear() {
        var value: UInt64 = 0
        // It fails with ECANCELED after a jump, which has told all that there is to tell.
        _ = read(descriptor.number, &value, MemoryLayout<UInt64>.size)
    }
}
#endif
