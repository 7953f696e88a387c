// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink

/// Whatever the bytes, parsing ends with a value or a `NetlinkError`.
struct HostileBytesTests {
    /// Passes a datagram to every parser of this module.
    static func readAll(_ bytes: [UInt8]) {
        _ = try? Capture.messages(in: bytes)
        let span = bytes.span.bytes
        for offset in [0, 16] where offset <= bytes.count {
            let payload = span.extracting(offset..<bytes.count)
            _ = try? GenericFamily(payload)
            _ = try? WiFiInterface(payload)
            _ = try? WiFiStation(payload)
            _ = try? WiFiNetwork(payload)
            _ = try? WireGuardDevice(payload)
            _ = try? LinkMessage(payload)
            _ = try? AddressMessage(payload)
            _ = try? RouteMessage(payload)
            _ = try? RuleMessage(payload)
            _ = try? NextHopObjectMessage(payload)
            _ = try? NeighborMessage(payload)
        }
        #if os(Linux)
        var answers = Answers(to: 1, flags: .dump, operation: "")
        _ = try? answers.receive(span) { _, _ in }
        var batch = BatchAnswers(from: 0, count: 40)
        _ = try? batch.receive(span) { _, _, _ in }
        #endif
    }

    static let captures =
        Capture.routing + AnswerCaptures.all + GenericCaptures.all + WiFiCaptures.all
        + TunnelCaptures.all

    @Test func `a datagram cut at any length is reported as truncated`() {
        for capture in Self.captures {
            for length in 1..<capture.bytes.count {
                let error = #expect(throws: NetlinkError.self) {
                    try Capture.messages(in: Array(capture.bytes.prefix(length)))
                }
                #expect(error?.code == .truncated)
            }
        }
    }

    @Test func `a message cut to the length in its header is read or rejected`() {
        for capture in Self.captures {
            for length in 16..<capture.bytes.count {
                var bytes = Array(capture.bytes.prefix(length))
                (bytes[0], bytes[1]) = (UInt8(length & 0xFF), UInt8(length >> 8))
                Self.readAll(bytes)
                do {
                    _ = try Capture.messages(in: bytes)
                } catch {
                    #expect(error.code == .truncated || error.code == .malformed)
                }
            }
        }
    }

    @Test(arguments: 0..<8) func `mutated messages never trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let interesting: [UInt8] = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 127, 128, 254, 255]
        for _ in 0..<2_000 {
            guard var bytes = Self.captures.randomElement(using: &generator)?.bytes else { continue }
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[place] = interesting.randomElement(using: &generator) ?? 0
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            Self.readAll(bytes)
            // The same with a valid header, so that the mutation reaches the parser of the message.
            if bytes.count >= 16 {
                (bytes[0], bytes[1], bytes[2], bytes[3]) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8), 0, 0)
                Self.readAll(bytes)
            }
        }
    }

    @Test(arguments: 0..<4) func `random bytes never trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: 1000 + seed)
        let types: [UInt8] = [2, 3, 16, 17, 20, 24, 28, 32, 80, 104]
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...120, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            Self.readAll(bytes)
            guard count >= 16 else { continue }
            bytes.replaceSubrange(0..<4, with: [UInt8(count), 0, 0, 0])
            bytes.replaceSubrange(4..<6, with: [types.randomElement(using: &generator) ?? 0, 0])
            Self.readAll(bytes)
        }
    }

    static let lies: [(String, [UInt8], NetlinkError.Code)] = [
        ("a length of 0", [0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .malformed),
        ("a length of 15", [15, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .malformed),
        ("a length of 4 GiB", [255, 255, 255, 255, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .truncated),
        ("half a header", [16, 0, 0, 0, 16, 0], .truncated),
    ]

    @Test(arguments: lies) func `a message with a wrong length is rejected`(
        what: String, bytes: [UInt8], code: NetlinkError.Code
    ) {
        let error = #expect(throws: NetlinkError.self) { try Capture.messages(in: bytes) }
        #expect(error?.code == code)
    }

    @Test(arguments: [0, 3, 9, 255]) func `an attribute with a wrong length is rejected`(length: UInt8) {
        let bytes: [UInt8] = [length, 0, 1, 0, 1, 2, 3, 4]
        let error = #expect(throws: NetlinkError.self) { try bytes.span.bytes.forEachAttribute { _, _ in } }
        #expect(error?.code == .malformed)
    }

    @Test func `messages before a malformed one are delivered`() {
        var read = 0
        let bytes = RouteCaptures.ipv4Default.bytes + [1, 0, 0, 0]
        let error = #expect(throws: NetlinkError.self) {
            try bytes.span.bytes.forEachMessage { _, _ in read += 1 }
        }
        #expect(read == 1)
        #expect(error?.code == .truncated)
    }
}
