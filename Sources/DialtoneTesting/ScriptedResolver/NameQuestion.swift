// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// A DNS query, and the replies to it, as bytes (RFC 1035, section 4).
struct NameQuestion {
    /// The name, without a trailing dot.
    let name: String
    private let identifier: ArraySlice<UInt8>
    private let section: ArraySlice<UInt8>
    private let type: UInt16

    private static let typeIPv4: UInt16 = 1
    private static let typeIPv6: UInt16 = 28

    /// Reads a message with one question; nil for any other message.
    init?(_ message: ArraySlice<UInt8>) {
        let bytes = Array(message)
        // A query (QR 0, opcode 0) with one question.
        guard bytes.count >= 17, bytes[2] & 0xf8 == 0, bytes[4] == 0, bytes[5] == 1 else { return nil }
        var offset = 12
        var labels: [String] = []
        while bytes.indices.contains(offset), bytes[offset] != 0 {
            let length = Int(bytes[offset])
            guard length < 64, offset + 1 + length < bytes.count else { return nil }
            labels.append(String(decoding: bytes[offset + 1...offset + length], as: UTF8.self))
            offset += 1 + length
        }
        guard offset + 4 < bytes.count else { return nil }
        name = labels.joined(separator: ".")
        identifier = bytes[0..<2]
        section = bytes[12...offset + 4]
        type = UInt16(bytes[offset + 1]) << 8 | UInt16(bytes[offset + 2])
    }

    /// The reply of a recursive server; nil for silence.
    func reply(_ answer: ScriptedResolver.Answer) -> [UInt8]? {
        switch answer.kind {
        case .silence: return nil
        case .notFound: return message(code: 3, [])
        case .serverFailure: return message(code: 2, [])
        case .addresses(let addresses):
            return message(code: 0, addresses.filter { $0.version == wanted })
        }
    }

    private var wanted: IPVersion? {
        switch type {
        case Self.typeIPv4: .ipv4
        case Self.typeIPv6: .ipv6
        default: nil
        }
    }

    private func message(code: UInt8, _ addresses: [NetworkAddress]) -> [UInt8] {
        var bytes = Array(identifier)
        // A response, recursion desired and available; one question, the answers, nothing else.
        bytes += [0x81, 0x80 | code, 0, 1, 0, UInt8(min(addresses.count, 16)), 0, 0, 0, 0]
        bytes += section
        for address in addresses.prefix(16) {
            // The name as a pointer to the question, the type, the class IN, a TTL of zero, the length.
            bytes += [0xc0, 12, 0, UInt8(truncatingIfNeeded: type), 0, 1, 0, 0, 0, 0, 0]
            bytes += [UInt8(address.bytes.count)] + address.bytes
        }
        return bytes
    }
}
