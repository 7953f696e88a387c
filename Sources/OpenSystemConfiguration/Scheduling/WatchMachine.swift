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

    private enum Names {
        /// The destination is not a name, or is a name that needs no resolver.
        case none
        case resolving(known: [NetworkAddress]?)
        /// The resolver has answered, but the kernel has not yet looked up the routes to the addresses.
        case found([NetworkAddress], known: [NetworkAddress]?)
        case known([NetworkAddress])
    }

    private let destination: Destination
    private let pace: ResolutionPace
    private var names: Names
    private var lookup: UInt64 = 0
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
        if case .resolving = machine.names { actions.append(machine.startResolution()) }
        return (machine, actions)
    }

    private init(_ destination: Destination, _ evaluated: EvaluatedSnapshot, _ pace: ResolutionPace) {
        self.destination = destination
        self.evaluated = evaluated
        self.pace = pace
        retries = ExponentialBackoff(first: pace.firstRetry, longest: pace.longestRetry)
        names = .none
        if case .name(let name) = destination, name.wellKnownAddresses == nil { names = .resolving(known: nil) }
        reachability = Reachability()
        reachability = evaluation ?? Reachability()
    }

    /// The lookups that the kernel should run.
    var lookups: Set<RouteLookup> {
        if case .name(let name) = destination, let wellKnown = name.wellKnownAddresses {
            return destination.lookups(wellKnown)
        }
        return switch names {
        case .none, .resolving(known: nil): destination.lookups([])
        case .resolving(let known?), .known(let known): destination.lookups(known)
        case .found(let new, let known): destination.lookups(new + (known ?? []))
        }
    }

    /// Receives a newer state.
    mutating func receive(_ evaluated: EvaluatedSnapshot) -> [Action] {
        let mustAsk = !evaluated.resolvesAlike(self.evaluated)
        self.evaluated = evaluated
        var actions: [Action] = []
        if mustAsk {
            retries.succeed()
            switch names {
            case .none: break
            case .resolving: actions.append(startResolution())
            case .found(_, let known):
                names = .resolving(known: known)
                actions.append(startResolution())
            case .known(let known):
                // The known addresses stay valid until the new answer arrives.
                names = .resolving(known: known)
                actions.append(startResolution())
            }
        }
        return actions + acceptAddresses() + reevaluate()
    }

    /// Receives the resolver's answer, unless another resolution has started meanwhile.
    mutating func receive(_ answer: NameAnswer, to lookup: UInt64) -> [Action] {
        guard lookup == self.lookup, case .resolving(let known) = names else { return [] }
        let hasFailed = answer == .temporaryFailure
        if !hasFailed { retries.succeed() }
        let next = Action.resolveAfter(hasFailed ? retries.fail() : pace.refresh, lookup)
        if hasFailed, let known, !known.isEmpty {
            // The resolver has not said that the name lost its addresses: they stay valid until it does.
            names = .known(known)
            return [next]
        }
        names = .found(answer.addresses, known: known)
        // The states received so far only cover the addresses that were watched so far.
        let isWatched = Set(answer.addresses).isSubset(of: known ?? [])
        return isWatched ? [next] + acceptAddresses() + reevaluate() : [.read, .watch, next]
    }

    /// Handles the end of the pause after an answer.
    mutating func resolveAgain(after lookup: UInt64) -> [Action] {
        guard lookup == self.lookup else { return [] }
        switch names {
        case .none, .resolving: return []
        case .found(_, let known): names = .resolving(known: known)
        case .known(let known): names = .resolving(known: known)
        }
        return [startResolution()]
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
        lookup += 1
        return .resolve(lookup)
    }

    /// Accepts the resolved addresses once the kernel has looked up the routes to them.
    private mutating func acceptAddresses() -> [Action] {
        guard case .found(let new, let known) = names,
            TargetEvaluator(evaluated: evaluated).evaluate(destination, .resolved(new)) != nil
        else { return [] }
        names = .known(new)
        return known.map { $0 != new } ?? false ? [.watch] : []
    }

    private var evaluation: Reachability? {
        let name: TargetEvaluator.NameState =
            switch names {
            case .none: .unscheduled
            case .resolving(known: nil), .found(_, known: nil): .pending
            case .resolving(let known?), .found(_, let known?), .known(let known): .resolved(known)
            }
        return TargetEvaluator(evaluated: evaluated).evaluate(destination, name)
    }

    /// Evaluates the target again; until the kernel has answered every lookup, nothing changes.
    private mutating func reevaluate() -> [Action] {
        guard let new = evaluation, new != reachability else { return [] }
        reachability = new
        return requestCallout()
    }
}

#endif
