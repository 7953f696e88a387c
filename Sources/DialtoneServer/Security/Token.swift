//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The word that others than this machine's own users must know.
struct Token: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The shortest that is accepted, in bytes.
    static let shortest = 16

    /// A token, without the white space around it.
    ///
    /// - Throws: when it is too short, or has other characters than printable ASCII.
    init(_ text: String) throws(ServerError) {
        let text = text.split(whereSeparator: \.isWhitespace)
        guard text.count == 1, let word = text.first, word.utf8.count >= Self.shortest,
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServerError(
                .badToken,
                "A token is one word of at least \(Self.shortest) letters, digits and signs. This makes one: "
                    + "head -c 24 /dev/urandom | base64")
        }
        bytes = Array(word.utf8)
    }

    /// Whether this is the token; takes as long for a nearly right one as for any other of its length.
    func matches(_ text: String) -> Bool {
        let other = Array(text.utf8)
        var difference = other.count ^ bytes.count
        for index in other.indices { difference |= Int(other[index] ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}
