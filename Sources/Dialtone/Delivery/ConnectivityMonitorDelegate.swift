//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dispatch

/// Is told of connectivity.
///
/// A class that lives on an actor, such as a view controller, is better served by `ConnectivityMonitor.observe(_:)`.
public protocol ConnectivityMonitorDelegate: AnyObject, Sendable {
    /// Tells the current value, and later each change.
    ///
    /// Called on the queue given with the delegate, in order and one at a time.
    func connectivityMonitor(_ monitor: ConnectivityMonitor, didChangeTo connectivity: Connectivity)
}

extension ConnectivityMonitor {
    /// Tells an object of every change on a queue, and of the current value first.
    ///
    /// There may be several delegates. The object is held weakly; once it is gone the observation has nothing more to do.
    ///
    /// - Parameters:
    ///   - delegate: who is told.
    ///   - queue: where.
    /// - Returns: what keeps the observation alive.
    public func addDelegate(
        _ delegate: any ConnectivityMonitorDelegate, queue: DispatchQueue
    ) -> ConnectivityObservation {
        observe(on: queue) { [weak self, weak delegate] connectivity in
            guard let self else { return }
            delegate?.connectivityMonitor(self, didChangeTo: connectivity)
        }
    }
}
