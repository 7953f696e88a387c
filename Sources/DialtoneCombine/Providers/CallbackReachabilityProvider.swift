// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import SystemSupport

/// A provider that wraps any callback-based reachability object.
///
/// `@unchecked Sendable`: only the one thread that has set `isBusy` uses the object, outside the lock.
public final class CallbackReachabilityProvider: NetworkReachabilityProvider, @unchecked Sendable {
    private typealias ListeningPeriod = LatestValue<NetworkReachabilityStatus>.ListeningPeriod

    private struct State {
        var isWanted = false
        /// The current listening period, from the object's start to its stop.
        var period: ListeningPeriod?
        var isBusy = false
    }

    private let reachability: any CallbackReachability
    private let state = Mutex(State())
    private let status = LatestValue<NetworkReachabilityStatus>()

    /// Wraps an object; no other code may use it afterwards.
    public init(_ reachability: any CallbackReachability) { self.reachability = reachability }

    deinit {
        // Stop a started object; no other code can be using it now.
        if state.withLock({ $0.period }) != nil { reachability.stopNotifier() }
        reachability.statusHandler = nil
        status.finish()
    }

    /// The object's status; see `NetworkReachabilityProvider`.
    public var networkStatusHandler: AnyPublisher<NetworkReachabilityStatus, Never> { status.publisher }

    /// Starts listening; see `NetworkReachabilityProvider`.
    ///
    /// The result is false if the object throws an error.
    @discardableResult
    public func startListening() -> AnyPublisher<Bool, Never> {
        state.withLock { $0.isWanted = true }
        performSteps()
        return AnyPublisher(Just(state.withLock { $0.isWanted }))
    }

    /// Stops listening; see `NetworkReachabilityProvider`.
    public func stopListening() {
        let period = state.withLock { state in
            state.isWanted = false
            return state.period
        }
        if let period { status.end(period) }
        performSteps()
    }

    /// Starts or stops the object until it is in the requested state, unless another call is already doing that.
    private func performSteps() {
        let mustSettle = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard mustSettle else { return }
        while let step = nextStep() { step() }
    }

    private func nextStep() -> (@Sendable () -> Void)? {
        state.withLock { state in
            switch state.period {
            case nil where state.isWanted:
                let period = ListeningPeriod()
                state.period = period
                return { self.start(period) }
            // Stopped, and possibly started again since.
            case let period? where period.isSet: return { self.stop(period) }
            default:
                state.isBusy = false
                return nil
            }
        }
    }

    private func start(_ period: ListeningPeriod) {
        reachability.statusHandler = { [status] in status.send($0, in: period) }
        do {
            try reachability.startNotifier()
        } catch {
            reachability.statusHandler = nil
            status.end(period)
            state.withLock { state in
                state.period = nil
                state.isWanted = false
            }
            return
        }
        // This has no effect if the object has already reported a status.
        status.send(reachability.currentStatus, in: period, onlyAsFirst: true)
    }

    private func stop(_ period: ListeningPeriod) {
        status.end(period)
        reachability.stopNotifier()
        reachability.statusHandler = nil
        state.withLock { $0.period = nil }
    }
}

/// The interface that a callback-based reachability object needs to become a provider; most need only a few lines.
///
/// ```swift
/// extension SomeReachability: CallbackReachability {
///     var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? {
///         get { nil }
///         set { whenChanged = { newValue?($0.isUp ? .reachable(.ethernetOrWiFi) : .notReachable) } }
///     }
///     var currentStatus: NetworkReachabilityStatus { isUp ? .reachable(.ethernetOrWiFi) : .notReachable }
///     func startNotifier() throws { try begin() }
///     func stopNotifier() { end() }
/// }
/// let provider = CallbackReachabilityProvider(SomeReachability())
/// ```
public protocol CallbackReachability: AnyObject {
    /// The closure to call with each change, on any thread, one call at a time; nil for none.
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? { get set }

    /// The current status.
    var currentStatus: NetworkReachabilityStatus { get }

    /// Starts calling the handler.
    ///
    /// - Throws: any error if the object cannot start.
    func startNotifier() throws

    /// Stops calling the handler.
    func stopNotifier()
}

#endif
