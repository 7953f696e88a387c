// SPDX-License-Identifier: Apache-2.0

public import Observation

/// Connectivity as an observable object, for SwiftUI and other users of the Observation module.
///
/// ```swift
/// let model = ConnectivityModel()
/// for await reason in Observations({ model.reason }) {
///     print(reason ?? "online")
/// }
/// ```
///
/// Before version 26 of Apple's systems, use `withObservationTracking`. It changes on the main actor. Before the first definite value, it holds the monitor's current value.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class ConnectivityModel {
    /// The newest value.
    public private(set) var connectivity: Connectivity

    @ObservationIgnored private var observation: ConnectivityObservation?

    /// Creates a model that observes a monitor for as long as the model exists.
    public init(_ monitor: ConnectivityMonitor = .shared) {
        connectivity = monitor.current
        observation = monitor.observe { [weak self] in self?.connectivity = $0 }
    }

    /// Creates a model that always has one value, for previews and for tests of views.
    public init(showing connectivity: Connectivity) { self.connectivity = connectivity }

    /// Whether this machine is online, as one value.
    public var state: ConnectivityState { connectivity.state }

    /// Whether the Internet has answered.
    public var isOnline: Bool { connectivity.isOnline }

    /// Why this machine is not online, in one sentence for a user; nil while it is online.
    public var reason: String? { connectivity.reason }
}
