// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

/// Keeps an observation alive: hold it for as long as you want to receive values.
///
/// It holds its monitor.
public final class ConnectivityObservation: Sendable {
    private let monitor: ConnectivityMonitor
    private let subscription: Broadcaster<Connectivity>.Subscription
    /// Shared with calls that are still under way.
    private let isEnded: OnceFlag
    private let onEnd: @Sendable () -> Void
    /// Where the monitor keeps the observer.
    private let place: UInt64

    /// A call of an observer.
    package enum Call: Sendable {
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

    /// - Parameter receive: performs each call, in order.
    package init(
        of monitor: ConnectivityMonitor, _ receive: @escaping @Sendable (Call) -> Void,
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
