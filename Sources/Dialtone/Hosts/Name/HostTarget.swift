// SPDX-License-Identifier: Apache-2.0

import OpenNetwork
public import SystemSupport

/// The target of a connection: a name or an address, and a port if one is given.
///
/// ```swift
/// let target = try HostTarget("https://bücher.example/shelf")
/// print(target.host, target.port ?? 0)  // xn--bcher-kva.example 443
/// ```
public struct HostTarget: Hashable, Sendable {
    /// A name or an address.
    public enum Host: Hashable, Sendable {
        /// A name in the form of DNS: ASCII, lower case, without a trailing dot.
        case name(String)
        /// An address.
        case address(NetworkAddress)
    }

    /// The name or address.
    public let host: Host
    /// The port: 1 to 65535; nil if none was given.
    public let port: UInt16?

    /// Parses a name, an address, either with a port, or a URL.
    ///
    /// It accepts `example.com`, `example.com:443`, `192.0.2.1`, `192.0.2.1:80`, `::1`, `fe80::1%eth0`, `[::1]:443`
    /// and `https://example.com/path`, whose port is the scheme's unless it names one. International names are
    /// converted to the ASCII form of DNS, on Linux with the system's libidn2. Addresses are parsed as by
    /// `NWEndpoint.Host`, so `127.1` is an address. Nothing is resolved.
    ///
    /// - Throws: the problem with it.
    public init(_ text: String) throws(HostTargetError) {
        // By bytes, so that a combining mark after it does not hide it.
        if let scheme = text.utf8.firstRange(of: "://".utf8) {
            self = try URLText(scheme: text[..<scheme.lowerBound], rest: text[scheme.upperBound...]).target()
        } else {
            try Self.refuseUser(in: text)
            try self.init(authority: text[...], defaultPort: nil)
        }
    }

    /// The part before the `@` may contain a password, so no error may repeat it.
    private static func refuseUser(in text: String) throws(HostTargetError) {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return }
        // The interface name after an address may contain an @, too.
        let address = text.prefix { $0 != "%" }.drop { $0 == "[" }
        if address.endIndex < at, NetworkAddress(NWEndpoint.Host(String(address))) != nil { return }
        let rest = text[text.utf8.index(after: at)...]
        throw HostTargetError(.invalidCharacter, rest, "A host has no user: leave out everything up to the @")
    }

    /// The host of a URL, with its port or its scheme's.
    ///
    /// - Throws: the problem with it; `empty` for a URL without a host.
    public init(_ url: URL) throws(HostTargetError) {
        guard url.scheme != nil, url.host() != nil else {
            throw HostTargetError(.invalidURL, url.absoluteString, "This URL has no host")
        }
        try self.init(url.absoluteString)
    }

    /// An address and a port.
    public init(_ address: NetworkAddress, port: UInt16? = nil) {
        host = .address(address)
        self.port = port
    }

    /// A host and a port, as other libraries name them: an IPv6 address has no brackets.
    package init(_ host: Substring, port: UInt16?) throws(HostTargetError) {
        self.host = try Self.host(host)
        self.port = port
    }

    /// `host`, `host:port`, `[address]` or `[address]:port`.
    init(authority: Substring, defaultPort: UInt16?) throws(HostTargetError) {
        let (hostText, portText) = try Self.split(authority)
        host = try Self.host(hostText)
        port = try portText.map { text throws(HostTargetError) in try Self.port(text) } ?? defaultPort
    }

    /// A second colon outside brackets means an IPv6 address.
    private static func split(_ authority: Substring) throws(HostTargetError) -> (host: Substring, port: Substring?) {
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let end = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                throw HostTargetError(.invalidAddress, authority, "The bracket is not closed")
            }
            let inside = authority[authority.utf8.index(after: authority.startIndex)..<end]
            guard inside.utf8.contains(UInt8(ascii: ":")) else {
                throw HostTargetError(.invalidAddress, authority, "Only an IPv6 address may be in brackets")
            }
            let rest = authority[authority.utf8.index(after: end)...]
            if rest.isEmpty { return (inside, nil) }
            guard rest.utf8.first == UInt8(ascii: ":") else {
                throw HostTargetError(.invalidAddress, authority, "Only a colon and a port may follow the bracket")
            }
            return (inside, rest[rest.utf8.index(after: rest.startIndex)...])
        }
        let colons = authority.utf8.indices.filter { authority.utf8[$0] == UInt8(ascii: ":") }
        guard colons.count == 1, let colon = colons.first else { return (authority, nil) }
        return (authority[..<colon], authority[authority.utf8.index(after: colon)...])
    }

    private static func host(_ text: Substring) throws(HostTargetError) -> Host {
        if text.utf8.contains(0) { return .name(try HostName.normalize(text)) }
        if let address = NetworkAddress(NWEndpoint.Host(String(text))) { return .address(address) }
        if let percent = text.utf8.firstIndex(of: UInt8(ascii: "%")),
            NetworkAddress(NWEndpoint.Host(String(text[..<percent]))) != nil
        {
            let zone = text[text.utf8.index(after: percent)...]
            throw HostTargetError(.unknownInterface, zone, "This machine has no interface of this name")
        }
        if text.utf8.contains(UInt8(ascii: ":")) {
            throw HostTargetError(.invalidAddress, text, "Invalid IPv6 address")
        }
        return .name(try HostName.normalize(text))
    }

    private static func port(_ text: Substring) throws(HostTargetError) -> UInt16 {
        guard text.isDecimal, let port = UInt16(text), port > 0 else {
            throw HostTargetError(.invalidPort, text, "A port is a number from 1 to 65535")
        }
        return port
    }
}

extension HostTarget: CustomStringConvertible {
    /// The host, and after a colon the port if there is one; an IPv6 address with a port is in brackets.
    public var description: String {
        let text = hostText
        guard let port else { return text }
        return text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
    }

    /// The host alone.
    public var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let address): address.scopedText
        }
    }
}

/// Why a text is not a valid host.
public struct HostTargetError: Error, Hashable, Sendable {
    /// The code.
    ///
    /// Any version may add codes, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// The text has no host.
        public static let empty = Self("empty")
        /// A character that is not allowed in host names, such as a space, a slash or NUL.
        public static let invalidCharacter = Self("invalidCharacter")
        /// A label (the part between two dots) is empty, or begins or ends with a hyphen.
        public static let invalidLabel = Self("invalidLabel")
        /// A label has more than 63 bytes (RFC 1035 section 2.3.4), once written in ASCII.
        public static let labelTooLong = Self("labelTooLong")
        /// The name has more than 253 bytes, once written in ASCII.
        public static let nameTooLong = Self("nameTooLong")
        /// It looks like an address, but is invalid.
        public static let invalidAddress = Self("invalidAddress")
        /// The address is scoped to an interface that this machine does not have.
        public static let unknownInterface = Self("unknownInterface")
        /// The port is not a number from 1 to 65535.
        public static let invalidPort = Self("invalidPort")
        /// An international name that IDNA does not allow; on Linux also any such name if libidn2 is not installed.
        public static let invalidInternationalName = Self("invalidInternationalName")
        /// A URL without a scheme or a host.
        public static let invalidURL = Self("invalidURL")
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
