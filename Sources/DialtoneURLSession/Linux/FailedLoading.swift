// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import Foundation

/// The failure of a loader, and what follows from it.
struct FailedLoading {
    let error: any Error
    /// The facts about its transfer; nil if they could not be read.
    let facts: TransferFacts?
    /// Whether the loader had received a response.
    let hasResponse: Bool
    let isIdempotent: Bool
    /// Whether the task is set to wait, and not suspended or cancelled.
    let mayWait: Bool
    /// The current obstacle to another attempt; nil if the network seems to work, or the task does not need it.
    let obstacle: WaitingPolicy.Obstacle?

    enum Decision {
        /// The task ends with this error.
        case end(any Error)
        /// The task waits or tries again if the network is at fault, which must be determined first.
        case mayRetry(FailedConnection)
    }

    var decision: Decision {
        guard let original = error as? URLError else { return .end(error) }
        let error = original.specified(by: facts)
        var failure = RequestFailure(error)
        // Once there was a connection, a failure is the task's error, even if the request could be repeated.
        let isUnconnected = facts.map { $0.sentBytes == 0 } ?? (isIdempotent || !failure.mayHaveReachedServer)
        guard !hasResponse, isUnconnected, failure.kind.isOfConnectivity else { return .end(URLError.described(error)) }
        failure.mayHaveReachedServer = false
        if let obstacle, !mayWait { return .end(URLError(obstacle)) }
        // A refusal shows that the host was reached, and so does a reset.
        let wasReached = original.code == .cannotConnectToHost || facts?.wasReset == true
        guard mayWait, obstacle != nil || !wasReached else { return .end(URLError.described(error)) }
        return .mayRetry(FailedConnection(error: error, failure: failure))
    }
}

/// A connection that could not be established.
struct FailedConnection {
    let error: URLError
    let failure: RequestFailure

    /// The error of a task that ends with this failure.
    ///
    /// - Parameters:
    ///   - failure: the failure, as the cause specifies it.
    ///   - cause: the network's error; nil without one.
    func error(_ failure: RequestFailure, because cause: HostError?) -> URLError {
        let code: URLError.Code =
            switch failure.kind {
            case .nameNotFound: .cannotFindHost
            case .cannotConnect: .cannotConnectToHost
            case .notAllowed: .notConnectedToInternet
            default: error.code
            }
        return URLError(describing: code, userInfo: error.userInfo, reason: cause?.description)
    }
}

extension URLError {
    /// The error with the code that the facts about the transfer show.
    ///
    /// Foundation reports most errors of connecting as `unknown`.
    fileprivate func specified(by facts: TransferFacts?) -> URLError {
        guard code == .unknown else { return self }
        if let code = rejectedCertificateCode { return URLError(describing: code, userInfo: userInfo) }
        guard let facts, facts.sentBytes == 0 else { return self }
        let code: URLError.Code
        switch (facts.certificateError, facts.connectError) {
        // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED
        case (9, _): code = .serverCertificateNotYetValid
        case (10, _): code = .serverCertificateHasBadDate
        case let (error, _) where error > TransferFacts.noCertificate: code = .serverCertificateUntrusted
        case (_, ETIMEDOUT): code = .timedOut
        case _ where facts.wasReset: code = .networkConnectionLost
        // Nothing was sent over a connection: its handshake failed.
        case _ where facts.isConnected: code = .secureConnectionFailed
        case (_, 0): return self
        default: code = .cannotConnectToHost
        }
        return URLError(describing: code, userInfo: userInfo)
    }
}

#endif
