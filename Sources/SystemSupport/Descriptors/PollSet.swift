// SPDX-License-Identifier: Apache-2.0

import LibC

/// The descriptors of a thread that waits for them, again and again without allocating: poll(2).
package struct PollSet {
    /// The result of a wait.
    package enum Outcome: Sendable {
        case ready, timedOut, interrupted
        /// Something is ready, but the deadline had passed before the wait began: the thread runs late.
        case late
    }

    private var polled: [pollfd]

    /// Creates a set of descriptors to read from and to write to; negative numbers are ignored.
    package init(readable: [Int32], writable: [Int32] = []) {
        polled = readable.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        polled += writable.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
    }

    /// Replaces a descriptor; a negative number is ignored.
    package mutating func setNumber(_ number: Int32, at place: Int) { polled[place].fd = number }

    /// Waits until one of the descriptors is ready or has failed, the time has elapsed, or a signal arrives.
    ///
    /// - Parameter seconds: the longest wait; nil means no limit.
    /// - Returns: whether a descriptor is ready.
    @discardableResult
    package mutating func wait(seconds: Double?) -> Bool {
        let milliseconds = seconds.map { Int32(min(max($0 * 1000, 0).rounded(.up), 86_400_000)) } ?? -1
        if unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 { return true }
        for place in polled.indices { polled[place].revents = 0 }
        return false
    }

    /// Returns whether a descriptor is ready or has failed.
    package func isReady(_ place: Int) -> Bool { polled[place].revents != 0 }
}

extension PollSet {
    /// Waits until one of the descriptors is readable or has failed, the time has elapsed, or a signal arrives.
    package static func wait(readable: [Int32], seconds: Double?) {
        var set = PollSet(readable: readable)
        set.wait(seconds: seconds)
    }

    /// Waits until one of the sockets is ready or has failed.
    ///
    /// - Parameters:
    ///   - readable: the sockets to read from; negative numbers are ignored.
    ///   - deadline: the end of the wait; nil waits forever.
    ///   - interrupt: also ends the wait, and takes precedence.
    package static func wait(
        readable: [Int32] = [], writable: [Int32] = [], until deadline: ContinuousClock.Instant?,
        _ interrupt: WakeEvent?
    ) -> (outcome: Outcome, ready: Set<Int32>) {
        var set = PollSet(readable: [interrupt?.number ?? -1] + readable, writable: writable)
        while true {
            let left = deadline.map { TimeSource.system.now.duration(to: $0) }
            let isLate = left.map { $0 <= .zero } ?? false
            // After a signal, or if the wait ended a fraction of a millisecond early, it goes on.
            guard set.wait(seconds: left.map { $0 / .seconds(1) }) else {
                if isLate { return (.timedOut, []) }
                continue
            }
            if set.isReady(0) { return (.interrupted, []) }
            return (isLate ? .late : .ready, Set(set.polled.filter { $0.revents != 0 }.map(\.fd)))
        }
    }

    /// Whether a socket is currently writable, or has failed.
    package static func isWritable(_ number: Int32) -> Bool {
        var set = PollSet(readable: [], writable: [number])
        return set.wait(seconds: 0)
    }
}
