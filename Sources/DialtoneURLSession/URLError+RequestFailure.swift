//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
public import Foundation

extension URLError: RequestFailureConvertible {
    /// What the error means for connectivity, by its code.
    public var requestFailure: RequestFailure {
        switch code {
        case .cancelled: RequestFailure(.cancelled)
        case .timedOut: RequestFailure(.timedOut)
        case .cannotFindHost, .dnsLookupFailed: RequestFailure(.nameNotFound)
        case .cannotConnectToHost: RequestFailure(.cannotConnect)
        case .networkConnectionLost: RequestFailure(.connectionLost)
        case .notConnectedToInternet: RequestFailure(networkUnavailableReason == nil ? .notConnected : .notAllowed)
        case .internationalRoamingOff, .callIsActive, .dataNotAllowed: RequestFailure(.notAllowed)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            RequestFailure(.tlsFailure)
        // A server that asks for a certificate may have read the request by then.
        case .clientCertificateRejected, .clientCertificateRequired:
            RequestFailure(.tlsFailure, mayHaveReachedServer: true)
        case .unknown where isOfTransfer, .badServerResponse where isOfTransfer: RequestFailure(.connectionLost)
        // The connection was there, and what came over it broke off or made no sense.
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .zeroByteResource:
            RequestFailure(.unknown)
        case .badURL, .unsupportedURL, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile,
            .dataLengthExceedsMaximum, .httpTooManyRedirects, .redirectToNonExistentLocation,
            .userAuthenticationRequired, .userCancelledAuthentication, .requestBodyStreamExhausted,
            .appTransportSecurityRequiresSecureConnection:
            RequestFailure(.invalidRequest)
        default: RequestFailure(.unknown)
        }
    }
}

extension URLError {
    /// Whether a transfer ended with it.
    ///
    /// On Linux these codes are what remains of an error of the transfer, which is then attached: mostly a connection that
    /// broke off, or (`badServerResponse`) closed without an answer.
    private var isOfTransfer: Bool {
        #if canImport(Darwin)
        false
        #else
        userInfo[NSUnderlyingErrorKey] != nil
        #endif
    }

    /// The error of a request that found this in its way.
    init(_ reason: WaitReason) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: "\(reason)"]
        if case .notAllowed(let restriction) = reason {
            userInfo[NSURLErrorNetworkUnavailableReasonKey] =
                switch restriction {
                case .cellular: 0
                case .expensive: 1
                case .constrained: 2
                }
        }
        self.init(.notConnectedToInternet, userInfo: userInfo)
    }
}
