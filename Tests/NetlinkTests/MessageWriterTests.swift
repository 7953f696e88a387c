// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Netlink

struct MessageWriterTests {
    @Test func `written attributes can be read again`() throws {
        var writer = MessageWriter(.newLink, flags: [.acknowledge, .create], sequence: 7)
        writer.append([UInt8](repeating: 9, count: 16))
        writer.attribute(1, UInt8(5))
        writer.attribute(2, UInt16(0x1234))
        writer.attribute(3, UInt32(0xDEAD_BEEF))
        writer.attribute(4, "lo")
        writer.attribute(5, NetworkAddress(192, 0, 2, 1))
        writer.attribute(6)
        writer.nested(7) { $0.attribute(8, UInt64(1)) }
        let bytes = try writer.finish()
        #expect(bytes.count % 4 == 0)

        var read: [UInt16: [UInt8]] = [:]
        try bytes.span.bytes.forEachMessage { (header, payload) throws(NetlinkError) in
            #expect(Int(header.length) == bytes.count)
            #expect((header.type, header.sequence, header.port) == (.newLink, 7, 0))
            #expect(header.flags == [.request, .acknowledge, .create])
            try payload.forEachAttribute(from: 16) { (type, value) in read[type] = value.array }
        }
        #expect(
            read == [
                1: [5], 2: [0x34, 0x12], 3: [0xEF, 0xBE, 0xAD, 0xDE], 4: [0x6C, 0x6F, 0], 5: [192, 0, 2, 1], 6: [],
                7: [12, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0],
            ])
    }

    @Test func `a nested attribute is marked`() throws {
        var writer = MessageWriter.raw()
        writer.nested(18) { $0.attribute(1, "x") }
        #expect(writer.bytes == [12, 0, 18, 0x80, 6, 0, 1, 0, 0x78, 0, 0, 0])
    }

    @Test(arguments: [65_531, 65_532]) func `an attribute of more than 65,535 bytes is rejected`(count: Int) throws {
        var writer = MessageWriter(.newLink, flags: [], sequence: 1)
        writer.attribute(1, [UInt8](repeating: 0, count: count))
        if count == 65_531 {
            _ = try writer.finish()
        } else {
            let error = #expect(throws: NetlinkError.self) { try writer.finish() }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func `nesting beyond the limit is rejected`() {
        var writer = MessageWriter(.newLink, flags: [], sequence: 1)
        writer.nested(1) {
            for _ in 0..<3 { $0.attribute(2, [UInt8](repeating: 0, count: 30_000)) }
        }
        #expect(throws: NetlinkError.self) { try writer.finish() }
    }

    @Test func `random attributes survive a round trip`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var writer = MessageWriter.raw()
            var written: [[UInt8]] = []
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let type = UInt16.random(in: 0...0x3FFF, using: &generator)
                let count = Int.random(in: 0...40, using: &generator)
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                writer.attribute(type, bytes)
                written.append([UInt8(type & 0xFF), UInt8(type >> 8)] + bytes)
            }
            var read: [[UInt8]] = []
            let message = writer.bytes
            try message.span.bytes.forEachAttribute { (type, value) throws(NetlinkError) in
                read.append([UInt8(type & 0xFF), UInt8(type >> 8)] + value.array)
            }
            #expect(read == written)
        }
    }
}
