//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a `NetworkRequester` has no value for its caller.
public struct NetworkRequestError: Error, Sendable, CustomStringConvertible {
    /// What became of the request.
    public let outcome: RequestOutcome
    /// What the client threw, or what decoding the body threw; nil where the status alone is the trouble.
    public let underlying: (any Error)?
    /// What the server answered; nil where nothing came.
    public let reply: RequestReply?

    /// Makes an error, for tests and requesters of one's own too.
    public init(_ outcome: RequestOutcome, underlying: (any Error)? = nil, reply: RequestReply? = nil) {
        self.outcome = outcome
        self.underlying = underlying
        self.reply = reply
    }

    /// What to tell a person, in the language of this process.
    public var description: String {
        let advice = outcome.advice()
        return "\(advice.title). \(advice.instruction)"
    }
}

extension NetworkRequestError: RequestFailureConvertible {
    /// What it means for connectivity, so that `withConnectivity` can wait around a requester.
    public var requestFailure: RequestFailure {
        switch outcome {
        // Somebody answered in the server's place, perhaps.
        case .unexpectedBody, .captivePortal: RequestFailure(.unknown)
        // An answer, whatever its status, is no failure of the network.
        case _ where reply != nil: RequestFailure(.invalidRequest)
        default: underlying.map { RequestFailure($0) } ?? RequestFailure(.unknown)
        }
    }
}
