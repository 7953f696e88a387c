// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

package import Netlink
package import NetworkState
import Synchronization

/// Serves every scheduled target of a network state source with one subscription.
///
/// It keeps its members, and therefore their targets, until they are removed. It is not a `Broadcaster`, because a
/// state concerns only the members whose lookups have different answers: of hundreds, usually none or a few.
package final class ReachabilityHub: Sendable {
    fileprivate struct Registration {
        let member: ScheduledWatch
        var lookups: Set<RouteLookup>
        /// Whether it must receive a state with the answers to its lookups, even if that state is not new.
        ///
        /// A state that the member has read itself may lie between two changes, and the source never publishes it.
        var isWaiting = true
    }

    fileprivate struct State {
        var registrations: [ObjectIdentifier: Registration] = [:]
        /// The members that need each lookup.
        var membersByLookup: [RouteLookup: Set<ObjectIdentifier>] = [:]
        var evaluated: EvaluatedSnapshot?
        var subscription: HostSubscription?
        var isSubscribing = false
        /// Distinguishes updates of the current subscription from those of earlier ones.
        var subscriptionNumber: UInt64 = 0
        var isUpdatingSource = false
        var mustUpdateSource = false
        var pool: NamespaceLookupPool?
    }

    private let state = Mutex(State())
    private let source: any NetworkStateSource
    private let everything: @Sendable (Set<RouteLookup>) -> NetworkSnapshot
    private let answers: @Sendable (Set<RouteLookup>, [NetworkInterface]) -> [RouteLookup: RouteAnswer]?
    private let lookup: NameLookup

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - source: publishes changes of the network.
    ///   - everything: reads the current state, with the answers to some lookups of hosts.
    ///   - answers: reads only the answers; nil if they cannot be read alone.
    ///   - lookup: resolves names.
    package init(
        source: any NetworkStateSource, everything: @escaping @Sendable (Set<RouteLookup>) -> NetworkSnapshot,
        answers: @escaping @Sendable (Set<RouteLookup>, [NetworkInterface]) -> [RouteLookup: RouteAnswer]?,
        lookup: @escaping NameLookup
    ) {
        self.source = source
        self.everything = everything
        self.answers = answers
        self.lookup = lookup
    }

    /// Reads the current state, with the answers to these lookups.
    func readNow(_ lookups: Set<RouteLookup>) -> EvaluatedSnapshot { EvaluatedSnapshot(everything(lookups)) }

    /// Returns the last state, or the current one if no state is known yet, with fresh answers to these lookups.
    ///
    /// Use it only for members: the hub will notify them of anything that the last state does not contain yet.
    func readAnswers(_ lookups: Set<RouteLookup>) -> EvaluatedSnapshot {
        guard let evaluated = state.withLock({ $0.evaluated }),
            let answers = answers(lookups, evaluated.snapshot.interfaces)
        else {
            return readNow(lookups)
        }
        var snapshot = evaluated.snapshot
        snapshot.hosts = answers
        return EvaluatedSnapshot(snapshot, after: evaluated)
    }

    // MARK: Members

    /// Adds a member.
    ///
    /// It soon receives the current state, and then every difference.
    func add(_ member: ScheduledWatch) {
        let mustSubscribe = state.withLock { state in
            state.registrations[ObjectIdentifier(member)] = Registration(member: member, lookups: [])
            let mustSubscribe = state.subscription == nil && !state.isSubscribing
            if mustSubscribe { state.beginSubscribing() }
            return mustSubscribe
        }
        if mustSubscribe { subscribe() }
        updateLookups(of: member)
    }

    /// Removes a member; a state that is being delivered may still reach it.
    func remove(_ member: ScheduledWatch) {
        let (isLast, subscription, pool) = state.withLock { state in
            state.replaceLookups(of: member, for: [])
            state.registrations[ObjectIdentifier(member)] = nil
            guard state.registrations.isEmpty else {
                return (false, nil as HostSubscription?, nil as NamespaceLookupPool?)
            }
            defer {
                state.subscription = nil
                state.pool = nil
                state.evaluated = nil
            }
            return (true, state.subscription, state.pool)
        }
        subscription?.cancel()
        if !isLast { updateSource() }
        // If this releases the pool, it does so outside the lock.
        withExtendedLifetime(pool) {}
    }

    /// Updates the lookups of a member; a state with the answers follows soon.
    func updateLookups(of member: ScheduledWatch) {
        state.withLock { state in
            state.replaceLookups(of: member, for: member.lookups)
            state.registrations[ObjectIdentifier(member)]?.isWaiting = true
        }
        updateSource()
    }

    /// Resolves a name for a member.
    ///
    /// The first call must come from a thread of the hub's network namespace.
    func resolve(_ name: RawHostName, _ completion: @escaping NamespaceLookupPool.Completion) {
        let pool = state.withLock { state -> NamespaceLookupPool? in
            if state.pool == nil, !state.registrations.isEmpty { state.pool = NamespaceLookupPool(lookup) }
            return state.pool
        }
        pool?.resolve(name, completion)
    }

    // MARK: The source

    private func subscribe() {
        while true {
            let number = state.withLock { $0.subscriptionNumber }
            // The source keeps the hub alive while there are members.
            let subscription = source.subscribe(watching: []) { self.receive($0.state, number) }
            let isWanted = state.withLock { state in
                state.isSubscribing = false
                guard !state.registrations.isEmpty else { return false }
                state.subscription = subscription
                return true
            }
            if isWanted {
                updateSource()
                return
            }
            subscription.cancel()
            let mustSubscribe = state.withLock { state in
                guard !state.registrations.isEmpty, state.subscription == nil, !state.isSubscribing else {
                    return false
                }
                state.beginSubscribing()
                return true
            }
            guard mustSubscribe else { return }
        }
    }

    /// Passes the current lookups to the source, one call at a time and always the newest.
    private func updateSource() {
        let mustUpdate = state.withLock { state in
            state.mustUpdateSource = true
            defer { state.isUpdatingSource = true }
            return !state.isUpdatingSource
        }
        guard mustUpdate else { return }
        while let (subscription, lookups) = state.withLock({ $0.nextForSource() }) {
            subscription?.watch(lookups)
        }
    }

    private func receive(_ evaluated: EvaluatedSnapshot, _ subscriptionNumber: UInt64) {
        // Updates come one at a time, so that only the removal of the last member can change the state meanwhile.
        let old = state.withLock { $0.evaluated }
        let lookups = evaluated.lookupsThatDiffer(from: old)
        let (members, pool) = state.withLock { state -> ([ScheduledWatch], NamespaceLookupPool?) in
            guard state.subscriptionNumber == subscriptionNumber, !state.registrations.isEmpty else { return ([], nil) }
            let pool = old.map(evaluated.resolvesAlike) ?? true ? nil : state.pool
            state.evaluated = evaluated
            return (state.members(concernedBy: lookups, in: evaluated), pool)
        }
        pool?.networkChanged()
        for member in members { member.receive(evaluated) }
    }
}

extension ReachabilityHub.State {
    fileprivate mutating func beginSubscribing() {
        isSubscribing = true
        subscriptionNumber += 1
    }

    /// Adds a member's new lookups to the index and removes its old ones.
    fileprivate mutating func replaceLookups(
        of member: ScheduledWatch, for lookups: Set<RouteLookup>
    ) {
        guard let old = registrations[ObjectIdentifier(member)]?.lookups, old != lookups else { return }
        registrations[ObjectIdentifier(member)]?.lookups = lookups
        for lookup in lookups.subtracting(old) {
            membersByLookup[lookup, default: []].insert(ObjectIdentifier(member))
        }
        for lookup in old.subtracting(lookups) {
            membersByLookup[lookup]?.remove(ObjectIdentifier(member))
            if membersByLookup[lookup]?.isEmpty == true { membersByLookup[lookup] = nil }
        }
    }

    /// Returns the members to notify of a state: those waiting for one, and those with a changed lookup; nil means all.
    fileprivate mutating func members(
        concernedBy lookups: [RouteLookup]?, in evaluated: EvaluatedSnapshot
    ) -> [ScheduledWatch] {
        var concerned: Set<ObjectIdentifier> = []
        for (identifier, registration) in registrations
        where registration.isWaiting && evaluated.answers(registration.lookups) {
            registrations[identifier]?.isWaiting = false
            concerned.insert(identifier)
        }
        guard let lookups else { return registrations.values.map(\.member) }
        for lookup in lookups { concerned.formUnion(membersByLookup[lookup] ?? []) }
        return concerned.compactMap { registrations[$0]?.member }
    }

    /// Returns the next lookups to pass to the source; nil, which ends the passing, if the source has the newest ones.
    fileprivate mutating func nextForSource() -> (HostSubscription?, Set<RouteLookup>)? {
        guard mustUpdateSource else {
            isUpdatingSource = false
            return nil
        }
        mustUpdateSource = false
        return (subscription, Set(membersByLookup.keys))
    }
}

#endif
