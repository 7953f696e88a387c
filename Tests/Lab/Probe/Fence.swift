// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NetworkState
import Synchronization

/// Waits until the library has handled everything that the kernel has announced so far.
///
/// It makes two changes that no path depends on, adding and deleting a loopback address, and waits until each is
/// published. Whatever was published before the second has been handed to every monitor's queue.
final class Fence {
    private static let address = "127.93.17.5"
    private let seen = Seen()
    private var subscription: UpdateSubscription?

    private final class Seen: Sendable {
        let isThere = Mutex(false)
        let news = DispatchSemaphore(value: 0)
    }

    func pass(seconds: Double = 10) throws {
        if subscription == nil {
            subscription = KernelSource.shared().subscribe { [seen] update in
                let isThere = update.snapshot.interfaces.contains { link in
                    link.addresses.contains { "\($0.address)" == Self.address }
                }
                seen.isThere.withLock { $0 = isThere }
                seen.news.signal()
            }
        }
        try Shell.run("ip addr add \(Self.address)/32 dev lo")
        try wait(for: true, seconds)
        try Shell.run("ip addr del \(Self.address)/32 dev lo")
        try wait(for: false, seconds)
    }

    private func wait(for isThere: Bool, _ seconds: Double) throws {
        let end = DispatchTime.now() + seconds
        while seen.isThere.withLock({ $0 }) != isThere {
            guard seen.news.wait(timeout: end) == .success else { throw Failure("the library has stopped listening") }
        }
    }
}
