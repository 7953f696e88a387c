// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Keeps an observation alive: hold it for as long as you want to receive values.
///
/// It holds its monitor.
public final class ConnectivityObservation: Sendable {
    private let monitor: ConnectivityMonitor
    private let subscription: Broadcaster<Connectivity>.Subscription
    private let isEnded: Flag
    private let onEnd: @Sendable () -> Void
    /// Where the monitor keeps how to find out that earlier values have been handled.
    private let place: UInt64

    /// The buffer of an observer on an actor.
    enum Call: Sendable {
        indirect case value(Connectivity, Flag)
        /// The values before this one have been handled.
        case handled(@Sendable () -> Void)
    }

    /// Whether the observation has ended; shared with calls that are still under way.
    package final class Flag: Sendable {
        private let value = Mutex(false)

        init() {}

        package var isSet: Bool { value.withLock { $0 } }
        /// Sets the flag, and returns false if it was already set.
        func set() -> Bool {
            value.withLock { value in
                defer { value = true }
                return !value
            }
        }
    }

    package init(
        of monitor: ConnectivityMonitor, _ receive: @escaping @Sendable (Connectivity, Flag) -> Void,
        whenHandled: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isEnded = Flag()
        self.monitor = monitor
        self.isEnded = isEnded
        self.onEnd = onEnd
        place = monitor.state.withLock { state in
            let place = state.nextIdentifier()
            state.observers[place] = whenHandled
            return place
        }
        subscription = monitor.add { receive($0, isEnded) }
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
