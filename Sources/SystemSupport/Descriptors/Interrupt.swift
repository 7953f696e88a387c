// SPDX-License-Identifier: Apache-2.0

import LibC

/// Ends current and future waits of threads in poll(2).
package final class Interrupt: Sendable {
    private let watched: SocketDescriptor
    private let other: SocketDescriptor

    package init() throws(SystemError) {
        (watched, other) = try Sockets.connectedPair()
    }

    /// Readable once the interrupt is raised.
    package var number: Int32 { watched.number }

    package func raise() {
        // The closed end stays readable, however many threads poll it.
        Sockets.endBothWays(other)
    }
}

/// The result of a wait.
package enum Readiness: Sendable {
    case ready, timedOut, interrupted
}

package enum Polling {
    /// Waits until one of the sockets is ready or has failed.
    ///
    /// - Parameters:
    ///   - readable: the sockets to read from; negative numbers are ignored.
    ///   - writable: the sockets to write to.
    ///   - deadline: the end of the wait; nil waits forever.
    ///   - interrupt: also ends the wait, and takes precedence.
    package static func wait(
        readable: [Int32] = [], writable: [Int32] = [], until deadline: ContinuousClock.Instant?,
        _ interrupt: Interrupt?
    ) -> (outcome: Readiness, ready: Set<Int32>) {
        var polled = readable.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        polled += writable.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
        if let interrupt { polled.append(pollfd(fd: interrupt.number, events: Int16(POLLIN), revents: 0)) }
        while true {
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero { return (.timedOut, []) }
            let count = poll(&polled, nfds_t(polled.count), left.map(milliseconds) ?? -1)
            // A signal interrupted the wait, or it ended a fraction of a millisecond early.
            guard count > 0 else { continue }
            if let interrupt, polled.contains(where: { $0.fd == interrupt.number && $0.revents != 0 }) {
                return (.interrupted, [])
            }
            return (.ready, Set(polled.filter { $0.revents != 0 }.map(\.fd)))
        }
    }

    /// Whether a socket is currently writable, or has failed.
    package static func isWritable(_ number: Int32) -> Bool {
        var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(min(seconds, 86_400)) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
