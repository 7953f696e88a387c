//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// Keeps a subscription alive that watches hosts, and says which.
public final class HostSubscription: Sendable {
    private let onWatch: @Sendable (Set<RouteLookup>) -> Void
    private let onCancel: @Sendable () -> Void

    /// Makes a subscription of these two calls.
    ///
    /// The second may be made more than once.
    public init(
        onWatch: @escaping @Sendable (Set<RouteLookup>) -> Void, onCancel: @escaping @Sendable () -> Void
    ) {
        self.onWatch = onWatch
        self.onCancel = onCancel
    }

    deinit { onCancel() }

    /// Replaces the questions.
    ///
    /// A later update has the answers to all of them, and is no older than this call, also when nothing has changed.
    public func watch(_ hosts: Set<RouteLookup>) { onWatch(hosts) }

    /// Ends the subscription.
    ///
    /// A call that has begun may still run to its end.
    public func cancel() { onCancel() }
}
