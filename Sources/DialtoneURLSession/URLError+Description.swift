// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

extension URLError {
    /// Creates an error with a sentence for its code.
    ///
    /// On Linux, Foundation's errors have libcurl's words, or none. The original error stays the underlying one.
    init(describing code: Code, userInfo: [String: Any] = [:], reason: String? = nil) {
        var userInfo = userInfo
        userInfo[NSLocalizedDescriptionKey] = code.sentence
        if let reason { userInfo[NSLocalizedFailureReasonErrorKey] = reason }
        self.init(code, userInfo: userInfo)
    }

    /// Returns an error of Foundation with a sentence for its code, and any other error as it is.
    static func described(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return error }
        // An error with a text and without an underlying error is not Foundation's.
        let hasText = error.userInfo[NSLocalizedDescriptionKey] != nil
        let isFoundations = !hasText || error.userInfo[NSUnderlyingErrorKey] != nil
        // The code says nothing, so libcurl's words are the only explanation.
        if error.code == .unknown, hasText, error.rejectedCertificateCode == nil { return error }
        return isFoundations
            ? URLError(describing: error.rejectedCertificateCode ?? error.code, userInfo: error.userInfo) : error
    }

    /// Creates the error of a request that was blocked by an obstacle, which is its failure reason.
    init(_ reason: WaitingPolicy.Obstacle) {
        var userInfo: [String: Any] = [:]
        if case .notAllowed(let restriction) = reason {
            // The restrictions are in the order of Apple's numbers.
            userInfo[NSURLErrorNetworkUnavailableReasonKey] =
                InterfacePolicy.Restriction.allCases.firstIndex(of: restriction)
        }
        self.init(describing: .notConnectedToInternet, userInfo: userInfo, reason: "\(reason)")
    }
}

extension URLError.Code {
    /// One sentence for a user.
    var sentence: String {
        switch self {
        case .cancelled: "The request was cancelled."
        case .badURL, .unsupportedURL: "This URL is not supported."
        case .timedOut: "The request timed out."
        case .cannotFindHost, .dnsLookupFailed: "The server's name could not be found."
        case .cannotConnectToHost: "Could not connect to the server."
        case .networkConnectionLost: "The network connection was lost."
        case .resourceUnavailable: "The requested resource is not available."
        case .notConnectedToInternet: "The Internet connection appears to be offline."
        case .internationalRoamingOff: "Data roaming is switched off."
        case .callIsActive: "A call prevents the use of mobile data."
        case .dataNotAllowed: "This network may not be used for data."
        case .httpTooManyRedirects: "The server redirected the request too many times."
        case .redirectToNonExistentLocation: "The server redirected the request to an invalid address."
        case .badServerResponse: "The server sent no valid response."
        case .cannotParseResponse: "The server's response could not be understood."
        case .zeroByteResource: "The server sent an empty response."
        case .cannotDecodeRawData, .cannotDecodeContentData: "The server's response could not be decoded."
        case .dataLengthExceedsMaximum: "The server's response is too large."
        case .userAuthenticationRequired, .userCancelledAuthentication: "The server requires authentication."
        case .requestBodyStreamExhausted: "The request's body could not be sent again."
        case .fileDoesNotExist: "The file does not exist."
        case .fileIsDirectory: "The file is a directory."
        case .noPermissionsToReadFile: "There is no permission to read the file."
        case .secureConnectionFailed: "A secure connection to the server could not be made."
        case .serverCertificateHasBadDate: "The server's certificate has expired, or this device's clock is wrong."
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            "The server's certificate is not trusted."
        case .serverCertificateNotYetValid:
            "The server's certificate is not valid yet, or this device's clock is wrong."
        case .clientCertificateRejected: "The server rejected this device's certificate."
        case .clientCertificateRequired: "The server requires a certificate of this device."
        case .cannotLoadFromNetwork: "The resource could not be loaded from the network."
        case .appTransportSecurityRequiresSecureConnection: "A secure connection is required."
        case .cannotCreateFile, .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile:
            "The downloaded file could not be stored."
        default: "The request failed for an unknown reason."
        }
    }
}
