// SPDX-License-Identifier: Apache-2.0

import Glibc
import Netlink
import NetlinkTesting
import Synchronization

/// Records when the kernel announces a change, independently of the library; latencies are measured from there.
final class KernelListener: Sendable {
    private let moments = Mutex<[UInt64]>([])

    /// Announcements at most this far apart belong to one change, in nanoseconds.
    private static let togetherness: UInt64 = 15_000_000
    /// The maximum time between a change and a delivery that it causes, in nanoseconds.
    private static let longestEffect: UInt64 = 2_000_000_000

    init() {
        var thread = pthread_t()
        let listener = Unmanaged.passRetained(self)
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<KernelListener>.fromOpaque(argument).takeUnretainedValue().listen() }
                return nil
            }, listener.toOpaque())
    }

    private func listen() {
        guard var events = try? NetlinkSubscription(MulticastGroup.routing) else { return }
        while true {
            var polled = pollfd(fd: events.descriptorNumber, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, -1) > 0 else { continue }
            let now = Moment.now
            moments.withLock { $0.append(now) }
            _ = try? events.drain { _, _ in }
        }
    }

    /// When the change began whose effect was seen at a given time: the time of the first in the series of announcements just
    /// before it; nil if there was none.
    func beginning(ofChangeSeenAt moment: UInt64) -> UInt64? {
        moments.withLock { moments in
            let before = moments.filter { $0 <= moment && moment - $0 < Self.longestEffect }
            guard var first = before.last else { return nil }
            for earlier in before.reversed() {
                if first - earlier > Self.togetherness { break }
                first = earlier
            }
            return first
        }
    }
}
