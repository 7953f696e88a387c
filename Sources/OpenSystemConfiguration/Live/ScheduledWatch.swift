//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink
import Synchronization

/// One period in which a target is scheduled: joins the hub, the state machine, and where callouts run.
///
/// The hub keeps it, and it keeps the target, until it ends.
final class ScheduledWatch: ReachabilityHub.Member {
    private struct State {
        var machine: WatchMachine?
        /// The newest world that came from the hub.
        var hubWorld: World?
        var isEnded = false
        var timer: RetryTimer?
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

    /// Begins: reads the present state on the calling thread, against which changes count.
    ///
    /// After that the hub is joined, which soon tells a state that is no older.
    func begin() {
        let world = hub.readAnswers(target.destination.questionsAtFirst)
        let begun = WatchMachine.begin(target.destination, in: world, pace: pace)
        let isWanted = state.withLock { state in
            if !state.isEnded { state.machine = begun.machine }
            return !state.isEnded
        }
        guard isWanted else { return }
        hub.add(self)
        perform(begun.actions)
        if state.withLock({ $0.isEnded }) { hub.remove(self) }
    }

    /// Reads the answers to the present questions on the calling thread.
    private func read() {
        let before = state.withLock { $0.hubWorld }
        let world = hub.readAnswers(questions)
        change { machine, newest in
            let actions = machine.receive(world)
            // What the hub has told meanwhile is newer.
            guard let newest, newest !== before else { return actions }
            return actions + machine.receive(newest)
        }
    }

    /// Ends; a callout that has begun completes, none begins.
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

    /// The last known flags; nil while they are still being read.
    func readFlags() -> SCNetworkReachabilityFlags? {
        state.withLock { $0.machine?.readFlags() }
    }

    /// Has the client called with the flags as they are: it was not there when they changed.
    func requestCallout() { change { machine, _ in machine.requestCallout() } }

    // MARK: ReachabilityHub.Member

    var questions: Set<RouteLookup> {
        state.withLock { $0.machine?.questions } ?? target.destination.questionsAtFirst
    }

    func receive(_ world: World) {
        state.withLock { $0.hubWorld = world }
        change { machine, _ in machine.receive(world) }
    }

    // MARK: Actions

    private func perform(_ actions: [WatchMachine.Action]) {
        for action in actions {
            switch action {
            case .callOut: delivery.request { [weak self] in self?.callOut() }
            case .watch: hub.updateQuestions(of: self)
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
        let timer = RetryTimer(after: seconds) { [weak self] in
            self?.change { machine, _ in machine.askAgain(after: lookup) }
        }
        let old = state.withLock { state in
            defer { if !state.isEnded { state.timer = timer } }
            return state.timer
        }
        // It ends outside the lock.
        withExtendedLifetime(old) {}
    }

    /// Changes the machine, given also the newest world of the hub, and performs what follows.
    private func change(_ body: (inout WatchMachine, World?) -> [WatchMachine.Action]) {
        let actions = state.withLock { state -> [WatchMachine.Action] in
            guard var machine = state.machine else { return [] }
            defer { state.machine = machine }
            return body(&machine, state.hubWorld)
        }
        perform(actions)
    }

    /// Where the target is scheduled: tells the client, if there still is something to tell.
    private func callOut() {
        guard let flags = state.withLock({ $0.machine?.takeCallout() }) else { return }
        target.callOut(flags)
    }
}

extension Destination {
    /// The questions before anything is known about a name.
    var questionsAtFirst: Set<RouteLookup> {
        if case .name(let name) = self { return questions(name.wellKnownAddresses ?? []) }
        return questions([])
    }
}

#endif
