// SPDX-License-Identifier: Apache-2.0

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
