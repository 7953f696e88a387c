// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// A subscription that watches hosts; the hosts can be replaced.
public final class HostSubscription: Sendable {
    private let onWatch: @Sendable (Set<RouteLookup>) -> Void
    private let onCancel: @Sendable () -> Void

    /// Creates a subscription from its two operations.
    ///
    /// `onCancel` may be called more than once.
    public init(
        onWatch: @escaping @Sendable (Set<RouteLookup>) -> Void, onCancel: @escaping @Sendable () -> Void
    ) {
        self.onWatch = onWatch
        self.onCancel = onCancel
    }

    deinit { onCancel() }

    /// Replaces the lookups.
    ///
    /// A later update contains the answers to all of them and is no older than this call, even if nothing has changed.
    public func watch(_ hosts: Set<RouteLookup>) { onWatch(hosts) }

    /// Ends the subscription.
    ///
    /// A call in progress may still run to its end.
    public func cancel() { onCancel() }
}
