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
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isEnded = Flag()
        self.monitor = monitor
        self.isEnded = isEnded
        self.onEnd = onEnd
        subscription = monitor.add { receive($0, isEnded) }
    }

    deinit { cancel() }

    /// Ends the observation: after this, no call starts.
    ///
    /// A call that has started on another thread may still run to its end.
    public func cancel() {
        guard isEnded.set() else { return }
        monitor.remove(subscription)
        onEnd()
    }
}
