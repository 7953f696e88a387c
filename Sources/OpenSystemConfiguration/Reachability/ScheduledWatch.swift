// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
import NetworkState
import Synchronization

/// One period in which a target is scheduled: connects the hub, the state machine, and the delivery of callouts.
///
/// The hub keeps it alive until it ends, and it keeps the target alive.
final class ScheduledWatch: Sendable {
    private struct State {
        var machine: WatchMachine?
        /// The newest state received from the hub.
        var newest: EvaluatedSnapshot?
        var isEnded = false
        var timer: OneShotTimer?
    }

    let target: SCNetworkReachability
    let delivery: any CalloutDelivery
    private let hub: ReachabilityHub
    private let pace: ResolutionPace
    private let state = Mutex(State())

    init(
        _ target: SCNetworkReachability, _ hub: ReachabilityHub, _ pace: ResolutionPace, _ delivery: any CalloutDelivery
    ) {
        self.target = target
        self.hub = hub
        self.pace = pace
        self.delivery = delivery
    }

    /// Begins: reads the current state on the calling thread; changes are relative to it.
    ///
    /// Then it joins the hub, which soon delivers a state that is no older.
    func begin() {
        let evaluated = hub.readAnswers(target.destination.lookupsAtFirst)
        let begun = WatchMachine.begin(target.destination, in: evaluated, pace: pace)
        let isWanted = state.withLock { state in
            if !state.isEnded { state.machine = begun.machine }
            return !state.isEnded
        }
        guard isWanted else { return }
        hub.add(self)
        perform(begun.actions)
        if state.withLock({ $0.isEnded }) { hub.remove(self) }
    }

    /// Reads the answers to the current lookups on the calling thread.
    private func read() {
        let before = state.withLock { $0.newest }
        let evaluated = hub.readAnswers(lookups)
        change { machine, newest in
            let actions = machine.receive(evaluated)
            // A state received from the hub meanwhile is newer.
            guard let newest, newest !== before else { return actions }
            return actions + machine.receive(newest)
        }
    }

    /// Ends the watch; a callout in progress completes, and no further one begins.
    func end() {
        let timer = state.withLock { state in
            state.isEnded = true
            state.machine = nil
            defer { state.timer = nil }
            return state.timer
        }
        withExtendedLifetime(timer) {}
        delivery.end()
        hub.remove(self)
    }

    /// Returns the last known flags; nil while they are still being read.
    func readFlags() -> SCNetworkReachabilityFlags? {
        state.withLock { $0.machine?.readFlags() }
    }

    /// Requests a callout with the current flags, because the client was missing when they changed.
    func requestCallout() { change { machine, _ in machine.requestCallout() } }

    // MARK: For the hub

    /// The lookups that the kernel should run for this target.
    var lookups: Set<RouteLookup> {
        state.withLock { $0.machine?.lookups } ?? target.destination.lookupsAtFirst
    }

    /// Receives a state that differs for this target.
    ///
    /// Calls come in order, one at a time, outside any lock.
    func receive(_ evaluated: EvaluatedSnapshot) {
        state.withLock { $0.newest = evaluated }
        change { machine, _ in machine.receive(evaluated) }
    }

    // MARK: Actions

    private func perform(_ actions: [WatchMachine.Action]) {
        for action in actions {
            switch action {
            case .callOut: delivery.request { [weak self] in self?.callOut() }
            case .watch: hub.updateLookups(of: self)
            case .read: read()
            case .resolve(let lookup): resolve(lookup)
            case .resolveAfter(let seconds, let lookup): resolve(after: seconds, lookup)
            }
        }
    }

    private func resolve(_ lookup: UInt64) {
        guard case .name(let name) = target.destination else { return }
        hub.resolve(name) { [weak self] answer in
            self?.change { machine, _ in machine.receive(answer, to: lookup) }
        }
    }

    private func resolve(after seconds: Double, _ lookup: UInt64) {
        let timer = OneShotTimer(after: seconds) { [weak self] in
            self?.change { machine, _ in machine.resolveAgain(after: lookup) }
        }
        let unneeded = state.withLock { state in
            // Another thread may have stored the timer of a later resolution.
            guard state.machine?.lookup == lookup else { return timer as OneShotTimer? }
            defer { state.timer = timer }
            return state.timer
        }
        // It is released outside the lock.
        withExtendedLifetime(unneeded) {}
    }

    /// Changes the machine, passing it the newest state of the hub as well, and performs the resulting actions.
    private func change(_ body: (inout WatchMachine, EvaluatedSnapshot?) -> [WatchMachine.Action]) {
        let actions = state.withLock { state -> [WatchMachine.Action] in
            guard var machine = state.machine else { return [] }
            defer { state.machine = machine }
            return body(&machine, state.newest)
        }
        perform(actions)
    }

    /// Calls the client, on the queue or run loop on which the target is scheduled, if a callout is still due.
    private func callOut() {
        guard let flags = state.withLock({ $0.machine?.dequeueCallout() }) else { return }
        target.callOut(flags)
    }
}

extension Destination {
    /// The lookups to run before a name has been resolved.
    var lookupsAtFirst: Set<RouteLookup> {
        if case .name(let name) = self { return lookups(name.wellKnownAddresses ?? []) }
        return lookups([])
    }
}

#endif
