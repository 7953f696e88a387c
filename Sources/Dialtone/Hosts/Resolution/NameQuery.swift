// SPDX-License-Identifier: Apache-2.0

/// A DNS query for addresses, as bytes (RFC 1035, section 4).
package struct NameQuery: Sendable {
    package let message: [UInt8]

    /// Creates a query; nil for an invalid name.
    ///
    /// - Parameters:
    ///   - name: ASCII, its labels at most 63 bytes long, with or without a dot at the end; empty for the root.
    ///   - version: the IP version of the addresses.
    ///   - identifier: the number that the reply repeats.
    package init?(_ name: String, for version: IPVersion = .ipv4, identifier: UInt16 = .random(in: .min ... .max)) {
        let name = name.hasSuffix(".") && name.utf8.count > 1 ? name.dropLast() : name[...]
        let labels = name.isEmpty ? [] : name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return nil }
        // A query with recursion desired, and one question.
        var message: [UInt8] = [UInt8(identifier >> 8), UInt8(identifier & 0xff), 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in labels { message += [UInt8(label.utf8.count)] + Array(label.utf8) }
        // The root, type A or AAAA, class IN.
        message += [0, 0, version == .ipv4 ? 1 : 28, 0, 1]
        self.message = message
    }

    /// A query that a name server, also that of a router, answers without asking another one (RFC 6761, section 6.3).
    static var local: NameQuery? { NameQuery("localhost") }

    /// The code of a reply to this query (RFC 1035, section 4.1.1); nil for any other message.
    func responseCode(in reply: ArraySlice<UInt8>) -> UInt8? {
        let bytes = Array(reply)
        let isReply = bytes.count >= 12 && Array(bytes[..<2]) == Array(message[..<2]) && bytes[2] & 0x80 != 0
        guard isReply else { return nil }
        // A server that does not understand the query may omit the question; a different question belongs to another
        // query.
        let question = Array(message[12...])
        let repeatsQuestion = bytes[4] == 0 && bytes[5] == 1
        if repeatsQuestion {
            let repeated = bytes[12...].prefix(question.count)
            guard Self.lowercased(repeated) == Self.lowercased(question[...]) else { return nil }
        }
        return bytes[3] & 0x0f
    }

    /// Whether a message replies to this query that there is no such name, or no such address.
    func isNegativeReply(_ reply: ArraySlice<UInt8>) -> Bool {
        guard let code = responseCode(in: reply), [0, 3].contains(code) else { return false }
        // The number of answers.
        return reply.dropFirst(6).prefix(2).allSatisfy { $0 == 0 }
    }

    /// Names are compared case-insensitively; the bytes of label lengths are smaller than letters.
    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}
