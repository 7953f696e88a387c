// SPDX-License-Identifier: Apache-2.0

/// The reason why a `NetworkRequester` could not return a value.
public struct NetworkRequestError: Error, Sendable, CustomStringConvertible {
    /// The outcome of the request.
    public let outcome: RequestOutcome
    /// The error of the client or of decoding the body; nil if the status alone is the problem.
    public let underlying: (any Error)?
    /// The server's response; nil if there was none.
    public let reply: RequestReply?

    /// Creates an error, also for tests and for requesters outside this library.
    public init(_ outcome: RequestOutcome, underlying: (any Error)? = nil, reply: RequestReply? = nil) {
        self.outcome = outcome
        self.underlying = underlying
        self.reply = reply
    }

    /// The text for the user, in the language of this process.
    public var description: String {
        let advice = outcome.advice
        return "\(advice.title). \(advice.instruction)"
    }
}

extension NetworkRequestError: RequestFailureConvertible {
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
