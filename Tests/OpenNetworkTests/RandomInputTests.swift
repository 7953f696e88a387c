// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import NetworkModel
import TestSupport
import Testing

@testable import OpenNetwork

/// No input may trap, and accepted input must survive a round trip.
struct RandomInputTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `random text never traps, and accepted text survives a round trip`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let text = generator.literalLikeText()
            if let address = IPv4Address(text) {
                #expect(IPv4Address(address.debugDescription) == address, "\(text.debugDescription)")
            }
            if let address = IPv6Address(text) {
                #expect(IPv6Address(address.debugDescription) == address, "\(text.debugDescription)")
            }
            if let port = NWEndpoint.Port(text) {
                #expect(NWEndpoint.Port(port.debugDescription) == port, "\(text.debugDescription)")
            }
            let host = NWEndpoint.Host(text)
            #expect(NWEndpoint.Host(host.debugDescription) == host, "\(text.debugDescription)")
            _ = NWInterface(text)
        }
    }

    @Test func `random bytes are an address exactly when their count fits`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...20, using: &generator)
            let data = Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            #expect((IPv4Address(data) != nil) == (count == 4))
            #expect((IPv6Address(data) != nil) == (count == 16))
            #expect(IPv4Address(data).map(\.rawValue) ?? data == data)
            #expect(IPv6Address(data).map(\.rawValue) ?? data == data)
        }
    }

    @Test func `random addresses survive a round trip`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let v4 = IPv4Address(bits: .random(in: .min ... .max, using: &generator))
            #expect(IPv4Address(v4.debugDescription) == v4)
            func random() -> UInt64 { .random(in: .min ... .max, using: &generator) }
            let mask = AddressBits(high: random(), low: random())
            let v6 = IPv6Address(bits: AddressBits(high: random(), low: random()) & mask)
            #expect(IPv6Address(v6.debugDescription) == v6)
        }
    }

    @Test func `a random index is no interface, or one with that index`() {
        var generator = SeededGenerator(seed: 6)
        var found = 0
        // Interfaces have the lowest numbers.
        for range in [Int.min ... .max, 0...8] {
            for _ in 0..<500 {
                let index = Int.random(in: range, using: &generator)
                guard let interface = NWInterface(index) else { continue }
                found += 1
                #expect(interface.index == index)
            }
        }
        #expect(found > 0)
    }
}

#endif
