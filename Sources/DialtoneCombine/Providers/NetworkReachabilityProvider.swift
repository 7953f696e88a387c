//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

/// Something that tells whether the network can be reached, however it finds out.
public protocol NetworkReachabilityProvider: AnyObject {
    /// The status: while listening the present one first, then each that differs.
    ///
    /// Before listening there is none. Completes when the provider is gone.
    var networkStatusHandler: AnyPublisher<NetworkReachabilityStatus, Never> { get }

    /// Begins to listen, at once, whether or not anybody subscribes to the result.
    ///
    /// - Returns: one value, whether it listens now, and the completion. Listening already is true too, and changes nothing.
    @discardableResult
    func startListening() -> AnyPublisher<Bool, Never>

    /// Stops listening; does nothing when it does not. It may be started again, and then tells the present status anew.
    func stopListening()
}

/// Whether, and over what, the network can be reached.
public enum NetworkReachabilityStatus: Hashable, Sendable {
    /// It is not known.
    case unknown
    /// It cannot be reached.
    case notReachable
    /// It can be reached, over this.
    case reachable(ConnectionType)

    /// Kinds of connections.
    public enum ConnectionType: Hashable, Sendable, CaseIterable {
        /// Anything but a mobile network.
        case ethernetOrWiFi
        /// A mobile network.
        case wwan
    }

    /// Whether it can be reached.
    public var isReachable: Bool {
        if case .reachable = self { true } else { false }
    }
}

#endif
