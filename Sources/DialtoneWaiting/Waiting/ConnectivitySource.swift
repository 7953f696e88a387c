// SPDX-License-Identifier: Apache-2.0

/// Supplies connectivity to a waiting room.
protocol ConnectivitySource: Sendable {
    /// Delivers the current value as soon as there is one, and then each change, in order, until it is cancelled.
    func follow(_ receive: @escaping @Sendable (Connectivity) -> Void) -> any ConnectivityFollowing

    /// Receives the outcome of an operation.
    func report(_ outcome: ReportedOutcome)

    /// The latest value.
    var current: Connectivity { get }
}

/// Keeps a source's deliveries coming.
protocol ConnectivityFollowing: Sendable {
    func cancel()
}

extension ConnectivityObservation: ConnectivityFollowing {}

extension ConnectivityMonitor: ConnectivitySource {
    func follow(_ receive: @escaping @Sendable (Connectivity) -> Void) -> any ConnectivityFollowing {
        ConnectivityObservation(of: self) { connectivity, isEnded in
            if !isEnded.isSet { receive(connectivity) }
        }
    }
}
