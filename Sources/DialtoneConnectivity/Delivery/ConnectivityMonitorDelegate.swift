// SPDX-License-Identifier: Apache-2.0

public import Dispatch

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
