//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// What the kernel source's thread does: read, publish, wait, and again, until nobody is left.
///
/// It publishes as soon as the socket is drained, with no timer in between. When the sockets fail it opens new ones, at
/// growing intervals, and says so when that lasts.
struct KernelLoop {
    /// What the loop needs of its source.
    protocol Owner: AnyObject {
        /// Wakes the loop when somebody comes or goes; nil while no descriptor can be had.
        var wakeEvent: WakeEvent? { get }
        /// The hosts that somebody watches.
        var watched: SubscriberList.Watched { get }
        /// Counts those in who have come; what is told from now on is no older than that. False when nobody is left: the
        /// loop must end.
        func admitSubscribers() -> Bool
        /// Tells everybody, if this differs from the last.
        func publish(_ snapshot: NetworkSnapshot)
        /// Tells the last state to those who have not been told any.
        func greetSubscribers()
    }

    let owner: any Owner
    var pace = KernelPace()
    var resolverFiles = ResolverWatch.Files()

    /// Failures in a row after which the source says that it cannot see, when it has seen before.
    private static let toleratedFailures = 3

    func run() {
        var failures = 0
        var hasSeen = false
        while owner.admitSubscribers() {
            do throws(NetlinkError) {
                try watch { (failures, hasSeen) = (0, true) }
                return
            } catch {
                failures += 1
                if !hasSeen || failures >= Self.toleratedFailures {
                    owner.publish(NetworkSnapshot(visibility: .unavailable(because: error)))
                    owner.greetSubscribers()
                }
                let wait = min(pace.firstRetry * Double(1 << min(failures - 1, 16)), pace.longestRetry)
                _ = Readiness.wait(for: [owner.wakeEvent?.number ?? -1], seconds: wait)
                owner.wakeEvent?.clear()
            }
        }
    }

    /// One life of the sockets.
    ///
    /// Returns when nobody is left; throws when the sockets fail.
    private func watch(onSuccess: () -> Void) throws(NetlinkError) {
        var session = try KernelSession(pace: pace, resolverFiles: resolverFiles)
        while owner.admitSubscribers() {
            session.watch(owner.watched)
            if let snapshot = try session.refresh() {
                owner.publish(snapshot)
                onSuccess()
            }
            owner.greetSubscribers()
            try session.wait(orUntil: owner.wakeEvent)
        }
    }
}
#endif
