// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import SystemSupport

extension ConnectivityMonitor {
    /// Calls a closure on a queue: with the current value first, then with every change, in order and one at a time.
    ///
    /// ```swift
    /// let observation = monitor.observe(on: .main) { connectivity in
    ///     print(connectivity.isOnline ? "online" : "offline")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - queue: the queue for the calls; they are made one at a time even on a concurrent queue.
    ///   - handler: the closure.
    /// - Returns: an object that keeps the observation alive.
    public func observe(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (Connectivity) -> Void
    ) -> ConnectivityObservation {
        let serial = DispatchQueue(label: "dialtone.observation", target: queue)
        return ConnectivityObservation(of: self) { call in serial.async { call.perform(handler) } }
    }

    /// Calls a closure on the calling actor: with the current value first, then with every change, in order and one at
    /// a time.
    ///
    /// ```swift
    /// actor Uploads {
    ///     private var observation: ConnectivityObservation?
    ///     private var isPaused = false
    ///
    ///     func begin(_ monitor: ConnectivityMonitor) {
    ///         observation = monitor.observe { [weak self] connectivity in
    ///             self?.assumeIsolated { $0.isPaused = connectivity.path.isExpensive }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Outside any actor, the calls are made on arbitrary threads. An actor that falls more than a thousand calls
    /// behind loses the oldest ones.
    ///
    /// - Parameters:
    ///   - actor: the actor for the calls; the caller's own by default.
    ///   - handler: the closure.
    /// - Returns: an object that keeps the observation alive; the handler is released soon after it.
    public func observe(
        isolation actor: isolated (any Actor)? = #isolation, _ handler: @escaping (Connectivity) -> Void
    ) -> ConnectivityObservation {
        let (calls, continuation) = AsyncStream.makeStream(
            of: ObserverCall.self,
            bufferingPolicy: .bufferingNewest(ConnectivityUpdates.Buffering.everyTransition.capacity))
        let observation = ConnectivityObservation(of: self) { call in
            switch continuation.yield(call) {
            // The full buffer has dropped its oldest call.
            case .dropped(.handled(let done)): done()
            case .terminated: if case .handled(let done) = call { done() }
            default: break
            }
        } onEnd: {
            continuation.finish()
        }
        Task {
            // Referring to the actor makes the loop run on it.
            _ = actor
            for await call in calls { call.perform(handler) }
        }
        return observation
    }
}

/// Receives changes of connectivity.
///
/// For a class that is isolated to an actor, such as a view controller, `ConnectivityMonitor.observe(_:)` is simpler.
public protocol ConnectivityMonitorDelegate: AnyObject, Sendable {
    /// Called with the current value first, then with each change.
    ///
    /// The calls are made on the queue passed with the delegate, in order and one at a time.
    func connectivityMonitor(_ monitor: ConnectivityMonitor, didChangeTo connectivity: Connectivity)
}

extension ConnectivityMonitor {
    /// Calls a delegate on a queue: with the current value first, then with every change.
    ///
    /// A monitor may have several delegates, and holds them weakly; once a delegate is released, its observation does
    /// nothing.
    ///
    /// - Parameters:
    ///   - delegate: the delegate.
    ///   - queue: the queue for the calls.
    /// - Returns: an object that keeps the observation alive.
    public func addDelegate(
        _ delegate: any ConnectivityMonitorDelegate, queue: DispatchQueue
    ) -> ConnectivityObservation {
        observe(on: queue) { [weak self, weak delegate] connectivity in
            guard let self else { return }
            delegate?.connectivityMonitor(self, didChangeTo: connectivity)
        }
    }
}
