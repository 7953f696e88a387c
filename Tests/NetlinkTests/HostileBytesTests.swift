// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink

/// Truncated and malformed messages are rejected; `FuzzingTests` passes other bytes to every parser.
struct HostileBytesTests {
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
                do {
                    _ = try Capture.messages(in: bytes)
                } catch {
                    #expect(error.code == .truncated || error.code == .malformed)
                }
            }
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
