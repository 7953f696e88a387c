//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import OrderedDelivery
import Synchronization

extension ConnectivityMonitor {
    /// Something to do outside the lock.
    enum Job: Sendable {
        case action(MachineAction, run: UInt64)
        case deliver(Connectivity, @Sendable (Connectivity) -> Void)
        case resume(CheckedContinuation<Connectivity, Never>, Connectivity)
    }

    /// The work from a start to a rest.
    struct Run: Sendable {
        let number: UInt64
        var machine: ConnectivityMachine
        var subscription: PathSubscription?
        var check: Task<Void, Never>?
        var cancelTimer: MonitorTime.Cancellation?
        var cancelClockWatch: MonitorTime.Cancellation?

        /// Ends what is under way; to be called outside the lock.
        func end() {
            subscription?.cancel()
            check?.cancel()
            cancelTimer?()
            cancelClockWatch?()
        }
    }

    /// What the lock guards.
    struct State: Sendable {
        var run: Run?
        var isStarted = false
        var isSuspended = false
        var observers: [UInt64: Observer] = [:]
        var waits: [UInt64: CheckedContinuation<Connectivity, Never>] = [:]
        /// Waits that were cancelled before they began.
        var abandonedWaits: Set<UInt64> = []
        /// What is to be done, in order, by one thread at a time.
        var outbox = Outbox<Job>()
        private var lastIdentifier: UInt64 = 0

        struct Observer: Sendable {
            let receive: @Sendable (Connectivity) -> Void
        }
    }

    /// Takes a path from the source.
    func receive(_ path: NetworkPath, run number: UInt64) {
        let identity = path.status == .satisfied ? identifier?.identity(of: path) : nil
        process(.path(path, identity), run: number)
    }

    /// Hands an input to the machine, and does what it asks for.
    ///
    /// - Parameters:
    ///   - input: what happened.
    ///   - number: in which run; nil for whichever there is.
    func process(_ input: MachineInput, run number: UInt64? = nil) {
        let moment = time.now
        deliver { $0.process(input, at: moment, run: number) }
    }

    /// Changes the state, and then empties the outbox, unless somebody is at it already.
    func deliver(_ change: (inout sending State) -> Void) {
        let mustDeliver = state.withLock { state in
            change(&state)
            return state.outbox.mustBeEmptied()
        }
        guard mustDeliver else { return }
        while let jobs = state.withLock({ $0.outbox.takeAll() }) {
            for job in jobs { perform(job) }
        }
    }

    private func perform(_ job: Job) {
        switch job {
        case .deliver(let connectivity, let receive): receive(connectivity)
        case .resume(let continuation, let connectivity): continuation.resume(returning: connectivity)
        case .action(.publish, _): break
        case .action(.startCheck(let generation, let path), let run): startCheck(generation, over: path, run: run)
        case .action(.cancelCheck, let run):
            let check = state.withLock { $0.run?.number == run ? $0.run?.check : nil }
            check?.cancel()
        case .action(.setTimer(let elapsed), let run): setTimer(elapsed, run: run)
        }
    }

    private func startCheck(_ generation: UInt64, over path: NetworkPath, run number: UInt64) {
        guard let checker else { return }
        let task = Task.detached { [weak self, identifier] in
            let report = await checker.check(over: path)
            guard !Task.isCancelled else { return }
            let identity = identifier?.identity(of: path)
            self?.process(.checkFinished(generation: generation, report, identity), run: number)
        }
        let isWanted = state.withLock { state in
            guard state.run?.number == number else { return false }
            state.run?.check = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    private func setTimer(_ elapsed: Duration?, run number: UInt64) {
        let cancel = elapsed.map { elapsed in
            time.call(at: elapsed) { [weak self] in self?.process(.timerFired, run: number) }
        }
        let outdated = state.withLock { state -> MonitorTime.Cancellation? in
            guard state.run?.number == number else { return cancel }
            defer { state.run?.cancelTimer = cancel }
            return state.run?.cancelTimer
        }
        outdated?()
    }

    func wait(
        _ continuation: CheckedContinuation<Connectivity, Never>, _ identifier: UInt64, after outcome: ReportedOutcome?
    ) {
        let moment = time.now
        deliver { state in
            if let outcome { state.process(.reported(outcome), at: moment, run: nil) }
            let isAbandoned = state.abandonedWaits.contains(identifier)
            guard state.run != nil, !isAbandoned else {
                let value = state.run?.machine.connectivity ?? .unknown(at: moment.wall)
                state.outbox.put(.resume(continuation, value))
                return
            }
            state.waits[identifier] = continuation
            state.process(.checkRequested, at: moment, run: nil)
        }
    }
}

extension ConnectivityMonitor.State {
    /// Whether somebody wants the monitor to watch.
    var isNeeded: Bool { isStarted || !observers.isEmpty }

    mutating func nextIdentifier() -> UInt64 {
        lastIdentifier += 1
        return lastIdentifier
    }

    mutating func begin(_ machine: ConnectivityMachine) -> UInt64 {
        let number = nextIdentifier()
        run = ConnectivityMonitor.Run(number: number, machine: machine)
        return number
    }

    mutating func process(_ input: MachineInput, at moment: MonitorTime.Moment, run number: UInt64?) {
        guard let current = run?.number, number == nil || number == current else { return }
        for action in run?.machine.handle(input, at: moment) ?? [] {
            guard case .publish(let connectivity) = action else {
                outbox.put(.action(action, run: current))
                continue
            }
            for observer in observers.sorted(by: { $0.key < $1.key }) {
                outbox.put(.deliver(connectivity, observer.value.receive))
            }
        }
        if let machine = run?.machine, machine.hasFirstValue, !machine.isVerifying {
            endAllWaits(with: machine.connectivity)
        }
    }

    mutating func add(_ receive: @escaping @Sendable (Connectivity) -> Void, _ identifier: UInt64) {
        observers[identifier] = Observer(receive: receive)
        // The first value comes to all by `publish`; who is late gets the latest.
        guard let machine = run?.machine, machine.hasFirstValue else { return }
        outbox.put(.deliver(machine.connectivity, receive))
    }

    mutating func endWait(_ identifier: UInt64, at wall: Date) {
        guard let continuation = waits.removeValue(forKey: identifier) else {
            abandonedWaits.insert(identifier)
            return
        }
        outbox.put(.resume(continuation, run?.machine.connectivity ?? .unknown(at: wall)))
    }

    mutating func endAllWaits(with connectivity: Connectivity) {
        for wait in waits.sorted(by: { $0.key < $1.key }) { outbox.put(.resume(wait.value, connectivity)) }
        waits = [:]
    }
}

extension Connectivity {
    /// What is known where nobody looks.
    static func unknown(at wall: Date) -> Connectivity { Connectivity(state: .unknown, path: .unseen, since: wall) }
}
