// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

extension NetworkRequester {
    /// The connectivity of a program, derived from the outcome of its last request.
    ///
    /// It starts as `unknown`, is `checking` while a request is under way, and then reflects the result of the request.
    public struct Status: Hashable, Sendable {
        /// The connectivity as one value.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum State: String, Hashable, Sendable, CaseIterable, Codable {
            /// No request has ended yet.
            case unknown
            /// A request is under way.
            case checking
            /// The server answered, based upon the last request.
            case online
            /// There is no connection, or the network requires a login first.
            case offline
            /// The server failed: it answered with a status of 500 or more.
            case serverTrouble
            /// No usable answer arrived, though this machine is connected; the outcome gives the reason.
            case failed
        }

        /// The connectivity as one value.
        public var state: State
        /// The outcome of the last request that has ended; nil before the first.
        ///
        /// It is kept while another request is under way.
        public var outcome: NetworkRequester.Outcome?
        /// Why the network kept that request from an answer, in one or two sentences for a user; nil if the network is not
        /// known to be the cause.
        public var reason: String?
        /// The time at which that request ended; nil before the first.
        public var updatedAt: Date?

        /// Creates a status; without arguments, the initial one.
        public init(
            _ state: State = .unknown, outcome: NetworkRequester.Outcome? = nil, reason: String? = nil,
            updatedAt: Date? = nil
        ) {
            self.state = state
            self.outcome = outcome
            self.reason = reason
            self.updatedAt = updatedAt
        }

        /// Whether the last request that ended got a response, with any status: a 404 or a 503 also shows that the
        /// connection works.
        public var isOnline: Bool { outcome?.isProofOfConnectivity ?? false }
    }
}

extension NetworkRequester.Status.State {
    /// Creates the state that follows from an outcome; nil for a cancelled request.
    package init?(_ outcome: NetworkRequester.Outcome) {
        switch outcome {
        case .cancelled: return nil
        case .delivered, .clientError: self = .online
        case .serverError: self = .serverTrouble
        case .offline, .captivePortal: self = .offline
        case .unexpectedBody, .timedOut, .nameNotFound, .cannotConnect, .connectionLost, .tlsFailure, .failed:
            self = .failed
        }
    }
}
