//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink

/// What one scheduled target knows, and when it must say so.
///
/// A pure state machine: worlds and the resolver's answers come in, actions go out, to be performed in order and outside
/// any lock.
struct WatchMachine {
    /// What is to be done.
    enum Action: Hashable {
        /// Have the callout run, where the target is scheduled.
        case callOut
        /// Ask the resolver; the answer comes with this number.
        case resolve(UInt64)
        /// Ask the resolver again after some seconds, unless something else does before.
        case resolveAfter(Double, UInt64)
        /// Read the answers to what `questions` says now.
        case read
        /// Have it watched; a world with the answers comes then.
        case watch
    }

    private enum Names {
        /// The destination is no name, or one that needs no resolver.
        case none
        case asking(known: [HostAddress]?)
        /// The resolver has answered; the kernel has yet to say where packets to the addresses go.
        case found([HostAddress], known: [HostAddress]?)
        case known([HostAddress])
    }

    private let destination: Destination
    private let pace: ResolutionPace
    private var names: Names
    private var lookup: UInt64 = 0
    private var failures = 0
    private var world: World
    private(set) var reachability: Reachability
    private var isFirstCalloutDue = false
    private var isChangeDue = false
    private var isCalloutRequested = false

    /// Begins with what was read when the target was scheduled.
    ///
    /// A name is asked for, and its first callout is due whatever happens; other targets only tell of changes.
    static func begin(
        _ destination: Destination, in world: World, pace: ResolutionPace = ResolutionPace()
    ) -> (machine: WatchMachine, actions: [Action]) {
        var machine = WatchMachine(destination, world, pace)
        var actions: [Action] = []
        if case .name = destination {
            machine.isFirstCalloutDue = true
            machine.isCalloutRequested = true
            actions.append(.callOut)
        }
        if case .asking = machine.names { actions.append(machine.ask()) }
        return (machine, actions)
    }

    private init(_ destination: Destination, _ world: World, _ pace: ResolutionPace) {
        self.destination = destination
        self.world = world
        self.pace = pace
        names = .none
        if case .name(let name) = destination, name.wellKnownAddresses == nil { names = .asking(known: nil) }
        reachability = Reachability()
        reachability = evaluation ?? Reachability()
    }

    /// What the kernel is to be asked about.
    var questions: Set<RouteLookup> {
        if case .name(let name) = destination, let wellKnown = name.wellKnownAddresses {
            return destination.questions(wellKnown)
        }
        return switch names {
        case .none, .asking(known: nil): destination.questions([])
        case .asking(let known?), .known(let known): destination.questions(known)
        case .found(let new, let known): destination.questions(new + (known ?? []))
        }
    }

    /// Takes in a newer world.
    mutating func receive(_ world: World) -> [Action] {
        let mustAsk = !world.resolvesAlike(self.world)
        self.world = world
        var actions: [Action] = []
        if mustAsk {
            failures = 0
            switch names {
            case .none: break
            case .asking: actions.append(ask())
            case .found(_, let known):
                names = .asking(known: known)
                actions.append(ask())
            case .known(let known):
                // What is known holds until the new answer is there.
                names = .asking(known: known)
                actions.append(ask())
            }
        }
        return actions + accept() + settle()
    }

    /// Takes in the resolver's answer, unless another question has been asked meanwhile.
    mutating func receive(_ answer: NameAnswer, to lookup: UInt64) -> [Action] {
        guard lookup == self.lookup, case .asking(let known) = names else { return [] }
        failures = answer == .temporaryFailure ? failures + 1 : 0
        let next = Action.resolveAfter(pace.wait(afterFailures: failures), lookup)
        if answer == .temporaryFailure, let known, !known.isEmpty {
            // Nobody has said that the name lost its addresses: they hold until somebody does.
            names = .known(known)
            return [next]
        }
        names = .found(answer.addresses, known: known)
        // Only what has been watched until now can be judged by what has come until now.
        let isWatched = Set(answer.addresses).isSubset(of: known ?? [])
        return isWatched ? [next] + accept() + settle() : [.read, .watch, next]
    }

    /// The wait after an answer is over.
    mutating func askAgain(after lookup: UInt64) -> [Action] {
        guard lookup == self.lookup else { return [] }
        switch names {
        case .none, .asking: return []
        case .found(_, let known): names = .asking(known: known)
        case .known(let known): names = .asking(known: known)
        }
        return [ask()]
    }

    /// The flags for the caller of `SCNetworkReachabilityGetFlags`, who then needs no first callout any more.
    mutating func readFlags() -> SCNetworkReachabilityFlags {
        isFirstCalloutDue = false
        return reachability.flags
    }

    /// The flags for the callout that runs now; nil when there is nothing to say any more.
    mutating func takeCallout() -> SCNetworkReachabilityFlags? {
        isCalloutRequested = false
        guard isFirstCalloutDue || isChangeDue else { return nil }
        isFirstCalloutDue = false
        isChangeDue = false
        return reachability.flags
    }

    /// The flags are to be told, as they are when that happens: they have changed, or were told to nobody.
    mutating func requestCallout() -> [Action] {
        isChangeDue = true
        guard !isCalloutRequested else { return [] }
        isCalloutRequested = true
        return [.callOut]
    }

    private mutating func ask() -> Action {
        lookup += 1
        return .resolve(lookup)
    }

    /// Found addresses count once the kernel has said where packets to them go.
    private mutating func accept() -> [Action] {
        guard case .found(let new, let known) = names,
            TargetEvaluator(world: world).evaluate(destination, .resolved(new)) != nil
        else { return [] }
        names = .known(new)
        return known.map { $0 != new } ?? false ? [.watch] : []
    }

    private var evaluation: Reachability? {
        let name: TargetEvaluator.NameState =
            switch names {
            case .none: .unscheduled
            case .asking(known: nil), .found(_, known: nil): .pending
            case .asking(let known?), .found(_, let known?), .known(let known): .resolved(known)
            }
        return TargetEvaluator(world: world).evaluate(destination, name)
    }

    /// Judges anew; while the kernel has not answered everything, nothing changes.
    private mutating func settle() -> [Action] {
        guard let new = evaluation, new != reachability else { return [] }
        reachability = new
        return requestCallout()
    }
}

#endif
