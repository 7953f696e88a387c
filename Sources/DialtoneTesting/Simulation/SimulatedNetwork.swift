//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
import FoundationEssentials
import OrderedDelivery
import Synchronization

#if os(Linux) || os(Android)
import NetworkState
#endif

/// A network that does what a test says: its paths, its identity, and what checks find behind it.
///
/// ```swift
/// let clock = TestClock()
/// let network = SimulatedNetwork(.wifi, clock: clock)
/// let monitor = try ConnectivityMonitor(simulating: network)
/// monitor.start()
/// network.play([
///     .path(.offline(.noCarrier), after: .seconds(5)),
///     .path(.cellular, after: .seconds(1)),
///     .internet(.partial, after: .seconds(30)),
/// ])
/// ```
///
/// No packet is sent.
public final class SimulatedNetwork: Sendable {
    private struct State {
        var simulated: SimulatedPath
        var internet: InternetCheck.Verdict
        var checkCount = 0
        var isHolding = false
        var held: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastIdentifier: UInt64 = 0
        var subscribers: [UInt64: @Sendable (NetworkPath) -> Void] = [:]
        var outbox = Outbox<@Sendable () -> Void>()
    }

    /// One thing that happens in a script.
    public struct Step: Sendable {
        let delay: Duration
        let perform: @Sendable (SimulatedNetwork) -> Void

        /// The path becomes this, a while after the step before.
        public static func path(_ path: SimulatedPath, after delay: Duration = .zero) -> Step {
            Step(delay: delay) { $0.become(path) }
        }

        /// From now on, a while after the step before, checks find this.
        public static func internet(_ verdict: InternetCheck.Verdict, after delay: Duration = .zero) -> Step {
            Step(delay: delay) { $0.internet = verdict }
        }
    }

    private let state: Mutex<State>
    let time: MonitorTime
    #if os(Linux) || os(Android)
    let source: ScriptedSource
    #endif

    /// Makes a network.
    ///
    /// - Parameters:
    ///   - path: the path at first.
    ///   - internet: what checks find at first.
    ///   - clock: by which scripts are played; nil is the machine's own.
    public init(_ path: SimulatedPath = .wifi, internet: InternetCheck.Verdict = .verified, clock: TestClock? = nil) {
        state = Mutex(State(simulated: path, internet: internet))
        time = clock?.monitorTime ?? .system
        #if os(Linux) || os(Android)
        source = ScriptedSource(path.snapshot)
        #endif
    }

    // MARK: Changing

    /// What the path is.
    public var path: SimulatedPath { state.withLock { $0.simulated } }

    /// What checks find that end from now on.
    public var internet: InternetCheck.Verdict {
        get { state.withLock { $0.internet } }
        set { state.withLock { $0.internet = newValue } }
    }

    /// Changes the path.
    ///
    /// Who follows it has been told when this returns, unless another thread is telling them already.
    public func become(_ path: SimulatedPath) {
        deliver { state in
            let isNews = state.simulated.path != path.path
            state.simulated = path
            if isNews {
                for receive in state.subscribers.sorted(by: { $0.key < $1.key }).map(\.value) {
                    state.outbox.put { receive(path.path) }
                }
            }
            #if os(Linux) || os(Android)
            // In the same order as the paths, so that changes from many threads leave both views alike.
            state.outbox.put { [source] in source.publish(path.snapshot) }
            #endif
        }
    }

    /// Plays a script on the clock, beginning now.
    ///
    /// - Returns: what stops it.
    @discardableResult
    public func play(_ script: [Step]) -> MonitorTime.Cancellation {
        var due = time.now.elapsed
        let cancellations = script.map { step in
            due += step.delay
            return time.call(at: due) { step.perform(self) }
        }
        return { for cancel in cancellations { cancel() } }
    }

    // MARK: Checks

    /// How many checks have begun.
    public var checkCount: Int { state.withLock { $0.checkCount } }

    /// Lets checks begin but not end, until `releaseChecks()`.
    public func holdChecks() { state.withLock { $0.isHolding = true } }

    /// Lets checks end, those under way too.
    public func releaseChecks() {
        let held = state.withLock { state in
            defer { state.held = [:] }
            state.isHolding = false
            return state.held
        }
        for check in held.sorted(by: { $0.key < $1.key }) { check.value.resume() }
    }
}

extension SimulatedNetwork: InternetChecking {
    /// Finds what the script says at the end of the check.
    ///
    /// A check that is held goes on until `releaseChecks()` even when it is cancelled, as some do.
    public func check(over path: NetworkPath) async -> InternetCheck.Report {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.checkCount += 1
                guard state.isHolding else { return false }
                state.lastIdentifier += 1
                state.held[state.lastIdentifier] = continuation
                return true
            }
            if !isHeld { continuation.resume() }
        }
        return InternetCheck.Report(verdict: internet, checkedAt: time.now.wall)
    }
}

extension SimulatedNetwork: NetworkIdentifying {
    /// The identity of the present path.
    public func identity(of path: NetworkPath) -> NetworkIdentity? { self.path.identity }
}

extension SimulatedNetwork: PathSource {
    /// Subscribes: see `PathSource`.
    ///
    /// Calls come on the thread that changes the path, and the first on the subscriber's.
    public func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> PathSubscription {
        let identifier = state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        deliver { state in
            state.subscribers[identifier] = receive
            let path = state.simulated.path
            state.outbox.put { receive(path) }
        }
        return PathSubscription { [weak self] in
            let old = self?.state.withLock { $0.subscribers.removeValue(forKey: identifier) }
            // Outside the lock, because what it holds may end with it.
            withExtendedLifetime(old) {}
        }
    }

    private func deliver(_ change: (inout sending State) -> Void) {
        let mustDeliver = state.withLock { state in
            change(&state)
            return state.outbox.mustBeEmptied()
        }
        guard mustDeliver else { return }
        while let calls = state.withLock({ $0.outbox.takeAll() }) {
            for call in calls { call() }
        }
    }
}
