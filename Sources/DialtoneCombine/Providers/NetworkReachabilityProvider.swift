// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

/// An object that reports whether the network can be reached, by any means.
public protocol NetworkReachabilityProvider: AnyObject {
    /// The status: while listening, the current one first, then each different one.
    ///
    /// There is no value before listening starts. The publisher completes when the provider is released.
    var networkStatusHandler: AnyPublisher<NetworkReachabilityStatus, Never> { get }

    /// Starts listening immediately, whether or not the result has a subscriber.
    ///
    /// - Returns: one value, whether the provider is listening now, then completion. If it was already listening, the
    ///   value is true and nothing changes.
    @discardableResult
    func startListening() -> AnyPublisher<Bool, Never>

    /// Stops listening; has no effect if it is not listening.
    ///
    /// The provider may be started again, and then reports the current status again.
    func stopListening()
}

/// Whether the network can be reached, and over what type of connection.
public enum NetworkReachabilityStatus: Hashable, Sendable {
    /// The reachability is unknown.
    case unknown
    /// The network cannot be reached.
    case notReachable
    /// The network can be reached over this type of connection.
    case reachable(ConnectionType)

    /// The types of connection that are distinguished.
    public enum ConnectionType: Hashable, Sendable, CaseIterable {
        /// Any connection except a mobile network.
        case ethernetOrWiFi
        /// A mobile network.
        case wwan
    }

    /// Whether the network can be reached.
    public var isReachable: Bool {
        if case .reachable = self { true } else { false }
    }
}

#endif
