// SPDX-License-Identifier: Apache-2.0

public import Netlink
import Synchronization
import SystemSupport

/// A source that publishes the states it is given: for tests, demonstrations, and other observers of a network.
public final class ScriptedSource: NetworkStateSource {
    private let subscribers: Mutex<SubscriberList>
    private let queue = DeliveryQueue<SubscriberList.Delivery>()

    /// Creates a source.
    ///
    /// - Parameter snapshot: the state until the first `publish`; nil means that it is not known yet.
    public init(_ snapshot: NetworkSnapshot? = nil) {
        var subscribers = SubscriberList()
        if let snapshot { _ = subscribers.publish(snapshot) }
        self.subscribers = Mutex(subscribers)
    }

    /// Sets the state, and notifies every subscriber if it differs from the last one.
    ///
    /// Returns when all have been notified, unless another call is in progress: then that one delivers this state.
    public func publish(_ snapshot: NetworkSnapshot) {
        deliver { $0.publish(snapshot) }
    }

    /// Subscribes to the state; see `NetworkStateSource`.
    ///
    /// The closure is called on the thread that publishes or subscribes.
    public func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> UpdateSubscription {
        let identifier = subscribers.withLock { $0.add(receive) }
        deliver { subscribers in
            subscribers.admit()
            return subscribers.firstUpdates()
        }
        return UpdateSubscription { [weak self] in
            _ = self?.subscribers.withLock { $0.remove(identifier) }
        }
    }

    /// Subscribes to the state and watches hosts; see `NetworkStateSource`.
    ///
    /// A host that the script does not contain has no answer yet.
    public func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription {
        let identifier = subscribers.withLock { $0.add(watching: hosts, receive) }
        deliver { subscribers in
            subscribers.admit()
            return subscribers.firstUpdates()
        }
        return HostSubscription(
            onWatch: { [weak self] hosts in
                self?.deliver { subscribers in
                    subscribers.change(identifier, watching: hosts)
                    subscribers.admit()
                    return subscribers.firstUpdates()
                }
            },
            onCancel: { [weak self] in
                _ = self?.subscribers.withLock { $0.remove(identifier) }
            })
    }

    /// The lookups of all subscribers together.
    public var watchedHosts: Set<RouteLookup> { subscribers.withLock { $0.watched.hosts } }

    private func deliver(_ calls: @Sendable (inout SubscriberList) -> [SubscriberList.Delivery]) {
        subscribers.withLock { queue.append(contentsOf: calls(&$0)) }
        queue.drain { $0() }
    }
}
