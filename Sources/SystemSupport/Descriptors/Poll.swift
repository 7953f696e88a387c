// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux
import LibC

/// Wakes a thread that waits in poll(2): eventfd(2).
package final class WakeEvent: Sendable {
    private let descriptor: Descriptor

    /// Creates an event; nil if no file descriptor is available.
    package init?() {
        let number = CLinux_eventfd()
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
    }

    /// The file descriptor for poll(2).
    package var number: Int32 { descriptor.number }

    /// Ends the current wait, or else the next one.
    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Resets the event, so that the next wait blocks again.
    package func clear() {
        var value: UInt64 = 0
        _ = read(descriptor.number, &value, MemoryLayout<UInt64>.size)
    }
}

/// A clock that does not jump, for timeouts and intervals.
package enum MonotonicTime {
    /// The number of seconds since an arbitrary moment, excluding suspension.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The file descriptors of a thread that waits for them again and again, without allocating.
package struct PollSet {
    private var polled: [pollfd]

    package init(count: Int) {
        polled = [pollfd](repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0), count: count)
    }

    /// Replaces a descriptor; a negative number is ignored.
    package mutating func setNumber(_ number: Int32, at place: Int) { polled[place].fd = number }

    /// Waits until one of the descriptors is readable, or the time has elapsed; nil means no limit.
    package mutating func wait(seconds: Double?) {
        let milliseconds = seconds.map { Int32(min(max($0 * 1000, 0).rounded(.up), 86_400_000)) } ?? -1
        guard poll(&polled, nfds_t(polled.count), milliseconds) <= 0 else { return }
        // The time has elapsed, or a signal interrupted the wait: nothing is ready, and the caller waits again.
        for place in polled.indices { polled[place].revents = 0 }
    }

    /// Returns whether a descriptor is readable or has failed.
    package func isReady(_ place: Int) -> Bool { polled[place].revents != 0 }
}

/// Waits for any of several file descriptors: poll(2).
package enum Poll {
    /// Waits until one of the descriptors is readable, or the time has elapsed.
    ///
    /// - Parameter seconds: the longest wait; nil means no limit.
    /// - Returns: for each descriptor, whether it is readable or has failed. Negative numbers are ignored.
    package static func wait(for numbers: [Int32], seconds: Double?) -> [Bool] {
        var set = PollSet(count: numbers.count)
        for (place, number) in numbers.enumerated() { set.setNumber(number, at: place) }
        set.wait(seconds: seconds)
        return numbers.indices.map { set.isReady($0) }
    }
}
#endif
