//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Ends the waits of threads in poll(2), now and from now on.
package final class Interrupt: Sendable {
    private let watched: SocketDescriptor
    private let other: SocketDescriptor

    package init() throws(SocketFailure) {
        (watched, other) = try Sockets.connectedPair()
    }

    /// Readable once the interrupt is raised.
    package var number: Int32 { watched.number }

    package func raise() {
        // The end of the other side stays readable, however many threads look.
        Sockets.endBothWays(other)
    }
}

/// What a wait came to.
package enum Readiness: Sendable {
    case ready, timedOut, interrupted
}

package enum Polling {
    /// Waits until one of the sockets is ready or has failed.
    ///
    /// - Parameters:
    ///   - readable: those to read from; negative numbers are ignored.
    ///   - writable: those to write to.
    ///   - deadline: nil waits for ever.
    ///   - interrupt: ends the wait, too, and comes first.
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
            // Interrupted by a signal, or early by a fraction of a millisecond.
            guard count > 0 else { continue }
            if let interrupt, polled.contains(where: { $0.fd == interrupt.number && $0.revents != 0 }) {
                return (.interrupted, [])
            }
            return (.ready, Set(polled.filter { $0.revents != 0 }.map(\.fd)))
        }
    }

    /// Whether a socket can be written, or has failed, at this moment.
    package static func isWritable(_ number: Int32) -> Bool {
        var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(min(seconds, 86_400)) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
