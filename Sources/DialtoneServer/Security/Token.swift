// SPDX-License-Identifier: Apache-2.0

/// The access token, required from clients other than this machine's own users.
struct Token: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The minimum length, in bytes.
    static let shortest = 16

    /// Creates a token, without surrounding white space.
    ///
    /// - Throws: if it is too short, or contains characters other than printable ASCII.
    init(_ text: String) throws(ServerError) {
        let text = text.split(whereSeparator: \.isWhitespace)
        guard text.count == 1, let word = text.first, word.utf8.count >= Self.shortest,
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServerError(
                .badToken,
                "a token must be at least \(Self.shortest) printable ASCII characters without spaces. This creates one: "
                    + "head -c 24 /dev/urandom | base64")
        }
        bytes = Array(word.utf8)
    }

    /// Whether a text is the token; the time does not depend on how many characters match.
    func matches(_ text: String) -> Bool {
        let other = Array(text.utf8)
        var difference = other.count ^ bytes.count
        for index in other.indices { difference |= Int(other[index] ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}
