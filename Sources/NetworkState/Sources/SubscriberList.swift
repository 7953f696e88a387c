//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// Who has subscribed, to what, and who has yet to get the current state.
///
/// A value: its owner guards it.
struct SubscriberList {
    typealias Receive = @Sendable (NetworkUpdate) -> Void
    /// One call to a subscriber, ready to be made.
    typealias Delivery = @Sendable () -> Void

    private struct Subscriber {
        let receive: Receive
        /// Which hosts it watches; nil for one who does not care about single hosts.
        var hosts: Set<RouteLookup>?
        /// It is told the state even if that is not new: because it has come, or watches other hosts.
        var wait = Wait.early
        /// It has been told a state.
        var isTold = false
    }

    private enum Wait {
        /// For nothing: it hears of changes.
        case none
        /// A state is being read that may be older than what it knows.
        case early
        /// For the next greeting or publication.
        case admitted
    }

    /// The hosts that anybody watches, and a number that differs whenever they do.
    struct Watched {
        var hosts: Set<RouteLookup> = []
        var version: UInt64 = 0
    }

    private var subscribers: [UInt64: Subscriber] = [:]
    private var lastIdentifier: UInt64 = 0
    private(set) var latest: NetworkSnapshot?
    private(set) var watched = Watched()

    var isEmpty: Bool { subscribers.isEmpty }

    mutating func add(watching hosts: Set<RouteLookup>? = nil, _ receive: @escaping Receive) -> UInt64 {
        lastIdentifier += 1
        subscribers[lastIdentifier] = Subscriber(receive: receive, hosts: hosts)
        if let hosts { watch(hosts, instead: []) }
        return lastIdentifier
    }

    /// From now on those count who have been added or changed: what is published next is no older than that.
    mutating func admit() {
        for (identifier, subscriber) in subscribers where subscriber.wait == .early {
            subscribers[identifier]?.wait = .admitted
        }
    }

    mutating func remove(_ identifier: UInt64) {
        guard let subscriber = subscribers.removeValue(forKey: identifier) else { return }
        if let hosts = subscriber.hosts { watch([], instead: hosts) }
    }

    /// Replaces the hosts that a subscriber watches, which will be told the state again.
    mutating func change(_ identifier: UInt64, watching hosts: Set<RouteLookup>) {
        guard let old = subscribers[identifier]?.hosts else { return }
        subscribers[identifier]?.hosts = hosts
        subscribers[identifier]?.wait = .early
        watch(hosts, instead: old)
    }

    private mutating func watch(_ new: Set<RouteLookup>, instead old: Set<RouteLookup>) {
        let before = watched.hosts.count
        let dropped = old.subtracting(new)
        watched.hosts.formUnion(new)
        if !dropped.isEmpty {
            watched.hosts = subscribers.values.reduce(into: []) { $0.formUnion($1.hosts ?? []) }
        }
        if !dropped.isEmpty || watched.hosts.count != before { watched.version += 1 }
    }

    /// Forgets the state: a later subscriber waits for a new one.
    mutating func forget() { latest = nil }

    /// The calls that bring newcomers up to date, to be made outside the lock.
    mutating func greetings() -> [Delivery] {
        guard let latest else { return [] }
        return deliveries(of: latest, after: nil, isNewWorld: false, isNewsOfHosts: false)
    }

    /// The calls that tell of a new state, to be made outside the lock; none when it equals the last.
    ///
    /// Who does not watch hosts does not hear of news that are only about hosts.
    mutating func publish(_ snapshot: NetworkSnapshot) -> [Delivery] {
        let old = latest
        latest = snapshot
        let isNewWorld = !(old?.differsOnlyInHosts(from: snapshot) ?? false)
        let isNewsOfHosts = snapshot.hosts.contains { old?.hosts[$0.key] != $0.value }
        return deliveries(of: snapshot, after: old, isNewWorld: isNewWorld, isNewsOfHosts: isNewsOfHosts)
    }

    private mutating func deliveries(
        of snapshot: NetworkSnapshot, after old: NetworkSnapshot?, isNewWorld: Bool, isNewsOfHosts: Bool
    ) -> [Delivery] {
        guard isNewWorld || isNewsOfHosts || subscribers.values.contains(where: { $0.wait == .admitted }) else {
            return []
        }
        let first = NetworkUpdate(snapshot, after: nil)
        let change = NetworkUpdate(snapshot, after: old)
        var deliveries: [Delivery] = []
        for (identifier, subscriber) in subscribers.sorted(by: { $0.key < $1.key }) {
            let receive = subscriber.receive
            // Who waits gets a state with an answer to each of its questions.
            let isAnswered = subscriber.hosts?.allSatisfy { snapshot.knows($0) } ?? true
            let isAwaited = subscriber.wait == .admitted && isAnswered
            let isNews = subscriber.isTold && (isNewWorld || (isNewsOfHosts && subscriber.hosts != nil))
            guard isAwaited || isNews else { continue }
            if isAwaited { subscribers[identifier]?.wait = .none }
            subscribers[identifier]?.isTold = true
            let update = subscriber.isTold ? change : first
            deliveries.append { receive(update) }
        }
        return deliveries
    }
}

extension NetworkSnapshot {
    /// Whether there is an answer to a question, or no hope of one.
    fileprivate func knows(_ question: RouteLookup) -> Bool {
        if case .unavailable = visibility { return true }
        return hosts[question] != nil
    }
}
