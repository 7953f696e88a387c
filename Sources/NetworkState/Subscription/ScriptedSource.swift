// SPDX-License-Identifier: Apache-2.0

public import Netlink
import SystemSupport

/// A source that publishes the states it is given: for tests, demonstrations, and other observers of a network.
public final class ScriptedSource: NetworkStateSource {
    private let subscribers: Mutex<SubscriberList>
    private let queue = DeliveryQueue<SubscriberList.Delivery>()
    private let answer: Answer?

    /// Looks up a host in a state.
    package typealias Answer = @Sendable (RouteLookup, NetworkSnapshot) -> RouteAnswer

    /// Creates a source.
    ///
    /// - Parameter snapshot: the state until the first `publish`; nil means that it is not known yet.
    public convenience init(_ snapshot: NetworkSnapshot? = nil) { self.init(snapshot, answer: nil) }

    /// Creates a source that looks up the hosts that its subscribers watch.
    ///
    /// - Parameters:
    ///   - snapshot: the state until the first `publish`; nil means that it is not known yet.
    ///   - answer: looks up a host, quickly and without using the source. It replaces the hosts of each state; nil keeps
    ///     them.
    package init(_ snapshot: NetworkSnapshot? = nil, answer: Answer?) {
        self.answer = answer
        var subscribers = SubscriberList()
        if let snapshot { _ = subscribers.publish(snapshot) }
        self.subscribers = Mutex(subscribers)
    }

    /// Sets the state, and notifies every subscriber if it differs from the last one.
    ///
    /// Returns when all have been notified, unless another call is in progress: then that one delivers this state.
    public func publish(_ snapshot: NetworkSnapshot) {
        deliver { $0.publish(answered(snapshot, $0.watched.hosts)) }
    }

    /// Subscribes to the state; see `NetworkStateSource`.
    ///
    /// The closure is called on the thread that publishes or subscribes.
    package func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> UpdateSubscription {
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
    /// A host that is neither in the state nor looked up has no answer yet.
    package func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription {
        let identifier = subscribers.withLock { $0.add(watching: hosts, receive) }
        deliver { admit(&$0) }
        return HostSubscription(
            onWatch: { [weak self] hosts in
                self?.deliver { subscribers in
                    subscribers.change(identifier, watching: hosts)
                    return self?.admit(&subscribers) ?? []
                }
            },
            onCancel: { [weak self] in
                _ = self?.subscribers.withLock { $0.remove(identifier) }
            })
    }

    /// Whether there are subscribers.
    package var isObserved: Bool { subscribers.withLock { !$0.isEmpty } }

    /// The lookups of all subscribers together.
    public var watchedHosts: Set<RouteLookup> { subscribers.withLock { $0.watched.hosts } }

    /// Admits new subscribers, and returns the calls that bring them up to date.
    private func admit(_ subscribers: inout SubscriberList) -> [SubscriberList.Delivery] {
        subscribers.admit()
        guard answer != nil, let latest = subscribers.latest?.snapshot else { return subscribers.firstUpdates() }
        return subscribers.publish(answered(latest, subscribers.watched.hosts))
    }

    /// Returns a state with the answers to these lookups, if the source looks up hosts.
    private func answered(_ snapshot: NetworkSnapshot, _ lookups: Set<RouteLookup>) -> NetworkSnapshot {
        guard let answer else { return snapshot }
        var snapshot = snapshot
        let hosts = lookups.map { ($0, answer($0, snapshot)) }
        snapshot.hosts = Dictionary(uniqueKeysWithValues: hosts)
        return snapshot
    }

    private func deliver(_ calls: @Sendable (inout SubscriberList) -> [SubscriberList.Delivery]) {
        subscribers.withLock { queue.append(contentsOf: calls(&$0)) }
        queue.drain { $0() }
    }
}
