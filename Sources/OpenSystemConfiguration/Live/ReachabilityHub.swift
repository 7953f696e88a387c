//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

package import Netlink
package import NetworkState
import Synchronization

/// Serves every scheduled target of one source of network state: one subscription, one judgement of each state for all.
///
/// It keeps its members, and with them their targets, until they leave.
package final class ReachabilityHub: Sendable {
    /// Somebody who wants to hear of each world that differs in something for it.
    protocol Member: AnyObject, Sendable {
        /// What the kernel is to be asked for it.
        var questions: Set<RouteLookup> { get }
        /// Takes in a world that differs for it; they come in order, one at a time, outside any lock.
        func receive(_ world: World)
    }

    fileprivate struct Seat {
        let member: any Member
        var questions: Set<RouteLookup>
        /// It has to be told a world with the answers to its questions, even if that is not new.
        ///
        /// What it has read by itself may be a state between two changes that the source never tells of.
        var isWaiting = true
    }

    fileprivate struct State {
        var seats: [ObjectIdentifier: Seat] = [:]
        /// Which members ask each question.
        var askers: [RouteLookup: Set<ObjectIdentifier>] = [:]
        var world: World?
        var subscription: HostSubscription?
        var isSubscribing = false
        /// Tells one subscription's updates from those of the next.
        var subscriptionNumber: UInt64 = 0
        var isTellingSource = false
        var mustTellSource = false
        var pool: ResolverPool?
    }

    private let state = Mutex(State())
    private let source: any NetworkStateSource
    private let read: Read
    private let lookup: NameLookup

    /// Reads the network at this moment.
    package struct Read: Sendable {
        /// The state, with the answers to some questions about hosts.
        package var everything: @Sendable (Set<RouteLookup>) -> NetworkSnapshot
        /// Only the answers; nil when they cannot be had.
        package var answers: @Sendable (Set<RouteLookup>) -> [RouteLookup: RouteAnswer]?

        package init(
            everything: @escaping @Sendable (Set<RouteLookup>) -> NetworkSnapshot,
            answers: @escaping @Sendable (Set<RouteLookup>) -> [RouteLookup: RouteAnswer]?
        ) {
            self.everything = everything
            self.answers = answers
        }
    }

    /// Makes a hub.
    ///
    /// - Parameters:
    ///   - source: what tells of changes.
    ///   - read: reads the network.
    ///   - lookup: resolves names.
    package init(
        source: any NetworkStateSource, read: Read, lookup: @escaping NameLookup
    ) {
        self.source = source
        self.read = read
        self.lookup = lookup
    }

    /// The world of this moment, with the answers to these questions.
    func readNow(_ questions: Set<RouteLookup>) -> World { World(read.everything(questions)) }

    /// The last world, or where there is none yet that of this moment, with the answers of this moment to these questions.
    ///
    /// Only for members, who will be told what the last world does not have yet.
    func readAnswers(_ questions: Set<RouteLookup>) -> World {
        guard let world = state.withLock({ $0.world }), let answers = read.answers(questions) else {
            return readNow(questions)
        }
        var snapshot = world.snapshot
        snapshot.hosts = answers
        return World(snapshot, after: world)
    }

    // MARK: Members

    /// Adds a member, which hears soon of the present world, and then of every difference.
    func add(_ member: any Member) {
        let mustSubscribe = state.withLock { state in
            state.seats[ObjectIdentifier(member)] = Seat(member: member, questions: [])
            let mustSubscribe = state.subscription == nil && !state.isSubscribing
            if mustSubscribe { state.beginSubscribing() }
            return mustSubscribe
        }
        if mustSubscribe { subscribe() }
        updateQuestions(of: member)
    }

    /// Removes a member; a world on its way may still reach it.
    func remove(_ member: any Member) {
        let (isLast, subscription, pool) = state.withLock { state in
            state.exchangeQuestions(of: member, for: [])
            state.seats[ObjectIdentifier(member)] = nil
            guard state.seats.isEmpty else { return (false, nil as HostSubscription?, nil as ResolverPool?) }
            defer {
                state.subscription = nil
                state.pool = nil
                state.world = nil
            }
            return (true, state.subscription, state.pool)
        }
        subscription?.cancel()
        if !isLast { tellSource() }
        // The pool, if it ends here, ends outside the lock.
        withExtendedLifetime(pool) {}
    }

    /// Takes over what a member asks now; a world with the answers comes soon.
    func updateQuestions(of member: any Member) {
        state.withLock { state in
            state.exchangeQuestions(of: member, for: member.questions)
            state.seats[ObjectIdentifier(member)]?.isWaiting = true
        }
        tellSource()
    }

    /// Resolves a name for a member.
    ///
    /// The first use must come from a thread of the network namespace concerned.
    func resolve(_ name: HostName, _ completion: @escaping ResolverPool.Completion) {
        let pool = state.withLock { state -> ResolverPool? in
            if state.pool == nil, !state.seats.isEmpty { state.pool = ResolverPool(lookup) }
            return state.pool
        }
        pool?.resolve(name, completion)
    }

    // MARK: The source

    private func subscribe() {
        while true {
            let number = state.withLock { $0.subscriptionNumber }
            // The source keeps the hub while there are members.
            let subscription = source.subscribe(watching: []) { self.receive($0.snapshot, number) }
            let isWanted = state.withLock { state in
                state.isSubscribing = false
                guard !state.seats.isEmpty else { return false }
                state.subscription = subscription
                return true
            }
            if isWanted {
                tellSource()
                return
            }
            subscription.cancel()
            let mustSubscribe = state.withLock { state in
                guard !state.seats.isEmpty, state.subscription == nil, !state.isSubscribing else { return false }
                state.beginSubscribing()
                return true
            }
            guard mustSubscribe else { return }
        }
    }

    /// Tells the source which questions there are: one call at a time, and always the newest.
    private func tellSource() {
        let mustTell = state.withLock { state in
            state.mustTellSource = true
            defer { state.isTellingSource = true }
            return !state.isTellingSource
        }
        guard mustTell else { return }
        while let (subscription, questions) = state.withLock({ $0.nextForSource() }) {
            subscription?.watch(questions)
        }
    }

    private func receive(_ snapshot: NetworkSnapshot, _ subscriptionNumber: UInt64) {
        // Updates come one at a time: nobody else replaces the world meanwhile, but for the last member who leaves.
        let old = state.withLock { $0.world }
        let world = World(snapshot, after: old)
        let questions = world.questionsThatDiffer(from: old)
        let (members, pool) = state.withLock { state -> ([any Member], ResolverPool?) in
            guard state.subscriptionNumber == subscriptionNumber else { return ([], nil) }
            let pool = old.map(world.resolvesAlike) ?? true ? nil : state.pool
            state.world = world
            return (state.members(concernedBy: questions, in: world), pool)
        }
        pool?.networkChanged()
        for member in members { member.receive(world) }
    }
}

extension ReachabilityHub.State {
    fileprivate mutating func beginSubscribing() {
        isSubscribing = true
        subscriptionNumber += 1
    }

    /// Counts a member's new questions in and its old ones out.
    fileprivate mutating func exchangeQuestions(
        of member: any ReachabilityHub.Member, for questions: Set<RouteLookup>
    ) {
        guard let old = seats[ObjectIdentifier(member)]?.questions, old != questions else { return }
        seats[ObjectIdentifier(member)]?.questions = questions
        for question in questions.subtracting(old) {
            askers[question, default: []].insert(ObjectIdentifier(member))
        }
        for question in old.subtracting(questions) {
            askers[question]?.remove(ObjectIdentifier(member))
            if askers[question]?.isEmpty == true { askers[question] = nil }
        }
    }

    /// Who is to be told of a world: who waits for one, and who asks one of the questions that differ; nil is everybody.
    fileprivate mutating func members(
        concernedBy questions: [RouteLookup]?, in world: World
    ) -> [any ReachabilityHub.Member] {
        var concerned: Set<ObjectIdentifier> = []
        for (identifier, seat) in seats where seat.isWaiting && world.answers(seat.questions) {
            seats[identifier]?.isWaiting = false
            concerned.insert(identifier)
        }
        guard let questions else { return seats.values.map(\.member) }
        for question in questions { concerned.formUnion(askers[question] ?? []) }
        return concerned.compactMap { seats[$0]?.member }
    }

    /// What the source is to be told; nil, and the telling is over, when it knows everything.
    fileprivate mutating func nextForSource() -> (HostSubscription?, Set<RouteLookup>)? {
        guard mustTellSource else {
            isTellingSource = false
            return nil
        }
        mustTellSource = false
        return (subscription, Set(askers.keys))
    }
}

#endif
