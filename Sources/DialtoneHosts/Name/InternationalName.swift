// SPDX-License-Identifier: Apache-2.0

/// Converts international host names to the form of DNS: IDNA 2008 (RFC 5890 to 5895).
///
/// Input is mapped according to RFC 5895 (lower case, full width to ASCII, the dots of Chinese and Japanese), composed,
/// checked character by character (RFC 5892), and encoded in Punycode. The direction of writing (RFC 5893) is not checked: it
/// matters where names are displayed, not for their resolution.
enum InternationalName {
    /// The prefix of encoded labels (IDNA).
    static let prefix = "xn--"

    /// Replaces each character by the one that DNS uses.
    static func map(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
        let narrow = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0x3002, 0xFF0E, 0xFF61: "."
            case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
            default: scalar
            }
        }
        return CanonicalComposition.compose(String(String.UnicodeScalarView(narrow)).lowercased())
    }

    /// Encodes a mapped label in ASCII.
    static func ascii(_ label: Substring) throws(HostTargetError) -> String {
        if label.utf8.allSatisfy({ $0 < 0x80 }) {
            if label.hasPrefix(prefix) { try checkEncoded(label) }
            return String(label)
        }
        try check(Array(label.unicodeScalars), label)
        guard let encoded = Punycode.encode(Array(label.unicodeScalars)) else {
            throw HostTargetError(.labelTooLong, label, "This label is too long")
        }
        return prefix + encoded
    }

    /// RFC 5891 section 5.4: an encoded label decodes to allowed text, and encodes to itself.
    private static func checkEncoded(_ label: Substring) throws(HostTargetError) {
        let encoded = label.dropFirst(prefix.count)
        guard let scalars = Punycode.decode(encoded), scalars.contains(where: { !$0.isASCII }),
            Punycode.encode(scalars) == encoded.lowercased()
        else { throw HostTargetError(.invalidInternationalName, label, "This label is not valid Punycode") }
        try check(scalars, label)
    }

    private static func check(_ scalars: [Unicode.Scalar], _ label: Substring) throws(HostTargetError) {
        func fail(_ explanation: String) -> HostTargetError {
            HostTargetError(.invalidInternationalName, label, explanation)
        }
        if let first = scalars.first, [.nonspacingMark, .spacingMark].contains(first.properties.generalCategory) {
            throw fail("This label begins with a combining mark")
        }
        if scalars.count > 3, scalars[2] == "-", scalars[3] == "-" {
            throw fail("This label has hyphens as its third and fourth characters")
        }
        for (place, scalar) in scalars.enumerated() where !isAllowed(scalar, at: place, in: scalars) {
            throw fail("This label contains \(codePoint(scalar)), which host names do not allow")
        }
    }

    static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

// MARK: RFC 5892

extension InternationalName {
    private static func isAllowed(_ scalar: Unicode.Scalar, at place: Int, in label: [Unicode.Scalar]) -> Bool {
        switch scalar.value {
        // Section 2.6: allowed despite the rules.
        case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: true
        // Forbidden despite the rules: Arabic and Nko marks, Hangul and kana repetition.
        case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: false
        // Hangul Jamo.
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: false
        case 0x00B7, 0x0375, 0x05F3, 0x05F4, 0x30FB, 0x200C, 0x200D, 0x0660...0x0669, 0x06F0...0x06F9:
            isAllowedHere(scalar, at: place, in: label)
        default: isAllowedAnywhere(scalar)
        }
    }

    private static func isAllowedAnywhere(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return HostName.isLetterDigitHyphen(scalar) }
        let properties = scalar.properties
        if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint || properties.isWhitespace
            || properties.isNoncharacterCodePoint
        {
            return false
        }
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }

    /// Appendix A: characters that are allowed only next to certain others.
    private static func isAllowedHere(_ scalar: Unicode.Scalar, at place: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = place > 0 ? label[place - 1] : nil
        let after = place + 1 < label.count ? label[place + 1] : nil
        switch scalar.value {
        case 0x00B7: return before == "l" && after == "l"
        case 0x0375:
            return after.map { (0x370...0x3FF).contains($0.value) || (0x1F00...0x1FFF).contains($0.value) } ?? false
        case 0x05F3, 0x05F4: return before.map { (0x591...0x5F4).contains($0.value) } ?? false
        case 0x30FB: return label.contains { isJapanese($0) }
        case 0x200C, 0x200D: return before?.properties.canonicalCombiningClass == .virama
        // The two sets of Arabic digits must not be mixed.
        case 0x0660...0x0669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
        default: return !label.contains { (0x660...0x669).contains($0.value) }
        }
    }

    private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30FB: false
        case 0x3041...0x30FF, 0x31F0...0x31FF: true
        default: scalar.properties.isIdeographic
        }
    }
}

/// Composes a letter and its marks into one character, as RFC 5891 section 5.3 requires of labels: `e` and an accent
/// become `é`.
///
/// The standard library compares text by canonical equivalence, but has no public call that composes. So this looks for
/// the first character that *equals* the sequence, in the scripts that have such characters and no exclusions from
/// composition: Latin, Greek, Cyrillic, kana and Hangul.
enum CanonicalComposition {
    /// Composes the text, for these scripts.
    static func compose(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return String(text.map(compose))
    }

    /// Composes the longest prefix of a character's scalars that has a composed form.
    private static func compose(_ character: Character) -> Character {
        let scalars = Array(character.unicodeScalars)
        for count in stride(from: scalars.count, to: 0, by: -1) {
            guard let composed = table[String(String.UnicodeScalarView(scalars[..<count]))] else { continue }
            let view = [composed] + scalars[count...]
            return String(String.UnicodeScalarView(view)).first ?? character
        }
        return character
    }

    private static let ranges: [ClosedRange<UInt32>] = [
        0xC0...0x24F, 0x388...0x3CE, 0x400...0x4F9, 0x1E00...0x1FFC, 0x304C...0x30FE, 0xAC00...0xD7A3,
    ]

    /// The key is text, which is also hashed by canonical equivalence; created on first use.
    private static let table: [String: Unicode.Scalar] = Dictionary(
        ranges.joined().compactMap(Unicode.Scalar.init).map { (String($0), $0) },
        uniquingKeysWith: { first, _ in first })
}
