// SPDX-License-Identifier: Apache-2.0

import Synchronization
import SystemSupport

extension ConnectivityMonitor {
    /// Work to do outside the lock.
    enum Job: Sendable {
        case action(MachineAction, run: UInt64)
        case deliver(Connectivity, @Sendable (Connectivity) -> Void)
    }

    /// The state from the time when the monitor starts to watch until it rests.
    struct Run: Sendable {
        let number: UInt64
        var machine: ConnectivityMachine
        var subscription: UpdateSubscription?
        var nearbySubscription: UpdateSubscription?
        var check: Task<Void, Never>?
        var cancelTimer: MonitorTime.Cancellation?
        var cancelClockWatch: MonitorTime.Cancellation?

        /// Ends everything under way; must be called outside the lock.
        func end() {
            subscription?.cancel()
            nearbySubscription?.cancel()
            check?.cancel()
            cancelTimer?()
            cancelClockWatch?()
        }
    }

    /// The state that the lock protects.
    struct State: Sendable {
        var run: Run?
        var isStarted = false
        var isSuspended = false
        var observers: [UInt64: @Sendable (Connectivity) -> Void] = [:]
        var waits: [UInt64: @Sendable (Connectivity) -> Void] = [:]
        /// The pending jobs, performed in order by one thread at a time.
        let queue = DeliveryQueue<Job>()
        private var lastIdentifier: UInt64 = 0

    }

    /// Receives a path from the source.
    func receive(_ path: NetworkPath, run number: UInt64) {
        let identity = path.status == .satisfied ? identifier?.identity(of: path) : nil
        process(.path(path, identity), run: number)
    }

    /// Passes an input to the machine, and performs its actions.
    ///
    /// - Parameters:
    ///   - input: the event.
    ///   - number: the run that the event belongs to; nil for the current one.
    func process(_ input: MachineInput, run number: UInt64? = nil) {
        let moment = time.now
        deliver { $0.process(input, at: moment, run: number) }
    }

    /// Changes the state, and then performs the queued jobs, unless another thread is doing so.
    func deliver(_ change: (inout sending State) -> Void) {
        let queue = state.withLock { state in
            change(&state)
            return state.queue
        }
        queue.drain(perform)
    }

    private func perform(_ job: Job) {
        switch job {
        case .deliver(let connectivity, let receive): receive(connectivity)
        case .action(.publish, _): break
        case .action(.startCheck(let generation, let path, let operatorName), let run):
            startCheck(generation, over: path, startingWith: operatorName, run: run)
        case .action(.cancelCheck, let run):
            let check = state.withLock { $0.run?.number == run ? $0.run?.check : nil }
            check?.cancel()
        case .action(.setTimer(let elapsed), let run): setTimer(elapsed, run: run)
        }
    }

    private func startCheck(
        _ generation: UInt64, over path: NetworkPath, startingWith operatorName: String?, run number: UInt64
    ) {
        guard let checker else { return }
        // The check should not be compared with a path that settings have changed without an announcement.
        NetworkPath.rereadRoutes()
        let task = Task.detached { [weak self, identifier] in
            let report =
                if let operatorName {
                    await checker.check(over: path, startingWith: operatorName)
                } else {
                    await checker.check(over: path)
                }
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
        _ identifier: UInt64, after outcome: ReportedOutcome?, _ receive: @escaping @Sendable (Connectivity) -> Void
    ) {
        let moment = time.now
        let isCancelled = Task.isCancelled
        deliver { state in
            if let outcome { state.process(.reported(outcome), at: moment, run: nil) }
            guard state.run != nil, !isCancelled else {
                let value = state.run?.machine.connectivity ?? .unknown(at: moment.wall)
                state.queue.append(.deliver(value, receive))
                return
            }
            state.waits[identifier] = receive
            // The reported outcome has provoked its check, unless that check is far off: then the last verdict is the
            // answer.
            if outcome == nil {
                state.process(.checkRequested, at: moment, run: nil)
            } else {
                state.endWaitsUnlessVerifying()
            }
        }
    }
}

extension ConnectivityMonitor.State {
    /// Whether the monitor must watch, because it was started or has observers.
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
                queue.append(.action(action, run: current))
                continue
            }
            for observer in observers.sorted(by: { $0.key < $1.key }) {
                queue.append(.deliver(connectivity, observer.value))
            }
        }
        endWaitsUnlessVerifying()
    }

    /// Ends the waits for a verdict if none is expected soon.
    mutating func endWaitsUnlessVerifying() {
        guard let machine = run?.machine, machine.hasFirstValue, !machine.isVerifying else { return }
        endAllWaits(with: machine.connectivity)
    }

    mutating func add(_ receive: @escaping @Sendable (Connectivity) -> Void, _ identifier: UInt64) {
        observers[identifier] = receive
        // `publish` delivers the first value to all observers; an observer that is added later gets the latest value.
        guard let machine = run?.machine, machine.hasFirstValue else { return }
        queue.append(.deliver(machine.connectivity, receive))
    }

    mutating func endAllWaits(with connectivity: Connectivity) {
        for wait in waits.sorted(by: { $0.key < $1.key }) { queue.append(.deliver(connectivity, wait.value)) }
        waits = [:]
    }
}

extension Connectivity {
    /// The value of a resting monitor.
    static func unknown(at wall: Date) -> Connectivity { Connectivity(state: .unknown, path: .unseen, since: wall) }
}
