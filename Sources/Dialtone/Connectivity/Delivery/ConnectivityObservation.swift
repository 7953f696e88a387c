// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Keeps an observation alive: hold it for as long as you want to receive values.
///
/// It holds its monitor.
public final class ConnectivityObservation: Sendable {
    private let monitor: ConnectivityMonitor
    private let subscription: Broadcaster<Connectivity>.Subscription
    /// Shared with calls that are still under way.
    private let isEnded: OnceFlag
    private let onEnd: @Sendable () -> Void
    /// The key of the observer in the monitor's state.
    private let place: UInt64

    /// - Parameter receive: performs each call, in order.
    package init(
        of monitor: ConnectivityMonitor, _ receive: @escaping @Sendable (ConnectivityMonitor.ObserverCall) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isEnded = OnceFlag()
        self.monitor = monitor
        self.isEnded = isEnded
        self.onEnd = onEnd
        place = monitor.state.withLock { state in
            let place = state.nextIdentifier()
            state.observers[place] = receive
            return place
        }
        subscription = monitor.add { receive(.value($0, isEnded)) }
    }

    deinit { cancel() }

    /// Ends the observation: after this, no call starts.
    ///
    /// A call that has started on another thread may still run to its end.
    public func cancel() {
        guard isEnded.set() else { return }
        _ = monitor.state.withLock { $0.observers.removeValue(forKey: place) }
        monitor.remove(subscription)
        onEnd()
    }
}
