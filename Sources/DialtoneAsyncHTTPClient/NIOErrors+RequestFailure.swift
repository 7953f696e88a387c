// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient

public import AsyncHTTPClient
public import Dialtone
import LibC
public import NIOCore
public import NIOHTTP1
public import NIOPosix
public import NIOSSL

extension NIOConnectionError: RequestFailureConvertible {
    /// There was no connection, so the request was not sent: the name was not found, or none of its addresses answered.
    public var requestFailure: RequestFailure {
        let causes = connectionErrors.map { RequestFailure($0.error).kind }
        let lacksName = causes.isEmpty && (dnsAError != nil || dnsAAAAError != nil)
        let isLate = !causes.isEmpty && causes.allSatisfy { $0 == .timedOut }
        var failure = RequestFailure(
            lacksName ? .nameNotFound : isLate ? .timedOut : .cannotConnect, mayHaveReachedServer: false)
        failure.contact = try? HostTarget(host[...], port: UInt16(exactly: port))
        return failure
    }
}

extension IOError: RequestFailureConvertible {
    /// The kernel's error as a connectivity failure, by its number.
    ///
    /// Only numbers with which an established connection cannot end prove that the request was not sent.
    public var requestFailure: RequestFailure {
        switch errnoCode {
        case ECONNREFUSED, EADDRNOTAVAIL: RequestFailure(.cannotConnect)
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN:
            RequestFailure(.cannotConnect, mayHaveReachedServer: true)
        case ETIMEDOUT: RequestFailure(.timedOut)
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ENETRESET: RequestFailure(.connectionLost)
        case EACCES, EPERM: RequestFailure(.notAllowed, mayHaveReachedServer: true)
        default: RequestFailure(.unknown)
        }
    }
}

extension ChannelError: RequestFailureConvertible {
    /// The channel's error as a connectivity failure.
    public var requestFailure: RequestFailure {
        switch self {
        case .connectTimeout: RequestFailure(.timedOut, mayHaveReachedServer: false)
        case .ioOnClosedChannel, .alreadyClosed, .outputClosed, .inputClosed, .eof: RequestFailure(.connectionLost)
        default: RequestFailure(.unknown)
        }
    }
}

extension HTTPParserError: RequestFailureConvertible {
    /// A connection that ended in the middle of a response, or an answer that is not HTTP.
    public var requestFailure: RequestFailure { RequestFailure(self == .invalidEOFState ? .connectionLost : .unknown) }
}

extension SocketAddressError.UnknownHost: RequestFailureConvertible {
    /// The name was not found.
    public var requestFailure: RequestFailure { RequestFailure(.nameNotFound) }
}

extension NIOSSLError: RequestFailureConvertible {
    /// The error of a secure connection as a connectivity failure: no request is sent before the handshake is complete.
    public var requestFailure: RequestFailure {
        switch self {
        case .uncleanShutdown, .writeDuringTLSShutdown, .shutdownFailed: RequestFailure(.connectionLost)
        case .handshakeFailed, .unableToValidateCertificate, .noCertificateToValidate, .cannotMatchULabel,
            .cannotFindPeerIP:
            RequestFailure(.tlsFailure)
        case .noSuchFilesystemObject, .failedToLoadCertificate, .failedToLoadPrivateKey:
            RequestFailure(.invalidRequest)
        default: RequestFailure(.tlsFailure, mayHaveReachedServer: true)
        }
    }
}

extension NIOSSLExtraError: RequestFailureConvertible {
    /// The server's identity does not match, or the client is configured so that it cannot be verified.
    public var requestFailure: RequestFailure { RequestFailure(.tlsFailure) }
}

extension BoringSSLError: RequestFailureConvertible {
    /// A secure connection failed at an unknown time.
    public var requestFailure: RequestFailure { RequestFailure(.tlsFailure, mayHaveReachedServer: true) }
}

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
        case .redirectLimitReached, .redirectCycleDetected: RequestFailure(.redirectLoop)
        case .invalidProxyResponse: RequestFailure(.unknown, mayHaveReachedServer: false)
        case .requestStreamCancelled: RequestFailure(.unknown)
        case .invalidURL, .emptyHost, .missingSocketPath, .alreadyShutdown, .emptyScheme,
            .identityCodingIncorrectlyPresent, .contentLengthMissing,
            .proxyAuthenticationRequired, .traceRequestWithBody,
            .bodyLengthMismatch, .writeAfterRequestSent, .shutdownUnsupported,
            .invalidRedirectConfiguration, .invalidHTTPVersionConfiguration, .invalidDNSOverridesConfiguration,
            .invalidLocalAddress, .invalidProxyConfiguration:
            RequestFailure(.invalidRequest)
        default: RequestFailure(.unknown)
        }
    }
}

#endif
