// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux
import LibC

/// Becomes readable when the machine has slept, when the wall clock is set, or at a given time: timerfd(2).
///
/// The kernel cancels wall-clock timers when the clock jumps, as it does when the machine wakes. Waiting is free.
package final class ClockTimer: Sendable {
    private let descriptor: Descriptor

    /// Creates a timer; nil if no file descriptor is available.
    ///
    /// - Parameter time: seconds since 1970; nil means never.
    package init?(at time: Double? = nil) {
        let number = CLinux_clockTimer(time.map { Int64($0) } ?? Int64(time_t.max), 0)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
    }

    /// The file descriptor for poll(2).
    package var number: Int32 { descriptor.number }

    /// Reads the timer, so that it is not readable until the next event.
    package func clear() {
        var value: UInt64 = 0
        // After a jump this fails with ECANCELED, which needs no handling: the jump has been noticed.
        _ = unsafe read(descriptor.number, &value, MemoryLayout<UInt64>.size)
    }
}
#endif
