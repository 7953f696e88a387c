// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The text of a URL (RFC 3986), of which only the host and port matter.
///
/// It is parsed here, because Foundation's `URL` refuses international names on platforms without the tables for them.
struct URLText {
    let scheme: Substring
    /// The text after `://`.
    let rest: Substring

    func target() throws(HostTargetError) -> HostTarget {
        guard isScheme else { throw HostTargetError(.invalidURL, scheme, "Invalid URL scheme") }
        let end = rest.utf8.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        var authority = rest[..<(end ?? rest.endIndex)]
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            authority = authority[authority.utf8.index(after: at)...]
        }
        // A colon without a port is allowed, and means the scheme's port (section 3.2.3).
        if authority.utf8.last == UInt8(ascii: ":"), !authority.hasSuffix("::") {
            authority = Substring(authority.utf8.dropLast())
        }
        guard !authority.isEmpty else { throw HostTargetError(.empty, "\(scheme)://", "This URL has no host") }
        return try HostTarget(authority: try decoded(authority), defaultPort: Self.ports[scheme.lowercased()])
    }

    private var isScheme: Bool {
        guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Decodes percent signs; the one before a zone (RFC 6874) is written `%25`, and often just `%`.
    private func decoded(_ text: Substring) throws(HostTargetError) -> Substring {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        if text.utf8.first == UInt8(ascii: "[") { return text.replacing("%25", with: "%")[...] }
        guard let bytes = text.percentDecoded() else {
            throw HostTargetError(.invalidURL, text, "A percent sign must be followed by two hexadecimal digits")
        }
        guard let decoded = String(validUTF8: bytes) else {
            throw HostTargetError(.invalidURL, text, "The escapes in this host are not valid UTF-8")
        }
        return decoded[...]
    }

    /// The ports of common schemes (IANA).
    private static let ports: [String: UInt16] = [
        "http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ftps": 990, "ssh": 22, "sftp": 22, "git": 9418,
        "imap": 143, "imaps": 993, "ldap": 389, "ldaps": 636, "mqtt": 1883, "mqtts": 8883, "pop": 110, "pop3s": 995,
        "postgres": 5432, "postgresql": 5432, "redis": 6379, "rtsp": 554, "smtp": 25, "smtps": 465, "telnet": 23,
    ]
}
