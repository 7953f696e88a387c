// SPDX-License-Identifier: Apache-2.0

public import Dialtone
public import Foundation

extension URLError: RequestFailureConvertible {
    /// The failure that the error's code represents.
    public var requestFailure: RequestFailure {
        var failure = failureOfCode
        failure.contact = contact
        return failure
    }

    private var failureOfCode: RequestFailure {
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
        case .httpTooManyRedirects: RequestFailure(.redirectLoop)
        // A server that requires a client certificate may already have read the request.
        case .clientCertificateRejected, .clientCertificateRequired:
            RequestFailure(.tlsFailure, mayHaveReachedServer: true)
        case .unknown where rejectedCertificateCode != nil: RequestFailure(.tlsFailure)
        // Without more facts, the connection may have broken off, or there never was one.
        case .unknown where isOfTransfer: RequestFailure(.cannotConnect, mayHaveReachedServer: true)
        case .badServerResponse where isOfTransfer: RequestFailure(.connectionLost)
        // There was a connection, and the data that arrived over it was cut off or malformed.
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .zeroByteResource:
            RequestFailure(.unknown)
        case .badURL, .unsupportedURL, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile,
            .dataLengthExceedsMaximum, .redirectToNonExistentLocation,
            .userAuthenticationRequired, .userCancelledAuthentication, .requestBodyStreamExhausted,
            .appTransportSecurityRequiresSecureConnection:
            RequestFailure(.invalidRequest)
        default: RequestFailure(.unknown)
        }
    }
}

extension URLError {
    /// The host to which no connection was made; nil if the error does not name it.
    private var contact: HostTarget? {
        #if canImport(Darwin)
        return failingURL.flatMap { HostTarget.contact(for: $0) }
        #else
        // Foundation's URL is that of the task, also after a redirect, so only libcurl's text names the host.
        guard let text = textOfTransfer else { return nil }
        if let match = text.wholeMatch(of: /Failed to connect to (.+?) port (\d+)\D.*/) {
            return try? HostTarget(match.1, port: UInt16(match.2))
        }
        return text.wholeMatch(of: /Could not resolve (?:host|proxy): (.+)/).flatMap {
            try? HostTarget($0.1, port: nil)
        }
        #endif
    }

    #if !canImport(Darwin)
    /// Libcurl's words.
    private var textOfTransfer: String? { (userInfo[NSUnderlyingErrorKey] as? any Error)?.localizedDescription }
    #endif

    /// The code for a server's certificate that libcurl rejected; nil for any other error.
    ///
    /// On Linux, Foundation reports libcurl's `CURLE_PEER_FAILED_VERIFICATION` as `unknown`, so only libcurl's text
    /// distinguishes it.
    var rejectedCertificateCode: Code? {
        #if canImport(Darwin)
        nil
        #else
        guard code == .unknown else { return nil }
        let texts = [userInfo[NSLocalizedDescriptionKey] as? String, textOfTransfer].compactMap(\.self)
        guard let text = texts.first(where: { $0.hasPrefix("SSL") }) else { return nil }
        if text.contains("certificate is not yet valid") { return .serverCertificateNotYetValid }
        if text.contains("certificate has expired") { return .serverCertificateHasBadDate }
        return text.contains("certificate") ? .serverCertificateUntrusted : nil
        #endif
    }

    /// Whether the error ended a transfer.
    ///
    /// On Linux, Foundation reports transfer errors with unspecific codes, and attaches the original error. Mostly, there
    /// was no connection or it broke off (`unknown`), or it was closed without an answer (`badServerResponse`).
    private var isOfTransfer: Bool {
        #if canImport(Darwin)
        false
        #else
        userInfo[NSUnderlyingErrorKey] != nil
        #endif
    }
}
