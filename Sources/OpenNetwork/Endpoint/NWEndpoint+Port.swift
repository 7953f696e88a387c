// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import SystemSupport

extension NWEndpoint {
    /// A TCP or UDP port.
    ///
    /// Mirrors Apple's `NWEndpoint.Port`.
    public struct Port: Hashable, Sendable, RawRepresentable {
        /// The port's number.
        public let rawValue: UInt16

        /// Creates a port from its number; never `nil`, because every number is a valid port.
        public init?(rawValue: UInt16) {
            self.init(integerLiteral: rawValue)
        }

        /// Creates a port from a service name such as `http` or a decimal number such as `80`.
        ///
        /// Names come from the host's services database, for TCP or else for UDP. Small containers often ship without
        /// that database, so the services that this type has constants for are also known without it. A number above
        /// 65535, or an unknown name, returns `nil`.
        public init?(_ service: String) {
            guard let number = Self.number(of: service) else { return nil }
            self.init(integerLiteral: number)
        }
    }
}

extension NWEndpoint.Port: ExpressibleByIntegerLiteral {
    /// Creates a port from an integer literal, which must fit into 16 bits.
    public init(integerLiteral: UInt16) {
        rawValue = integerLiteral
    }
}

extension NWEndpoint.Port: CustomDebugStringConvertible {
    /// The port's number in decimal.
    public var debugDescription: String { String(rawValue) }
}

extension NWEndpoint.Port {
    /// No particular port, 0: lets the system choose.
    public static let any: NWEndpoint.Port = 0

    /// Secure Shell, 22.
    public static let ssh: NWEndpoint.Port = 22

    /// Mail transfer, 25.
    public static let smtp: NWEndpoint.Port = 25

    /// HTTP, 80.
    public static let http: NWEndpoint.Port = 80

    /// Post Office Protocol, 110.
    public static let pop: NWEndpoint.Port = 110

    /// Internet Message Access Protocol, 143.
    public static let imap: NWEndpoint.Port = 143

    /// HTTP over TLS, 443.
    public static let https: NWEndpoint.Port = 443

    /// Internet Message Access Protocol over TLS, 993.
    public static let imaps: NWEndpoint.Port = 993

    /// SOCKS, 1080.
    public static let socks: NWEndpoint.Port = 1080
}

extension NWEndpoint.Port {
    private static func number(of service: String) -> UInt16? {
        // RFC 6335 requires a letter in every service name, which distinguishes names from numbers.
        let hasLetter = service.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        guard hasLetter else { return service.isDecimal ? UInt16(service) : nil }
        return SystemNames.port(ofService: service) ?? wellKnown[service]?.rawValue
    }

    private static let wellKnown: [String: NWEndpoint.Port] = [
        "ssh": .ssh, "smtp": .smtp, "http": .http, "pop3": .pop, "imap": .imap, "https": .https, "imaps": .imaps,
        "socks": .socks,
    ]
}

#endif
