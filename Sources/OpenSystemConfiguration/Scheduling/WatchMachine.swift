// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
import NetworkState
import SystemSupport

/// The state of one scheduled target; decides when its callback is due.
///
/// A pure state machine: it receives network states and the resolver's answers, and returns actions to be performed in
/// order, outside any lock.
struct WatchMachine {
    /// An action for the owner to perform.
    enum Action: Hashable {
        /// Request a callout, on the queue or run loop on which the target is scheduled.
        case callOut
        /// Resolve the name; the answer carries this number.
        case resolve(UInt64)
        /// Resolve the name again after some seconds, unless something else triggers that before.
        case resolveAfter(Double, UInt64)
        /// Read the answers to the current `lookups`.
        case read
        /// Update the lookups that the hub watches; a state with the answers follows.
        case watch
    }

    private struct Name {
        /// The addresses in use, which stay valid until a newer answer replaces them; nil before the first one.
        var known: [NetworkAddress]?
        /// The resolver's answer, until the kernel has looked up the routes to its addresses.
        var found: [NetworkAddress]?
        var isResolving = true
    }

    private let destination: Destination
    private let pace: ResolutionPace
    /// Nil if the destination is not a name, or is a name that needs no resolver.
    private var name: Name?
    /// The number of the last resolution.
    private(set) var lookup: UInt64 = 0
    private var retries: ExponentialBackoff
    private var evaluated: EvaluatedSnapshot
    private(set) var reachability: Reachability
    private var isFirstCalloutDue = false
    private var isChangeDue = false
    private var isCalloutRequested = false

    /// Begins with the state that was read when the target was scheduled.
    ///
    /// A name is resolved, and its first callout is due in any case; other targets only report changes.
    static func begin(
        _ destination: Destination, in evaluated: EvaluatedSnapshot, pace: ResolutionPace = ResolutionPace()
    ) -> (machine: WatchMachine, actions: [Action]) {
        var machine = WatchMachine(destination, evaluated, pace)
        var actions: [Action] = []
        if case .name = destination {
            machine.isFirstCalloutDue = true
            machine.isCalloutRequested = true
            actions.append(.callOut)
        }
        if machine.name != nil { actions.append(machine.startResolution()) }
        return (machine, actions)
    }

    private init(_ destination: Destination, _ evaluated: EvaluatedSnapshot, _ pace: ResolutionPace) {
        self.destination = destination
        self.evaluated = evaluated
        self.pace = pace
        retries = ExponentialBackoff(first: pace.firstRetry, longest: pace.longestRetry)
        if case .name(let host) = destination, host.wellKnownAddresses == nil { name = Name() }
        reachability = Reachability()
        reachability = evaluation ?? Reachability()
    }

    /// The lookups that the kernel should run.
    var lookups: Set<RouteLookup> {
        guard let name else { return destination.lookupsAtFirst }
        return destination.lookups((name.found ?? []) + (name.known ?? []))
    }

    /// Receives a newer state.
    mutating func receive(_ evaluated: EvaluatedSnapshot) -> [Action] {
        let mustAsk = !evaluated.resolvesAlike(self.evaluated)
        self.evaluated = evaluated
        if mustAsk { retries.succeed() }
        let query = mustAsk && name != nil ? [startResolution()] : []
        return query + acceptAddresses() + reevaluate()
    }

    /// Receives the resolver's answer, unless another resolution has started meanwhile.
    mutating func receive(_ answer: NameAnswer, to lookup: UInt64) -> [Action] {
        guard lookup == self.lookup, name?.isResolving == true else { return [] }
        name?.isResolving = false
        let hasFailed = answer == .temporaryFailure
        if !hasFailed { retries.succeed() }
        let next = Action.resolveAfter(hasFailed ? retries.fail() : pace.refresh, lookup)
        let known = name?.known ?? []
        // After a failure the resolver has not said that the name lost its addresses: they stay valid until it does.
        if hasFailed, !known.isEmpty { return [next] }
        name?.found = answer.addresses
        // The states received so far only cover the addresses that were watched so far.
        let isWatched = Set(answer.addresses).isSubset(of: known)
        return isWatched ? [next] + acceptAddresses() + reevaluate() : [.read, .watch, next]
    }

    /// Handles the end of the pause after an answer.
    mutating func resolveAgain(after lookup: UInt64) -> [Action] {
        lookup == self.lookup && name?.isResolving == false ? [startResolution()] : []
    }

    /// Returns the flags for a caller of `SCNetworkReachabilityGetFlags`, which makes the first callout unnecessary.
    mutating func readFlags() -> SCNetworkReachabilityFlags {
        isFirstCalloutDue = false
        return reachability.flags
    }

    /// Returns the flags for the callout that is running now; nil if no callout is due anymore.
    mutating func dequeueCallout() -> SCNetworkReachabilityFlags? {
        isCalloutRequested = false
        guard isFirstCalloutDue || isChangeDue else { return nil }
        isFirstCalloutDue = false
        isChangeDue = false
        return reachability.flags
    }

    /// Requests a callout, with the flags that are current when it runs: they changed, or there was no client.
    mutating func requestCallout() -> [Action] {
        isChangeDue = true
        guard !isCalloutRequested else { return [] }
        isCalloutRequested = true
        return [.callOut]
    }

    private mutating func startResolution() -> Action {
        name?.found = nil
        name?.isResolving = true
        lookup += 1
        return .resolve(lookup)
    }

    /// Accepts the resolved addresses once the kernel has looked up the routes to them.
    private mutating func acceptAddresses() -> [Action] {
        guard let name, let new = name.found,
            TargetEvaluator(evaluated: evaluated).evaluate(destination, .resolved(new)) != nil
        else { return [] }
        self.name = Name(known: new, isResolving: false)
        return name.known.map { $0 != new } ?? false ? [.watch] : []
    }

    private var evaluation: Reachability? {
        let state = name.map { $0.known.map(TargetEvaluator.NameState.resolved) ?? .pending } ?? .unscheduled
        return TargetEvaluator(evaluated: evaluated).evaluate(destination, state)
    }

    /// Evaluates the target again; until the kernel has answered every lookup, nothing changes.
    private mutating func reevaluate() -> [Action] {
        guard let new = evaluation, new != reachability else { return [] }
        reachability = new
        return requestCallout()
    }
}

#endif
