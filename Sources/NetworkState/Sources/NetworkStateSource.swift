//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// Where snapshots come from: the live kernel, a recording, or a script.
///
/// Every source gives a subscriber the current state first, as soon as there is one, and then each change once, in order.
public protocol NetworkStateSource: AnyObject, Sendable {
    /// Subscribes.
    ///
    /// - Parameter receive: called for the current state and for each change, one call at a time, outside any lock. It must
    ///   not take long: others wait for it.
    /// - Returns: what ends the subscription, also when it is released.
    func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> NetworkStateSubscription

    /// Subscribes, and has the kernel asked where packets to certain hosts go: see `NetworkSnapshot.hosts`.
    ///
    /// The first update has all those answers, and each change of one is an update.
    ///
    /// - Parameters:
    ///   - hosts: the questions, which can be replaced later.
    ///   - receive: as for `subscribe(_:)`.
    /// - Returns: what takes other questions, and ends the subscription, also when it is released.
    func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription
}

extension NetworkStateSource {
    /// Subscribes to a source that knows about hosts what it knows, whoever asks.
    public func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription {
        let subscription = subscribe(receive)
        return HostSubscription(onWatch: { _ in }, onCancel: { subscription.cancel() })
    }
}

/// One publication of a source.
public struct NetworkUpdate: Sendable {
    /// The state.
    public let snapshot: NetworkSnapshot
    /// What changed since the last publication; nothing in a subscriber's first.
    public let delta: SnapshotDelta

    init(_ snapshot: NetworkSnapshot, after old: NetworkSnapshot?) {
        self.snapshot = snapshot
        delta = SnapshotDelta(from: old, to: snapshot)
    }
}

/// Keeps a subscription alive.
public final class NetworkStateSubscription: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Makes a subscription that ends by calling this.
    ///
    /// It may be called more than once.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the subscription.
    ///
    /// A call that has begun may still run to its end.
    public func cancel() { onCancel() }
}
