// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a valid host.
public struct HostTargetError: Error, Hashable, Sendable {
    /// The code.
    ///
    /// Any version may add codes, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case empty, invalidCharacter, invalidLabel, labelTooLong, nameTooLong, invalidAddress, unknownInterface
            case invalidPort, invalidInternationalName, invalidURL
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The text has no host.
        public static let empty = Self(.empty)
        /// A character that is not allowed in host names, such as a space, a slash or NUL.
        public static let invalidCharacter = Self(.invalidCharacter)
        /// A label (the part between two dots) is empty, or begins or ends with a hyphen.
        public static let invalidLabel = Self(.invalidLabel)
        /// A label has more than 63 bytes (RFC 1035 section 2.3.4), once written in ASCII.
        public static let labelTooLong = Self(.labelTooLong)
        /// The name has more than 253 bytes, once written in ASCII.
        public static let nameTooLong = Self(.nameTooLong)
        /// It looks like an address, but is invalid.
        public static let invalidAddress = Self(.invalidAddress)
        /// The address is scoped to an interface that this machine does not have.
        public static let unknownInterface = Self(.unknownInterface)
        /// The port is not a number from 1 to 65535.
        public static let invalidPort = Self(.invalidPort)
        /// An international label that RFC 5891 does not allow, or an `xn--` label that decodes to no such label.
        public static let invalidInternationalName = Self(.invalidInternationalName)
        /// A URL without a scheme or a host.
        public static let invalidURL = Self(.invalidURL)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The code.
    public let code: Code
    /// The invalid part of the text, unchanged.
    public let part: String
    private let explanation: String

    init(_ code: Code, _ part: some StringProtocol, _ explanation: String) {
        self.code = code
        self.part = String(part)
        self.explanation = explanation
    }
}

extension HostTargetError: CustomStringConvertible {
    /// One sentence for a user: the problem, and the invalid part.
    ///
    /// The part is quoted unchanged: escape control characters before printing it to a terminal.
    public var description: String { part.isEmpty ? explanation : "\(explanation): '\(part)'" }
}
