// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// The subscribers, the hosts that each one watches, and which of them still need the current state.
///
/// It is a value: its owner guards it with a lock. It is not a `Broadcaster`, because whether a subscriber receives a
/// state depends on the hosts that it watches and on whether the state was read after it subscribed, and because each
/// update refers to the subscriber's last one.
struct SubscriberList {
    typealias Receive = @Sendable (NetworkUpdate) -> Void
    /// A call to a subscriber, ready to run.
    typealias Delivery = @Sendable () -> Void

    private struct Subscriber {
        let identifier: UInt64
        let receive: Receive
        /// The hosts that it watches; nil if it does not watch individual hosts.
        var hosts: Set<RouteLookup>?
        /// Whether it must receive even an unchanged state, because it has subscribed or replaced its hosts.
        var wait = Wait.early
        /// Whether it has received any state.
        var hasReceived = false
    }

    private enum Wait {
        /// It waits for no particular state, only for changes.
        case none
        /// It waits, but the state being read now may be older than its subscription.
        case early
        /// It waits for the next greeting or publication.
        case admitted
    }

    /// The hosts that subscribers watch, and a version that changes with them.
    struct Watched {
        var hosts: Set<RouteLookup> = []
        var version: UInt64 = 0
    }

    /// Sorted by identifier.
    private var subscribers: [Subscriber] = []
    private var lastIdentifier: UInt64 = 0
    private(set) var latest: EvaluatedSnapshot?
    private(set) var watched = Watched()

    var isEmpty: Bool { subscribers.isEmpty }

    mutating func add(watching hosts: Set<RouteLookup>? = nil, _ receive: @escaping Receive) -> UInt64 {
        lastIdentifier += 1
        subscribers.append(Subscriber(identifier: lastIdentifier, receive: receive, hosts: hosts))
        if let hosts { watch(hosts, instead: []) }
        return lastIdentifier
    }

    /// Admits subscribers that were added or changed: the next state published is recent enough for them.
    mutating func admit() {
        for place in subscribers.indices where subscribers[place].wait == .early {
            subscribers[place].wait = .admitted
        }
    }

    /// Removes a subscriber.
    ///
    /// - Returns: its closure, to be released outside the lock: it may hold the last reference to an object that cancels
    ///   another subscription.
    @discardableResult
    mutating func remove(_ identifier: UInt64) -> Receive? {
        guard let place = place(of: identifier) else { return nil }
        let removed = subscribers.remove(at: place)
        if let hosts = removed.hosts { watch([], instead: hosts) }
        return removed.receive
    }

    private func place(of identifier: UInt64) -> Int? { subscribers.firstIndex { $0.identifier == identifier } }

    /// Replaces the hosts that a subscriber watches; it then receives the state again.
    mutating func change(_ identifier: UInt64, watching hosts: Set<RouteLookup>) {
        guard let place = place(of: identifier), let old = subscribers[place].hosts else { return }
        subscribers[place].hosts = hosts
        subscribers[place].wait = .early
        watch(hosts, instead: old)
    }

    private mutating func watch(_ new: Set<RouteLookup>, instead old: Set<RouteLookup>) {
        let before = watched.hosts.count
        watched.hosts.formUnion(new)
        let isLarger = watched.hosts.count != before
        let unwatched = old.subtracting(new).filter { host in
            !subscribers.contains { $0.hosts?.contains(host) == true }
        }
        watched.hosts.subtract(unwatched)
        if isLarger || !unwatched.isEmpty { watched.version += 1 }
    }

    /// Forgets the state, so that a later subscriber waits for a new one.
    mutating func forget() { latest = nil }

    /// Returns the calls that bring new subscribers up to date, to be run outside the lock.
    mutating func firstUpdates() -> [Delivery] {
        guard let latest else { return [] }
        return deliveries(of: latest, after: nil, isNewState: false, areHostsChanged: false)
    }

    /// Returns the calls that publish a new state, to be run outside the lock; none if it equals the last one.
    ///
    /// A subscriber that does not watch hosts is not notified of changes that only concern hosts.
    mutating func publish(_ published: EvaluatedSnapshot) -> [Delivery] {
        let old = latest
        latest = published
        let isNewState = old.map { !$0.snapshot.differsOnlyInHosts(from: published.snapshot) } ?? true
        let hosts = published.snapshot.hosts
        let areHostsChanged = !hosts.isEmpty && hosts.contains { old?.snapshot.hosts[$0.key] != $0.value }
        return deliveries(of: published, after: old, isNewState: isNewState, areHostsChanged: areHostsChanged)
    }

    mutating func publish(_ snapshot: NetworkSnapshot) -> [Delivery] {
        publish(EvaluatedSnapshot(snapshot, after: latest))
    }

    private mutating func deliveries(
        of published: EvaluatedSnapshot, after old: EvaluatedSnapshot?, isNewState: Bool, areHostsChanged: Bool
    ) -> [Delivery] {
        guard isNewState || areHostsChanged || subscribers.contains(where: { $0.wait == .admitted }) else {
            return []
        }
        var deliveries: [Delivery] = []
        for place in subscribers.indices {
            let isWatching = subscribers[place].hosts != nil
            let hadReceived = subscribers[place].hasReceived
            // A waiting subscriber gets a state that answers all of its lookups.
            let isAwaited =
                subscribers[place].wait == .admitted
                && subscribers[place].hosts?.allSatisfy { published.snapshot.knows($0) } ?? true
            guard isAwaited || hadReceived && (isNewState || areHostsChanged && isWatching) else { continue }
            if isAwaited { subscribers[place].wait = .none }
            subscribers[place].hasReceived = true
            let receive = subscribers[place].receive
            let update = NetworkUpdate(published, after: hadReceived ? old : nil)
            deliveries.append { receive(update) }
        }
        return deliveries
    }
}

extension NetworkSnapshot {
    /// Returns whether the snapshot answers a lookup, or never will.
    fileprivate func knows(_ question: RouteLookup) -> Bool {
        if case .unavailable = visibility { return true }
        return hosts[question] != nil
    }
}

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
