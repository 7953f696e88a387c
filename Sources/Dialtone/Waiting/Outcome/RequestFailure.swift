// SPDX-License-Identifier: Apache-2.0

/// The reason why a request got no response, independent of the HTTP client.
///
/// The adapters for HTTP clients create these from the clients' errors. For another client, make its errors
/// `RequestFailureConvertible`, or throw this.
public struct RequestFailure: Error, Hashable, Sendable {
    /// The kind of problem.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// This machine was not connected to any network.
        case notConnected
        /// There was a network, but the request was not allowed to use it: cellular, expensive, constrained, roaming.
        case notAllowed
        /// No answer arrived in time.
        case timedOut
        /// The server's name could not be resolved.
        case nameNotFound
        /// No connection to the server could be made.
        case cannotConnect
        /// The connection was lost.
        case connectionLost
        /// A secure connection could not be established, or the certificate is not trusted.
        case tlsFailure
        /// Redirects led in a circle, or there were too many: some login pages do this to programs.
        case redirectLoop
        /// The program cancelled the request.
        case cancelled
        /// The request, or the processing of the response, is at fault; the network is not.
        case invalidRequest
        /// The error does not indicate a cause.
        case unknown
    }

    /// The kind of problem.
    public var kind: Kind
    /// Whether the server may have received the request; false only if it provably has not.
    public var mayHaveReachedServer: Bool
    /// The host to which no connection was made; nil if it is unknown.
    ///
    /// After a redirect it is not the request's own, which has received the request.
    package var contact: HostTarget?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - kind: the kind of problem.
    ///   - mayHaveReachedServer: whether the server may have received the request; by default, this follows from the
    ///     kind.
    public init(_ kind: Kind, mayHaveReachedServer: Bool? = nil) {
        self.kind = kind
        self.mayHaveReachedServer = mayHaveReachedServer ?? kind.mayHaveReachedServer
    }

    /// Whether the connection that failed was to another host or port; not if one of them is unknown.
    func isOfOtherHost(than first: HostTarget?) -> Bool {
        guard let first, let contact else { return false }
        if first.host != contact.host { return true }
        guard let port = first.port, let otherPort = contact.port else { return false }
        return port != otherPort
    }
}

extension RequestFailure.Kind {
    /// Whether a request with this kind of failure may have reached the server, if nothing else is known about it.
    fileprivate var mayHaveReachedServer: Bool {
        switch self {
        case .notConnected, .notAllowed, .nameNotFound, .cannotConnect, .tlsFailure: false
        case .timedOut, .connectionLost, .redirectLoop, .cancelled, .invalidRequest, .unknown: true
        }
    }

    /// Whether a failure to connect may be due to a router's uplink, which nothing on this machine shows.
    var mayBeOfUplink: Bool { self == .cannotConnect || self == .timedOut }

    /// Whether the failure suggests a loss of connectivity, so that another network, or waiting, may help.
    public var isOfConnectivity: Bool {
        switch self {
        case .notConnected, .notAllowed, .timedOut, .nameNotFound, .cannotConnect, .connectionLost: true
        case .tlsFailure, .redirectLoop, .cancelled, .invalidRequest, .unknown: false
        }
    }
}

/// An error that can be converted to a `RequestFailure`.
///
/// Errors of your own client may conform, so that `withConnectivity` and `NetworkRequester.Outcome` understand them.
public protocol RequestFailureConvertible: Error {
    /// The failure that this error represents.
    var requestFailure: RequestFailure { get }
}

extension RequestFailure: RequestFailureConvertible {
    /// The failure itself.
    public var requestFailure: RequestFailure { self }

    /// Creates the failure that an arbitrary error represents.
    ///
    /// `CancellationError` becomes `cancelled`; every other error that is not `RequestFailureConvertible` becomes
    /// `unknown`.
    public init(_ error: any Error) {
        switch error {
        case let error as any RequestFailureConvertible: self = error.requestFailure
        case is CancellationError: self.init(.cancelled)
        default: self.init(.unknown)
        }
    }
}

extension HostError: RequestFailureConvertible {
    /// The failure of a request to a host that is unreachable for this reason.
    public var requestFailure: RequestFailure {
        switch code {
        case .noRoute: RequestFailure(.notConnected)
        case .routerSilent: RequestFailure(.cannotConnect)
        case .nameNotFound, .noAddress, .resolverFailed, .resolverRefused, .resolverSilent, .resolverUnreachable:
            RequestFailure(.nameNotFound)
        case .timedOut: RequestFailure(.timedOut, mayHaveReachedServer: false)
        case .refused, .unreachable, .reset: RequestFailure(.cannotConnect)
        case .denied: RequestFailure(.notAllowed)
        default: RequestFailure(.unknown, mayHaveReachedServer: false)
        }
    }
}
