// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

extension NetworkRequester {
    /// The reason why a `NetworkRequester` could not return a value.
    public struct RequestError: Error, Sendable, CustomStringConvertible {
        /// The outcome of the request.
        public let outcome: NetworkRequester.Outcome
        /// Why the network kept the request from an answer, in one or two sentences for a user; nil if the network is not
        /// known to be the cause.
        public let reason: String?
        /// The error of the client or of decoding the body; nil if the status alone is the problem.
        public let underlying: (any Error)?
        /// The server's response; nil if there was none.
        public let reply: NetworkRequester.Reply?

        /// Creates an error, also for tests and for requesters outside this library.
        public init(
            _ outcome: NetworkRequester.Outcome, reason: String? = nil, underlying: (any Error)? = nil,
            reply: NetworkRequester.Reply? = nil
        ) {
            self.outcome = outcome
            self.reason = reason
            self.underlying = underlying
            self.reply = reply
        }

        /// The text for the user, in the language of this process.
        public var description: String {
            let advice = outcome.advice(because: reason)
            return "\(advice.title). \(advice.instruction)"
        }
    }
}

extension NetworkRequester.RequestError: LocalizedError {
    /// The text for the user, which is also the error's `localizedDescription`.
    public var errorDescription: String? { description }

    /// The cause in the network, if it is known.
    public var failureReason: String? { reason }
}

extension NetworkRequester.RequestError: RequestFailureConvertible {
    /// The failure that this error represents, so that `withConnectivity` can wait around a requester.
    public var requestFailure: RequestFailure {
        switch outcome {
        // Another machine may have answered in the server's place.
        case .unexpectedBody, .captivePortal: RequestFailure(.unknown)
        // An answer, with any status, is not a failure of the network.
        case _ where reply != nil: RequestFailure(.invalidRequest)
        default: underlying.map { RequestFailure($0) } ?? RequestFailure(.unknown)
        }
    }
}
