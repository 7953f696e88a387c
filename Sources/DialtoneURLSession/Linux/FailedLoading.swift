// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import Foundation

/// The failure of a loader, and what follows from it.
struct FailedLoading {
    /// The loader's error.
    let error: any Error
    /// The facts about its transfer; nil if they could not be read.
    let facts: TransferFacts?
    /// Whether the loader had received a response.
    let hasResponse: Bool
    let isIdempotent: Bool
    /// Whether the task is set to wait, and not suspended or cancelled.
    let mayWait: Bool
    /// The current obstacle to another attempt; nil if the network seems to work, or the task does not need it.
    let obstacle: WaitReason?

    enum Decision {
        /// The task ends with this error.
        case end(any Error)
        /// The task waits until the obstacle is gone.
        case wait
        /// The cause decides, and must be determined first.
        case findCause(FailedConnection)
    }

    var decision: Decision {
        guard let original = error as? URLError else { return .end(error) }
        let error = original.specified(by: facts)
        var failure = RequestFailure(error)
        // Once there was a connection, a failure is the task's error, even if the request could be repeated.
        let isUnconnected = facts.map { $0.sentBytes == 0 } ?? (isIdempotent || !failure.mayHaveReachedServer)
        guard !hasResponse, isUnconnected, failure.kind.isOfConnectivity else { return .end(URLError.described(error)) }
        failure.mayHaveReachedServer = false
        if let obstacle { return mayWait ? .wait : .end(URLError(obstacle)) }
        // A refusal shows that the host was reached.
        guard mayWait, original.code != .cannotConnectToHost else { return .end(URLError.described(error)) }
        return .findCause(FailedConnection(error: error, failure: failure))
    }
}

/// A connection that could not be established although nothing is known to be wrong with the network.
struct FailedConnection {
    let error: URLError
    let failure: RequestFailure

    enum Decision: Equatable {
        /// The task waits until the network can carry the connection.
        case wait
        /// The task tries again, once.
        case retry
        case end(URLError)
    }

    /// What follows from the cause; nil if nothing is wrong now.
    func decision(after cause: HostError?, hasRetried: Bool) -> Decision {
        switch ConnectionVerdict(cause, after: failure) {
        case .wait: return .wait
        // The network may have returned since the attempt.
        case .fail where cause == nil && error.code != .timedOut && !hasRetried: return .retry
        case .fail(let failure):
            let code: URLError.Code =
                switch failure.kind {
                case .nameNotFound: .cannotFindHost
                case .cannotConnect: .cannotConnectToHost
                default: error.code
                }
            return .end(URLError(describing: code, userInfo: error.userInfo, reason: cause?.description))
        }
    }
}

extension URLError {
    /// The error with the code that the facts about the transfer show.
    ///
    /// Foundation reports most errors of connecting as `unknown`.
    fileprivate func specified(by facts: TransferFacts?) -> URLError {
        guard code == .unknown, let facts, facts.sentBytes == 0, facts.connectError != 0 else { return self }
        return URLError(
            describing: facts.connectError == ETIMEDOUT ? .timedOut : .cannotConnectToHost, userInfo: userInfo)
    }
}

#endif
