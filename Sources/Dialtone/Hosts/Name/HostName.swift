// SPDX-License-Identifier: Apache-2.0

import OpenNetwork
import SystemSupport

/// A host name in the form of DNS: RFC 1035 section 2.3, RFC 1123 section 2.1.
enum HostName {
    /// The name in ASCII and lower case, without a trailing dot.
    ///
    /// An underscore is accepted, because some hosts have one despite the RFCs.
    static func normalize(_ text: Substring) throws(HostTargetError) -> String {
        guard !text.isEmpty else { throw HostTargetError(.empty, "", "The host name is empty") }
        try checkCharacters(of: text)
        // More than enough for the longest name; the rest is not processed.
        guard text.utf8.count <= 4 * longestName else { throw tooLong(text.prefix(longestName)) }
        var ascii = String(text)
        if !ascii.utf8.allSatisfy({ $0 < 0x80 }) {
            ascii = try InternationalName.ascii(ascii)
            try checkCharacters(of: ascii[...])
            // Full-width digits become those of an address.
            if NetworkAddress(NWEndpoint.Host(ascii)) != nil { throw invalidAddress(text) }
        }
        var labels = ascii.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        // No top-level domain is a number, so a name that ends with one was meant to be an address.
        if labels.last?.isDecimal == true { throw invalidAddress(text) }
        for label in labels { try check(label, of: text) }
        let name = labels.joined(separator: ".")
        guard name.utf8.count <= longestName else { throw tooLong(text) }
        return name
    }

    /// Whether a name always means this machine (RFC 6761 section 6.3).
    static func isLocalhost(_ name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }

    private static let longestName = 253
    private static let longestLabel = 63

    private static func check(_ label: Substring, of text: Substring) throws(HostTargetError) {
        guard !label.isEmpty else { throw HostTargetError(.invalidLabel, text, "A part of this host name is empty") }
        guard !label.hasPrefix("-"), !label.hasSuffix("-") else {
            throw HostTargetError(.invalidLabel, label, "A part of a host name cannot begin or end with a hyphen")
        }
        guard label.utf8.count <= longestLabel else {
            throw HostTargetError(
                .labelTooLong, label, "A part of a host name has at most 63 letters; this has \(label.utf8.count)")
        }
    }

    private static func invalidAddress(_ text: Substring) -> HostTargetError {
        HostTargetError(.invalidAddress, text, "Invalid IPv4 address")
    }

    private static func checkCharacters(of text: Substring) throws(HostTargetError) {
        guard let scalar = text.unicodeScalars.first(where: isForbidden) else { return }
        let character = scalar == " " ? "a space" : "U+" + scalar.value.digits(4, radix: 16).uppercased()
        throw HostTargetError(.invalidCharacter, text, "A host name cannot contain \(character)")
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_": false
        default: scalar.isASCII || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
    }

    static func tooLong(_ text: some StringProtocol) -> HostTargetError {
        HostTargetError(.nameTooLong, text, "A host name has at most 253 letters")
    }
}
