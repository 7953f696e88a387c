// SPDX-License-Identifier: Apache-2.0

package import Netlink
@_exported public import NetworkModel

/// A source of snapshots: the live kernel, a recording, or a script.
///
/// Every source delivers the current state first, as soon as it is known, and then each change once, in order.
package protocol NetworkStateSource: AnyObject, Sendable {
    /// Subscribes to the network state.
    ///
    /// - Parameter receive: called for the current state and for each change, one call at a time, outside any lock. It
    ///   must return quickly, because other subscribers wait for it.
    /// - Returns: the subscription, which ends when it is cancelled or released.
    func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> UpdateSubscription

    /// Subscribes to the network state, and watches where packets to some hosts go: see `NetworkSnapshot.hosts`.
    ///
    /// The first update contains all those answers, and each change of one causes an update.
    ///
    /// - Parameters:
    ///   - hosts: the lookups, which can be replaced later.
    ///   - receive: as for `subscribe(_:)`.
    /// - Returns: the subscription, which can replace the lookups, and ends when it is cancelled or released.
    func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription
}

extension NetworkStateSource {
    /// Subscribes to a source that does not look up hosts on request.
    package func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription {
        let subscription = subscribe(receive)
        return HostSubscription(onWatch: { _ in }, onCancel: { subscription.cancel() })
    }
}

/// One update that a source publishes.
public struct NetworkUpdate: Sendable {
    /// The state of the network.
    public var snapshot: NetworkSnapshot { state.snapshot }
    /// The state with its paths and routes, which all subscribers share.
    package let state: EvaluatedSnapshot
    /// The state of the last publication; nil in a subscriber's first update.
    package let old: EvaluatedSnapshot?

    init(_ state: EvaluatedSnapshot, after old: EvaluatedSnapshot?) {
        self.state = state
        self.old = old
    }
}
