//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import FoundationEssentials
import Synchronization

/// Watches whether this machine is online, and tells in whatever style is asked for.
///
/// ```swift
/// for await connectivity in ConnectivityMonitor.shared.updates() {
///     print(connectivity.state)
/// }
/// ```
///
/// It joins the path with checks of the Internet behind it and with what the app reports of its own requests.
///
/// **Lifetime.** A monitor rests until it is observed or started, and then watches: the kernel tells it of changes, and it
/// checks as its configuration says. It rests again when the last observation has ended, unless it was started by
/// `start()`. Observations and loops hold their monitor; a monitor that nobody holds ends its work. What it knows
/// ends with it: a resting monitor's state is `unknown`.
///
/// **Order.** Every observer gets the current value first, as soon as there is a definite one or the configuration's
/// `firstValueBound` has passed, and then each change in the same order as all others. Observers are never called
/// under a lock, so they may use the monitor.
///
/// **Place.** On Linux a monitor watches the network namespace of the thread that starts it, by `start()` or by the first
/// observation. Make it and start it on the same thread where there are several.
public final class ConnectivityMonitor: Sendable {
    /// The process's own monitor, with the usual configuration; it starts when it is first used.
    public static let shared: ConnectivityMonitor = {
        let monitor = ConnectivityMonitor()
        monitor.start()
        return monitor
    }()

    /// When it checks, and how long it waits.
    public let configuration: Configuration

    let state = Mutex(State())
    private let paths: any PathSource
    let checker: (any InternetChecking)?
    let identifier: (any NetworkIdentifying)?
    let time: MonitorTime
    private let random: @Sendable () -> Double

    /// Makes a monitor of this machine's paths and of the Internet, with the usual configuration.
    public convenience init() {
        self.init(
            valid: Configuration(), paths: SystemPathSource(), checker: InternetCheck(),
            identifier: SystemNetworkIdentifier(), time: .system)
    }

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - configuration: when to check, and how long to wait.
    ///   - paths: where paths come from.
    ///   - checker: who checks; nil sends no packet, and no state goes beyond `unverified`.
    ///   - identifier: who tells networks apart; nil for nobody.
    ///   - time: the clocks.
    ///   - random: numbers from 0 up to 1, for the jitter.
    /// - Throws: the first value of the configuration that cannot be.
    public convenience init(
        _ configuration: Configuration, paths: any PathSource = SystemPathSource(),
        checker: (any InternetChecking)?,
        identifier: (any NetworkIdentifying)? = SystemNetworkIdentifier(), time: MonitorTime = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(ConfigurationError) {
        try configuration.validate()
        self.init(
            valid: configuration, paths: paths, checker: checker, identifier: identifier, time: time, random: random)
    }

    private init(
        valid configuration: Configuration, paths: any PathSource, checker: (any InternetChecking)?,
        identifier: (any NetworkIdentifying)?, time: MonitorTime,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.configuration = configuration
        self.paths = paths
        self.checker = checker
        self.identifier = identifier
        self.time = time
        self.random = random
    }

    deinit {
        let run = state.withLock { $0.run }
        run?.end()
    }

    // MARK: Asking and telling

    /// What is known at this moment.
    ///
    /// Reading it never waits and does not start a resting monitor, of which it is `unknown`. The evidence may be newer than that
    /// of the value delivered last, and before the first delivery the state may be less than definite.
    public var current: Connectivity {
        state.withLock { $0.run?.machine.connectivity } ?? .unknown(at: time.now.wall)
    }

    /// Asks for a check now, without waiting for it.
    ///
    /// It joins a check that is under way. A check begins `checkSpacing` after the last one at the earliest. While there is no
    /// path, while checks are suspended, and at a resting monitor, there is none.
    public func requestCheck() { process(.checkRequested) }

    /// Asks for a check now, and waits until there is nothing more to wait for.
    ///
    /// - Returns: what is known then: the new verdict, or that there is no path. At once when the task is cancelled,
    ///   when checks are suspended, and at a resting monitor.
    public func verify() async -> Connectivity { await verify(after: nil) }

    /// Tells what became of a request, and waits for the check that this brings, or for one of its own.
    ///
    /// Both in one step: between two, the check could begin and end, and a second would have to wait for its turn.
    func verify(after outcome: ReportedOutcome?) async -> Connectivity {
        let identifier = state.withLock { $0.nextIdentifier() }
        defer { state.withLock { _ = $0.abandonedWaits.remove(identifier) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, identifier, after: outcome) }
        } onCancel: {
            let moment = time.now
            deliver { $0.endWait(identifier, at: moment.wall) }
        }
    }

    /// Tells what became of a request of the app's own.
    ///
    /// A failure while all seemed well brings a check, and so does a success while it did not; the check decides. Cheap enough to
    /// be called for every request.
    public func report(_ outcome: ReportedOutcome) { process(.reported(outcome)) }

    /// Stops checking; paths are still followed.
    ///
    /// For an app in the background, or a user on an expensive link. It stays so until `resume()`, also when the monitor
    /// rests in between.
    public func suspend() { setSuspended(true) }

    /// Checks again, at once; what was proven before `suspend()` counts no more.
    public func resume() { setSuspended(false) }

    private func setSuspended(_ isSuspended: Bool) {
        let moment = time.now
        // One step, or a run that begins between two would be told the opposite of what holds.
        deliver { state in
            state.isSuspended = isSuspended
            state.process(isSuspended ? .suspended : .resumed, at: moment, run: nil)
        }
    }

    /// Tells the monitor that the machine has slept.
    ///
    /// On Linux it notices by itself, and at once. Elsewhere it does so when it next has something to do; an app that is told
    /// of waking can be quicker.
    public func noteWake() { process(.clockJumped) }
}

// MARK: Starting and resting

extension ConnectivityMonitor {
    /// Starts watching, until `stop()`.
    ///
    /// Not needed for a monitor that is observed.
    public func start() {
        state.withLock { $0.isStarted = true }
        runIfNeeded()
    }

    /// Takes `start()` back: the monitor rests, unless it is observed.
    public func stop() {
        state.withLock { $0.isStarted = false }
        restIfUnneeded()
    }

    /// Adds an observer, which gets the current value first.
    ///
    /// - Parameter receive: called in order, by one thread at a time, outside any lock; it returns quickly.
    /// - Returns: the number for `remove(_:)`.
    func add(_ receive: @escaping @Sendable (Connectivity) -> Void) -> UInt64 {
        let identifier = state.withLock { $0.nextIdentifier() }
        deliver { $0.add(receive, identifier) }
        runIfNeeded()
        return identifier
    }

    func remove(_ identifier: UInt64) {
        // It is released outside the lock: what it held may ask or leave this monitor on its way out.
        let observer = state.withLock { $0.observers.removeValue(forKey: identifier) }
        if observer != nil { restIfUnneeded() }
    }

    private func runIfNeeded() {
        let moment = time.now
        var begun: UInt64?
        deliver { state in
            guard state.run == nil, state.isNeeded else { return }
            let machine = ConnectivityMachine(configuration, canCheck: checker != nil, at: moment, random: random)
            let number = state.begin(machine)
            begun = number
            state.process(.started, at: moment, run: number)
            if state.isSuspended { state.process(.suspended, at: moment, run: number) }
        }
        guard let number = begun else { return }
        let subscription = paths.subscribe { [weak self] path in self?.receive(path, run: number) }
        let cancelClockWatch = time.whenClocksJump { [weak self] in self?.process(.clocksLookedAt, run: number) }
        let isWanted = state.withLock { state in
            guard state.run?.number == number else { return false }
            state.run?.subscription = subscription
            state.run?.cancelClockWatch = cancelClockWatch
            return true
        }
        guard !isWanted else { return }
        subscription.cancel()
        cancelClockWatch()
    }

    private func restIfUnneeded() {
        let moment = time.now
        var ended: Run?
        deliver { state in
            guard !state.isNeeded, let run = state.run else { return }
            ended = run
            state.run = nil
            // Those of the next run are its own.
            state.endAllWaits(with: .unknown(at: moment.wall))
        }
        ended?.end()
    }
}
