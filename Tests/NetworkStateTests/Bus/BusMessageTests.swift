// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NetworkState

struct BusMessageTests {
    private static let samples: [[UInt8]] = [false, true].flatMap { isBigEndian in
        [
            BusMessage.encoded(.reply, answers: 3, isBigEndian: isBigEndian, .text(":1.9")),
            BusMessage.encoded(
                .signal, sender: ":1.4", path: "/d/1", interface: "x", member: "PropertiesChanged",
                isBigEndian: isBigEndian, .text("y"), BusMessage.properties("eth0", metered: 1), .array("s", [])),
            BusMessage.encoded(.error, answers: 9, isBigEndian: isBigEndian),
            BusMessage.encoded(
                .reply, answers: 4, isBigEndian: isBigEndian,
                .variant(.variant(.structure([.byte(1), .array("o", [.path("/")])])))),
        ]
    }

    @Test(arguments: [false, true]) func `properties are decoded in either byte order`(isBigEndian: Bool) throws {
        let bytes = BusMessage.encoded(
            .reply, answers: 77, isBigEndian: isBigEndian, BusMessage.properties("eth0", metered: 3))
        #expect(try BusMessage.length(bytes[...]) == bytes.count)
        let message = try BusMessage(bytes[...])
        #expect((message.kind, message.answers, message.sender) == (.reply, 77, BusCall.bus))
        var device = ManagedDevice()
        device.update(try #require(message.body.first?.dictionary))
        #expect((device.interface, device.metered, device.isModem) == ("eth0", .guessYes, false))
        #expect(device.hardwareAddress == "02:00:00:00:01:0a")
    }

    @Test func `an encoded call can be decoded`() throws {
        let call = BusCall(destination: "a.b", path: "/c", interface: "d.e", member: "F", arguments: ["g", "häh"])
        let bytes = call.bytes(serial: 5)
        #expect(try BusMessage.length(bytes[...]) == bytes.count)
        let message = try BusMessage(bytes[...])
        #expect((message.kind, message.path, message.interface, message.member) == (.call, "/c", "d.e", "F"))
        #expect(message.body == [.text("g"), .text("häh")])
        // NO_AUTO_START.
        #expect(bytes[2] == 2)
    }

    @Test func `a message cut at any length is rejected or waited for`() throws {
        for sample in Self.samples {
            for length in 0..<sample.count {
                let part = sample.prefix(length)
                #expect(try (BusMessage.length(part) ?? .max) > length)
                #expect(throws: BusError.self) { try BusMessage(part) }
            }
        }
    }

    @Test func `a message that claims to be huge is rejected before it is waited for`() {
        let claims: [[UInt8]] = [
            [UInt8(ascii: "l"), 2, 0, 1, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0],
            [UInt8(ascii: "l"), 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255],
            [UInt8(ascii: "B"), 2, 0, 1, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1],
        ]
        for claim in claims { #expect(throws: BusError.self) { try BusMessage.length(claim[...]) } }
    }

    @Test(arguments: [
        "a", "(", "()", "{sv}", "a{sv", "a{vs}", "(s", "z", "a{(s)s}", String(repeating: "a", count: 40) + "y",
    ])
    func `an invalid signature is rejected`(text: String) {
        #expect(throws: BusError.self) { try BusType.signature(text.utf8) }
    }

    @Test func `nested variants are limited in depth`() {
        var value = BusEncoder.Value.byte(1)
        for _ in 0..<60 { value = .variant(value) }
        let bytes = BusMessage.encoded(.reply, answers: 1, value)
        #expect(throws: BusError.self) { try BusMessage(bytes[...]) }
    }

    @Test(arguments: 0..<8) func `mutated messages never trap`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            guard var bytes = Self.samples.randomElement(using: &generator) else { continue }
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[place] = [0, 1, 127, 128, 255].randomElement(using: &generator) ?? 0
                default: bytes.removeLast(min(bytes.count - 1, place % 5))
                }
            }
            var stream = BusStream(user: 0)
            var view = NetworkManagerView()
            _ = try? stream.receive(Array("OK x\r\n".utf8)[...])
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...rest.count, using: &generator))
                rest = rest.dropFirst(part.count)
                for message in (try? stream.receive(part)) ?? [] { try? view.handle(message) }
            }
        }
    }
}
