//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a request got no response, whatever client made it.
///
/// The adapters of the clients make these from their errors; a client of one's own can make its errors
/// `RequestFailureConvertible`, or throw this.
public struct RequestFailure: Error, Hashable, Sendable {
    /// What went wrong.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// There was no connection to any network.
        case notConnected
        /// There was one, but the request was not allowed to use it: cellular, expensive, constrained, roaming.
        case notAllowed
        /// No answer came in time.
        case timedOut
        /// The server's name was not found.
        case nameNotFound
        /// No connection to the server could be made.
        case cannotConnect
        /// The connection broke off.
        case connectionLost
        /// No secure connection came about, or the certificate is not to be trusted.
        case tlsFailure
        /// The program itself no longer wanted the answer.
        case cancelled
        /// The request, or what was done with the response, is at fault: the network has nothing to do with it.
        case invalidRequest
        /// The error tells nothing.
        case unknown
    }

    /// What went wrong.
    public var kind: Kind
    /// Whether the server may have seen the request; false only where it provably has not.
    public var mayHaveReachedServer: Bool

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - kind: what went wrong.
    ///   - mayHaveReachedServer: whether the server may have seen the request; without it, what follows from the kind.
    public init(_ kind: Kind, mayHaveReachedServer: Bool? = nil) {
        self.kind = kind
        self.mayHaveReachedServer = mayHaveReachedServer ?? kind.mayHaveReachedServer
    }
}

extension RequestFailure.Kind {
    /// Whether a request that failed like this, and nothing more is known of, may have arrived.
    fileprivate var mayHaveReachedServer: Bool {
        switch self {
        case .notConnected, .notAllowed, .nameNotFound, .cannotConnect, .tlsFailure: false
        case .timedOut, .connectionLost, .cancelled, .invalidRequest, .unknown: true
        }
    }

    /// Whether it speaks against connectivity, so that another network, or waiting, may help.
    public var isOfConnectivity: Bool {
        switch self {
        case .notConnected, .notAllowed, .timedOut, .nameNotFound, .cannotConnect, .connectionLost: true
        case .tlsFailure, .cancelled, .invalidRequest, .unknown: false
        }
    }
}

/// An error that can say what it means for connectivity.
///
/// Errors of one's own client may conform, so that `withConnectivity` and `RequestOutcome` understand them.
public protocol RequestFailureConvertible: Error {
    /// What it means.
    var requestFailure: RequestFailure { get }
}

extension RequestFailure: RequestFailureConvertible {
    /// Itself.
    public var requestFailure: RequestFailure { self }

    /// What any error means, as far as it says.
    ///
    /// Errors that are not `RequestFailureConvertible` say `unknown`, and `CancellationError` says `cancelled`.
    public init(_ error: any Error) {
        switch error {
        case let error as any RequestFailureConvertible: self = error.requestFailure
        case is CancellationError: self.init(.cancelled)
        default: self.init(.unknown)
        }
    }
}

extension HostError: RequestFailureConvertible {
    /// What a host that cannot be reached means for a request to it.
    public var requestFailure: RequestFailure {
        switch code {
        case .noRoute: RequestFailure(.notConnected)
        case .nameNotFound, .noAddress, .resolverFailed: RequestFailure(.nameNotFound)
        case .timedOut: RequestFailure(.timedOut, mayHaveReachedServer: false)
        case .refused, .unreachable, .reset: RequestFailure(.cannotConnect)
        case .denied: RequestFailure(.notAllowed)
        default: RequestFailure(.unknown, mayHaveReachedServer: false)
        }
    }
}
