// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

extension ConnectivityMonitor {
    /// The state from the time when the monitor starts to watch until it rests.
    struct Run: ~Copyable, Sendable {
        let number: UInt64
        var machine: ConnectivityMachine
        /// The paths that the machine has not received yet, in order; the first one's network is being identified.
        var paths: [NetworkPath] = []
        /// The number of paths that the machine has received.
        var pathNumber: UInt64 = 0
        /// Set once: Swift 6.3 does not release the old value when a member of a noncopyable type is assigned through an optional chain.
        var heartbeat: HeartbeatThread?
        /// The subscriptions to paths, clocks and the heartbeat, whose events the machine gets.
        let watches = CancellationSlot()
        let check = CancellationSlot()
        let timer = CancellationSlot()

        /// Ends everything under way; must be called outside the lock.
        func end() { for slot in [watches, check, timer] { slot.end() } }
    }

    /// A call of an observer.
    package enum ObserverCall: Sendable {
        indirect case value(Connectivity, OnceFlag)
        /// The values before this one have been handled.
        case handled(@Sendable () -> Void)

        /// Passes a value to the handler, unless the observation has ended.
        package func perform(_ handler: (Connectivity) -> Void) {
            switch self {
            case .value(let connectivity, let isEnded): if !isEnded.isSet { handler(connectivity) }
            case .handled(let done): done()
            }
        }
    }

    /// The state that the lock protects.
    struct State: ~Copyable, Sendable {
        var run: Run?
        var isStarted = false
        var isSuspended = false
        var waits: [UInt64: @Sendable (Connectivity) -> Void] = [:]
        /// The observations by closures, in the order of their numbers.
        var observers: [UInt64: @Sendable (ObserverCall) -> Void] = [:]
        private var lastIdentifier: UInt64 = 0
    }

    /// Receives a path from the source, and passes it on once its network is identified.
    func receive(_ path: NetworkPath, run number: UInt64) {
        let isFirst = state.withLock { state in
            guard state.run?.number == number else { return false }
            state.run?.paths.append(path)
            return state.run?.paths.count == 1
        }
        if isFirst { identifyFirstPath(run: number) }
    }

    private func identifyFirstPath(run number: UInt64) {
        let first = state.withLock { state -> (path: NetworkPath, number: UInt64)? in
            guard state.run?.number == number, let path = state.run?.paths.first, let pathNumber = state.run?.pathNumber
            else { return nil }
            return (path, pathNumber)
        }
        guard let first else { return }
        let pass = { @Sendable [weak self] (identity: NetworkIdentity?) -> Void in
            self?.passFirstPath(first.number, identity, run: number)
        }
        if let identifier, first.path.status == .satisfied { identifier.identify(first.path, pass) } else { pass(nil) }
    }

    private func passFirstPath(_ pathNumber: UInt64, _ identity: NetworkIdentity?, run number: UInt64) {
        let moment = time.moment
        deliver { state in
            // An identity that arrives twice counts once.
            guard state.run?.number == number, state.run?.pathNumber == pathNumber, let path = state.run?.paths.first
            else { return }
            state.run?.paths.removeFirst()
            state.run?.pathNumber += 1
            process(.path(path, identity), at: moment, run: number, &state)
        }
        identifyFirstPath(run: number)
    }

    /// Passes an input to the machine, and performs its actions.
    ///
    /// - Parameters:
    ///   - input: the event.
    ///   - number: the run that the event belongs to; nil for the current one.
    func process(_ input: MachineInput, run number: UInt64? = nil) {
        let moment = time.moment
        deliver { process(input, at: moment, run: number, &$0) }
    }

    /// Passes an input to the machine, and queues its actions.
    func process(_ input: MachineInput, at moment: TimeSource.Moment, run number: UInt64? = nil, _ state: inout State) {
        guard let current = state.run?.number, number == nil || number == current else { return }
        for action in state.run?.machine.handle(input, at: moment) ?? [] {
            switch action {
            case .publish(let connectivity): observers.enqueue(connectivity)
            case .startCheck(let generation, let path, let operatorName):
                queue.append { self.startCheck(generation, over: path, startingWith: operatorName, run: current) }
            case .cancelCheck: queue.append { self.cancelCheck(run: current) }
            case .beat(let situation): state.run?.heartbeat?.update(situation)
            case .setTimer(let elapsed): queue.append { self.setTimer(elapsed, run: current) }
            }
        }
        endWaitsUnlessVerifying(&state)
    }

    /// Changes the state, and then performs what is queued, unless another thread is doing so.
    func deliver(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        queue.drain { $0() }
    }

    private func startCheck(
        _ generation: UInt64, over path: NetworkPath, startingWith operatorName: String?, run number: UInt64
    ) {
        guard let checker, let check = state.withLock({ $0.run?.number == number ? $0.run?.check : nil }) else {
            return
        }
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
            let finish = { @Sendable [weak self] (identity: NetworkIdentity?) -> Void in
                self?.process(.checkFinished(generation: generation, report, identity), run: number)
            }
            if let identifier { identifier.identify(path, finish) } else { finish(nil) }
        }
        check.set { task.cancel() }
    }

    private func cancelCheck(run number: UInt64) {
        state.withLock { $0.run?.number == number ? $0.run?.check : nil }?.set(nil)
    }

    private func setTimer(_ elapsed: Duration?, run number: UInt64) {
        let timer = state.withLock { $0.run?.number == number ? $0.run?.timer : nil }
        timer?.set(elapsed.map { time.call(at: $0) { [weak self] in self?.process(.timerFired, run: number) } })
    }

    func wait(_ identifier: UInt64, after input: MachineInput?, _ receive: @escaping @Sendable (Connectivity) -> Void) {
        let moment = time.moment
        let isCancelled = Task.isCancelled
        deliver { state in
            if let input { process(input, at: moment, &state) }
            guard state.run != nil, !isCancelled else {
                let value = state.run?.machine.connectivity ?? .unknown(at: moment.realtime)
                queue.append { receive(value) }
                return
            }
            state.waits[identifier] = receive
            // The input has provoked its check, unless that check is far off: then the last verdict is the answer.
            endWaitsUnlessVerifying(&state)
        }
    }

    /// Ends the waits for a verdict if none is expected soon.
    private func endWaitsUnlessVerifying(_ state: inout State) {
        guard state.run?.machine.isVerifying == false, let connectivity = state.run?.machine.firstValue
        else { return }
        endAllWaits(with: connectivity, &state)
    }

    func endAllWaits(with connectivity: Connectivity, _ state: inout State) {
        for (_, receive) in state.waits.sorted(by: { $0.key < $1.key }) { queue.append { receive(connectivity) } }
        state.waits = [:]
    }

    /// Whether the monitor must watch, because it was started or has observers.
    func isNeeded(_ state: borrowing State) -> Bool { state.isStarted || observers.hasSubscribers }
}

extension ConnectivityMonitor.State {
    mutating func nextIdentifier() -> UInt64 {
        lastIdentifier += 1
        return lastIdentifier
    }
}

extension Connectivity {
    /// The value of a resting monitor.
    static func unknown(at wall: Date) -> Connectivity { Connectivity(state: .unknown, path: .unseen, since: wall) }
}
