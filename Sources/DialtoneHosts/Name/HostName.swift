// SPDX-License-Identifier: Apache-2.0

/// A host name in the form of DNS: RFC 1035 section 2.3, RFC 1123 section 2.1.
enum HostName {
    /// The name in ASCII and lower case, without a trailing dot.
    ///
    /// An underscore is accepted, because some hosts have one despite the RFCs.
    static func normalize(_ text: Substring) throws(HostTargetError) -> String {
        guard !text.isEmpty else { throw HostTargetError(.empty, "", "The host name is empty") }
        if let scalar = text.unicodeScalars.first(where: isForbidden) {
            let character = scalar == " " ? "a space" : InternationalName.codePoint(scalar)
            throw HostTargetError(.invalidCharacter, text, "A host name cannot contain \(character)")
        }
        // More than enough for the longest name; the rest is not processed.
        guard text.utf8.count <= 4 * longestName else { throw tooLong(text.prefix(longestName)) }
        var labels = InternationalName.map(String(text)).split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        try checkIsNoNumber(labels.last ?? "", text)
        var ascii: [String] = []
        for label in labels { ascii.append(try normalize(label: label, of: text)) }
        let name = ascii.joined(separator: ".")
        guard name.utf8.count <= longestName else { throw tooLong(text) }
        return name
    }

    /// Whether a name always means this machine (RFC 6761 section 6.3).
    static func isLocalhost(_ name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }

    static func isLetterDigitHyphen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "-": true
        default: false
        }
    }

    private static let longestName = 253
    private static let longestLabel = 63

    private static func normalize(label: Substring, of text: Substring) throws(HostTargetError) -> String {
        guard !label.isEmpty else {
            throw HostTargetError(.invalidLabel, text, "A part of this host name is empty")
        }
        guard !label.hasPrefix("-"), !label.hasSuffix("-") else {
            throw HostTargetError(.invalidLabel, label, "A part of a host name cannot begin or end with a hyphen")
        }
        let ascii = try InternationalName.ascii(label)
        guard ascii.utf8.count <= longestLabel else {
            throw HostTargetError(
                .labelTooLong, label, "A part of a host name has at most 63 letters; this has \(ascii.utf8.count)")
        }
        return ascii
    }

    /// No top-level domain is a number, so a name that ends with one was meant to be an address.
    private static func checkIsNoNumber(_ last: Substring, _ text: Substring) throws(HostTargetError) {
        guard !last.isEmpty, last.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return
        }
        throw HostTargetError(.invalidAddress, text, "Invalid IPv4 address")
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_": false
        default: scalar.isASCII || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
    }

    private static func tooLong(_ text: Substring) -> HostTargetError {
        HostTargetError(.nameTooLong, text, "A host name has at most 253 letters")
    }
}
