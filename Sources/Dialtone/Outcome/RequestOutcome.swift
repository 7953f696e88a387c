//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What became of a request, in the words that a person is to be told.
///
/// Numbers and codes decide, never texts. Error and path together tell: without a network Linux says that the host was
/// not found, where Apple says that there is no connection.
///
/// ```swift
/// let outcome = RequestOutcome(RequestFailure(.nameNotFound), over: path)  // .offline, if the path says so
/// print(outcome.advice().title)
/// ```
public enum RequestOutcome: Hashable, Sendable {
    /// The server answered as it should.
    case delivered
    /// The server is in trouble: it answered with a status of 500 or more.
    case serverError(status: Int)
    /// The server does not accept the request: it answered with a status from 400 to 499.
    case clientError(status: Int)
    /// The server answered, but not with what was expected.
    case unexpectedBody
    /// This machine is not connected.
    case offline
    /// No answer came in time, though this machine is connected.
    case timedOut
    /// The server's name was not found, though this machine is connected.
    case nameNotFound
    /// The server does not accept connections, though this machine is connected.
    case cannotConnect
    /// The connection broke off, though this machine is still connected.
    case connectionLost
    /// No secure connection came about.
    case tlsFailure
    /// The network wants a login first.
    case captivePortal
    /// The program itself no longer wanted the answer.
    case cancelled
    /// It failed for a reason that is not the network's, or that nobody tells.
    case failed
}

extension RequestOutcome {
    /// What a response means.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - isBodyExpected: whether the body is what was asked for; for example whether it could be decoded.
    ///   - state: what is known of the Internet; a portal answers in the server's place, and not with what was expected.
    public init(status: Int, isBodyExpected: Bool = true, in state: ConnectivityState? = nil) {
        switch status {
        // RFC 6585 section 6: only networks say this, not servers.
        case 511: self = .captivePortal
        case 500...: self = .serverError(status: status)
        case 400..<500: self = .clientError(status: status)
        case 100..<400 where isBodyExpected && !(300..<400 ~= status && state == .captivePortal): self = .delivered
        case 100..<400: self = state == .captivePortal ? .captivePortal : .unexpectedBody
        default: self = .failed
        }
    }

    /// What an error means.
    ///
    /// - Parameters:
    ///   - failure: what the client says.
    ///   - path: the path at the time of the failure.
    ///   - state: what is known of the Internet beyond the path.
    ///   - isPeerNear: whether the server is this machine or on a link of it, where no path is needed.
    public init(
        _ failure: RequestFailure, over path: NetworkPath, in state: ConnectivityState? = nil, isPeerNear: Bool = false
    ) {
        switch failure.kind {
        case .cancelled: self = .cancelled
        case .invalidRequest: self = .failed
        case .notConnected, .notAllowed: self = .offline
        case .tlsFailure: self = state == .captivePortal ? .captivePortal : .tlsFailure
        case _ where !isPeerNear && !path.isUnknown && path.status != .satisfied: self = .offline
        case _ where !isPeerNear && state == .captivePortal: self = .captivePortal
        case .timedOut: self = .timedOut
        case .nameNotFound: self = .nameNotFound
        case .cannotConnect: self = .cannotConnect
        case .connectionLost: self = .connectionLost
        case .unknown: self = .failed
        }
    }

    /// What an error means, in the light of all that a monitor knows.
    public init(_ failure: RequestFailure, in connectivity: Connectivity, isPeerNear: Bool = false) {
        self.init(failure, over: connectivity.path, in: connectivity.state, isPeerNear: isPeerNear)
    }
}

extension RequestOutcome {
    /// What it is, without its numbers; the key of texts, logs and statistics.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case delivered, serverError, clientError, unexpectedBody, offline, timedOut, nameNotFound, cannotConnect
        case connectionLost, tlsFailure, captivePortal, cancelled, failed
    }

    /// What it is, without its numbers.
    public var code: Code {
        switch self {
        case .delivered: .delivered
        case .serverError: .serverError
        case .clientError: .clientError
        case .unexpectedBody: .unexpectedBody
        case .offline: .offline
        case .timedOut: .timedOut
        case .nameNotFound: .nameNotFound
        case .cannotConnect: .cannotConnect
        case .connectionLost: .connectionLost
        case .tlsFailure: .tlsFailure
        case .captivePortal: .captivePortal
        case .cancelled: .cancelled
        case .failed: .failed
        }
    }

    /// The status of a response that tells of trouble.
    public var status: Int? {
        switch self {
        case .serverError(let status), .clientError(let status): status
        default: nil
        }
    }

    /// Whether the server itself has answered, so that this machine is online.
    public var isProofOfConnectivity: Bool {
        switch self {
        case .delivered, .serverError, .clientError: true
        default: false
        }
    }

    /// What to tell `ConnectivityMonitor.report(_:)`; nil where the outcome says nothing about the network.
    public var report: ReportedOutcome? {
        switch self {
        case .delivered, .serverError, .clientError: .reached
        case .offline, .timedOut, .nameNotFound, .cannotConnect, .connectionLost, .tlsFailure, .captivePortal,
            .unexpectedBody:
            .failed
        case .cancelled, .failed: nil
        }
    }
}
