// SPDX-License-Identifier: Apache-2.0

/// Why a captive portal API gave no valid answer.
///
/// The code is open: any version may add new ones, so a `switch` over it needs a `default`.
public struct CaptivePortalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case notSecure, unreachable, status, mediaType, malformed }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The URL is not `https`, which RFC 8908 requires.
        public static let notSecure = Self(.notSecure)
        /// The server could not be reached or trusted.
        public static let unreachable = Self(.unreachable)
        /// The status was not 200.
        public static let status = Self(.status)
        /// The media type was not `application/captive+json`.
        public static let mediaType = Self(.mediaType)
        /// The text is not what RFC 8908 describes.
        public static let malformed = Self(.malformed)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The code.
    public let code: Code
    /// Details in words.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message on one line.
    public var description: String { "\(code): \(message)" }
}
