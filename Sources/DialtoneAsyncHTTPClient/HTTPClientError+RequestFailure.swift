// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone

extension HTTPClientError: RequestFailureConvertible {
    /// The client's error as a connectivity failure.
    ///
    /// Only errors from before there was a connection prove that the request was not sent.
    public var requestFailure: RequestFailure {
        switch self {
        case .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            RequestFailure(.timedOut, mayHaveReachedServer: false)
        // An attempt that timed out: it is unknown how far it got.
        case .deadlineExceeded, .readTimeout, .writeTimeout: RequestFailure(.timedOut)
        case .remoteConnectionClosed, .uncleanShutdown: RequestFailure(.connectionLost)
        case .cancelled: RequestFailure(.cancelled)
        case .invalidProxyResponse: RequestFailure(.unknown, mayHaveReachedServer: false)
        case .requestStreamCancelled: RequestFailure(.unknown)
        case .invalidURL, .emptyHost, .missingSocketPath, .alreadyShutdown, .emptyScheme,
            .identityCodingIncorrectlyPresent, .contentLengthMissing,
            .proxyAuthenticationRequired, .redirectLimitReached, .redirectCycleDetected, .traceRequestWithBody,
            .bodyLengthMismatch, .writeAfterRequestSent, .shutdownUnsupported,
            .invalidRedirectConfiguration, .invalidHTTPVersionConfiguration, .invalidDNSOverridesConfiguration,
            .invalidLocalAddress, .invalidProxyConfiguration:
            RequestFailure(.invalidRequest)
        default: RequestFailure(.unknown)
        }
    }
}
#endif
