// SPDX-License-Identifier: Apache-2.0

extension NetworkRequester {
    /// The result of a request, in categories that a user can understand.
    ///
    /// Status and error codes decide, never texts. The error is interpreted together with the path: without a network,
    /// Linux reports that the host was not found, where Apple reports that there is no connection.
    ///
    /// ```swift
    /// let outcome = NetworkRequester.Outcome(RequestFailure(.nameNotFound), over: path)  // .offline, if the path says so
    /// print(outcome.advice.title)
    /// ```
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Outcome: Hashable, Sendable {
        /// The server answered as expected.
        case delivered
        /// The server failed: it answered with a status of 500 or more.
        case serverError(status: Int)
        /// The server rejected the request: it answered with a status from 400 to 499.
        case clientError(status: Int)
        /// The server answered, but with an unexpected body.
        case unexpectedBody
        /// This machine is not connected.
        case offline
        /// No answer arrived in time, though this machine is connected.
        case timedOut
        /// The server's name could not be resolved, though this machine is connected.
        case nameNotFound
        /// The server cannot be reached, though this machine is connected.
        case cannotConnect
        /// The connection was lost, though this machine is still connected.
        case connectionLost
        /// A secure connection could not be established.
        case tlsFailure
        /// The network requires a login first.
        case captivePortal
        /// The program cancelled the request.
        case cancelled
        /// The request failed for a reason outside the network, or for an unknown reason.
        case failed
    }
}

extension NetworkRequester.Outcome {
    /// Determines the outcome of a response.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - isBodyExpected: whether the body is what the caller expected; for example, whether it could be decoded.
    ///   - state: the known connectivity; a captive portal answers in the server's place, with an unexpected body.
    public init(status: Int, isBodyExpected: Bool = true, in state: ConnectivityState? = nil) {
        switch status {
        // RFC 6585 section 6: only networks send this status, not servers.
        case 511: self = .captivePortal
        case 500...: self = .serverError(status: status)
        case 400..<500: self = .clientError(status: status)
        case 100..<400 where isBodyExpected && !(300..<400 ~= status && state == .captivePortal): self = .delivered
        case 100..<400: self = state == .captivePortal ? .captivePortal : .unexpectedBody
        default: self = .failed
        }
    }

    /// Determines the outcome of an error.
    ///
    /// - Parameters:
    ///   - failure: the failure that the client reported.
    ///   - path: the path at the time of the failure.
    ///   - state: the known connectivity beyond the path.
    ///   - isPeerNear: whether the server is this machine or on one of its links, so that it needs no path.
    public init(
        _ failure: RequestFailure, over path: NetworkPath, in state: ConnectivityState? = nil, isPeerNear: Bool = false
    ) {
        switch failure.kind {
        case .cancelled: self = .cancelled
        case .invalidRequest: self = .failed
        case .notConnected, .notAllowed: self = .offline
        case .redirectLoop: self = !isPeerNear && state == .captivePortal ? .captivePortal : .unexpectedBody
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

    /// Determines the outcome of an error from everything that a monitor knows.
    public init(_ failure: RequestFailure, in connectivity: Connectivity, isPeerNear: Bool = false) {
        self.init(failure, over: connectivity.path, in: connectivity.state, isPeerNear: isPeerNear)
    }

    /// The name of the case, without its numbers: the key of texts, logs and statistics.
    public var name: String { String("\(self)".prefix { $0 != "(" }) }

    /// The status of a response that indicates a problem; nil for other outcomes.
    public var status: Int? {
        switch self {
        case .serverError(let status), .clientError(let status): status
        default: nil
        }
    }

    /// Whether the server itself answered, so that this machine is online.
    public var isProofOfConnectivity: Bool {
        switch self {
        case .delivered, .serverError, .clientError: true
        default: false
        }
    }

    /// The value to pass to `ConnectivityMonitor.report(_:)`; nil if the outcome says nothing about the network.
    public var report: ConnectivityMonitor.ReportedOutcome? {
        switch self {
        case .delivered, .serverError, .clientError: .reached
        case .offline, .timedOut, .nameNotFound, .cannotConnect, .connectionLost, .tlsFailure, .captivePortal,
            .unexpectedBody:
            .failed
        case .cancelled, .failed: nil
        }
    }
}
