//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Keeps an observation alive: hold it as long as you want to be called.
///
/// It holds its monitor.
public final class ConnectivityObservation: Sendable {
    private let monitor: ConnectivityMonitor
    private let identifier: UInt64
    private let isEnded: Flag
    private let onEnd: @Sendable () -> Void

    /// Whether the observation is over; shared with the calls that are still under way.
    final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .acquiring) }
        /// Sets the flag; false if it was set already.
        func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
    }

    init(
        of monitor: ConnectivityMonitor, _ receive: @escaping @Sendable (Connectivity, Flag) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        let isEnded = Flag()
        self.monitor = monitor
        self.isEnded = isEnded
        self.onEnd = onEnd
        identifier = monitor.add { receive($0, isEnded) }
    }

    deinit { cancel() }

    /// Ends the observation: after this, no call begins.
    ///
    /// One that has begun on another thread may still run to its end.
    public func cancel() {
        guard isEnded.set() else { return }
        monitor.remove(identifier)
        onEnd()
    }
}
