// SPDX-License-Identifier: Apache-2.0

public import Dialtone
public import SystemSupport

#if os(Linux) || os(Android)
import NetworkState
#endif

/// A network under the control of a test: its paths, its identity, and the results of Internet checks.
///
/// ```swift
/// let clock = TestClock()
/// let network = SimulatedNetwork(.wifi, clock: clock)
/// let monitor = try ConnectivityMonitor(simulating: network)
/// network.play([
///     .path(.offline(.noCarrier), after: .seconds(5)),
///     .internet(.limited, after: .seconds(1)),
///     .path(.cellular),
/// ])
/// ```
///
/// No packet is sent.
public final class SimulatedNetwork: Sendable {
    private struct State {
        var simulated: SimulatedPath
        var internet: InternetCheck.Report
        var checkCount = 0
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    /// One step of a script.
    public struct Step: Sendable {
        let delay: Duration
        let perform: @Sendable (SimulatedNetwork) -> Void

        /// Changes the path, some time after the previous step.
        public static func path(_ path: SimulatedPath, after delay: Duration = .zero) -> Step {
            Step(delay: delay) { $0.become(path) }
        }

        /// Sets the result of checks, some time after the previous step.
        public static func internet(_ report: InternetCheck.Report, after delay: Duration = .zero) -> Step {
            Step(delay: delay) { $0.internet = report }
        }
    }

    private let state: Mutex<State>
    private let paths: Broadcaster<NetworkPath>
    let time: TimeSource
    #if os(Linux) || os(Android)
    let source = ScriptedSource(answer: { $1.simulatedAnswer(to: $0) })
    #endif

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - path: the initial path.
    ///   - internet: the initial result of checks.
    ///   - clock: the clock for scripts; nil is the machine's own.
    public init(_ path: SimulatedPath = .wifi, internet: InternetCheck.Report = .online, clock: TestClock? = nil) {
        state = Mutex(State(simulated: path, internet: internet))
        paths = Broadcaster(path.path)
        time = clock?.timeSource ?? .system
        #if os(Linux) || os(Android)
        // In the same order as the paths, so that after changes from many threads both views agree.
        _ = paths.subscribe { [source] in source.publish(SimulatedPath($0).snapshot) }
        #endif
    }

    // MARK: Changing

    /// The current path.
    public var path: SimulatedPath { state.withLock { $0.simulated } }

    /// The result of every check that ends from now on, which then gets its time.
    public var internet: InternetCheck.Report {
        get { state.withLock { $0.internet } }
        set { state.withLock { $0.internet = newValue } }
    }

    /// Changes the path.
    ///
    /// Subscribers have been called when this returns, unless another thread is calling them already.
    public func become(_ path: SimulatedPath) {
        state.withLock { state in
            let isNews = state.simulated.path != path.path
            state.simulated = path
            if isNews { paths.enqueue(path.path) }
        }
        paths.deliver()
    }

    /// Plays a script on the clock, starting now.
    ///
    /// - Returns: a handle that stops the script.
    @discardableResult
    public func play(_ script: [Step]) -> TimeSource.Cancellation {
        var due = time.moment.boottime
        let cancellations = script.map { step in
            due += step.delay
            return time.call(at: due) { step.perform(self) }
        }
        return { for cancel in cancellations { cancel() } }
    }

    // MARK: Checks

    /// The number of checks that have started.
    public var checkCount: Int { state.withLock { $0.checkCount } }

    /// Keeps checks from ending until `releaseChecks()`.
    public func holdChecks() { state.withLock { $0.isHolding = true } }

    /// Lets checks end, including those in progress.
    public func releaseChecks() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for check in held { check.resume() }
    }
}

extension SimulatedNetwork: InternetChecking {
    /// Returns the scripted result at the end of the check.
    ///
    /// A check that is held continues until `releaseChecks()` even when it is cancelled, as some real checks do.
    public func check(over path: NetworkPath) async -> InternetCheck.Report {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.checkCount += 1
                guard state.isHolding else { return false }
                state.held.append(continuation)
                return true
            }
            if !isHeld { continuation.resume() }
        }
        var report = internet
        report.checkedAt = time.moment.realtime
        return report
    }
}

/// Results for a simulated network, without evidence.
extension InternetCheck.Report {
    /// The Internet answers.
    public static let online = Self(.online, checkedAt: .distantPast)
    /// Something passes, but not HTTPS.
    public static let limited = Self(.limited, checkedAt: .distantPast)
    /// Nothing answers.
    public static let noInternet = Self(.noInternet, checkedAt: .distantPast)
    /// The check finds out nothing.
    public static let unverified = Self(.unverified, checkedAt: .distantPast)

    /// The network requires a login at a URL.
    public static func captivePortal(_ url: URL) -> Self { Self(.captivePortal, portal: url, checkedAt: .distantPast) }
}

extension SimulatedNetwork: NetworkIdentifying {
    package func identity(of path: NetworkPath) -> NetworkIdentity? { self.path.identity }
}

extension SimulatedNetwork: PathSource {
    /// Subscribes: see `PathSource`.
    ///
    /// The first call is made on the subscriber's thread, later ones on the thread that changes the path.
    package func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> UpdateSubscription {
        let subscription = paths.subscribe(receive)
        return UpdateSubscription { [weak paths] in paths?.cancel(subscription) }
    }
}

extension ConnectivityMonitor {
    /// Creates a monitor of a simulated network, on the network's clock.
    ///
    /// - Parameters:
    ///   - network: the source of paths, identities and check results.
    ///   - configuration: when to check. The default has no jitter and no spacing.
    ///   - checker: gathers the evidence in the network's place; nil, the default, uses `SimulatedNetwork.internet`.
    /// - Throws: the first invalid value of the configuration.
    public convenience init(
        simulating network: SimulatedNetwork, _ configuration: ConnectivityMonitor.Configuration = .withoutJitter,
        checker: (any InternetChecking)? = nil
    ) throws(InvalidConfiguration) {
        try self.init(
            configuration, paths: network, checker: checker ?? network, identifier: network, time: network.time,
            random: { 0 })
    }
}

extension ConnectivityMonitor {
    /// Delivers everything now: returns when closures, delegates and models have handled every value so far.
    ///
    /// `verify()` returns when its value is in the queue or the buffer of each observer, and waits for none of them. A
    /// loop over `updates()` takes its value when its task runs: nothing can wait for it.
    public func deliverEverything() async { await deliverPendingValues() }
}

extension ConnectivityMonitor.Configuration {
    /// The default configuration, but with exact waits, and with a check for each `verify()`: on a clock that stands still, one that
    /// waited for `checkSpacing` would not return.
    public static let withoutJitter: ConnectivityMonitor.Configuration = {
        var configuration = ConnectivityMonitor.Configuration()
        configuration.jitter = 0
        configuration.checkSpacing = .zero
        return configuration
    }()
}
