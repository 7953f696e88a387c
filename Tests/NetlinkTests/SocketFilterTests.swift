//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
@testable import Netlink
import TestSupport
import Testing

struct SocketFilterTests {
    static func notification(_ type: MessageType, _ destination: InetPrefix) throws -> [UInt8] {
        var writer = MessageWriter(type, flags: [], sequence: 0)
        RouteNetlink.writeRouteHeader(
            &writer, family: destination.address.family, destinationLength: destination.length)
        // The destination is not always the first attribute.
        writer.attribute(RouteMessage.Attribute.table.rawValue, UInt32(254))
        if destination.length > 0 {
            writer.attribute(RouteMessage.Attribute.destination.rawValue, destination.address)
        }
        writer.attribute(RouteMessage.Attribute.outgoing.rawValue, UInt32(3))
        return try writer.finish()
    }

    static func filter(_ addresses: [InetAddress]) throws -> FilterInterpreter {
        FilterInterpreter(program: try #require(SocketFilter(routesCovering: addresses)).instructions)
    }

    /// The network of an address.
    static func network(_ address: InetAddress, _ length: UInt8) throws -> InetPrefix {
        let hostBits = UInt128(address.bitCount - Int(length))
        let number = hostBits >= 128 ? 0 : (address.number >> hostBits) << hostBits
        return try #require(InetPrefix(InetAddress(family: address.family, number: number), length: length))
    }

    /// What the filter promises: exact for IPv4, by the first 32 bits for IPv6.
    static func shouldAccept(_ destination: InetPrefix, _ watched: [InetAddress]) throws -> Bool {
        if destination.length == 0 { return true }
        let known =
            destination.address.family == .ipv4
            ? destination
            : try network(
                destination.address, min(destination.length, 32))
        return watched.contains { known.contains($0) }
    }

    @Test(arguments: 0..<6) func `the program agrees with the promise, on random routes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func randomAddress(near others: [InetAddress]) -> InetAddress {
            if let other = others.randomElement(using: &generator), Bool.random(using: &generator) {
                let bit = UInt128(Int.random(in: 0..<other.bitCount, using: &generator))
                return InetAddress(family: other.family, number: other.number ^ 1 << bit)
            }
            let isIPv4 = Bool.random(using: &generator)
            let number = UInt128.random(in: 0...(isIPv4 ? 0xFFFF_FFFF : .max), using: &generator)
            return InetAddress(family: isIPv4 ? .ipv4 : .ipv6, number: number)
        }
        for count in [0, 1, 2, 10, 250] {
            var watched: [InetAddress] = []
            for _ in 0..<count { watched.append(randomAddress(near: watched)) }
            let filter = try Self.filter(watched)
            var accepted = 0
            for _ in 0..<300 {
                let address = randomAddress(near: watched)
                let length = UInt8(Int.random(in: 0...address.bitCount, using: &generator))
                let destination = try Self.network(address, length)
                let type = [MessageType.newRoute, .deleteRoute].randomElement(using: &generator) ?? .newRoute
                let accepts = try filter.accepts(try Self.notification(type, destination))
                #expect(try accepts == Self.shouldAccept(destination, watched), "\(destination) for \(watched)")
                if accepts { accepted += 1 }
            }
            #expect(accepted < 300)
        }
    }

    @Test func `captured routes pass, or not, as they should`() throws {
        let filter = try Self.filter([InetAddress(1, 1, 1, 1)])
        for capture in RouteCaptures.all where capture.bytes != RouteCaptures.ipv4Blackhole.bytes {
            #expect(try filter.accepts(capture.bytes))
        }
        #expect(try !filter.accepts(RouteCaptures.ipv4Blackhole.bytes))
        #expect(try Self.filter([InetAddress(203, 0, 113, 9)]).accepts(RouteCaptures.ipv4Blackhole.bytes))
    }

    @Test func `everything that is no route of IPv4 or IPv6 passes`() throws {
        let filter = try Self.filter([])
        for capture in LinkCaptures.all + AddressCaptures.all + RuleCaptures.all + NextHopCaptures.all {
            #expect(try filter.accepts(capture.bytes))
        }
        var labelRoute = RouteCaptures.ipv4Blackhole.bytes
        labelRoute[16] = 28
        #expect(try filter.accepts(labelRoute))
    }

    @Test func `a route whose destination cannot be found passes, rather than be missed`() throws {
        var bytes = RouteCaptures.ipv4Default.bytes
        // The length says /24, and there is no RTA_DST.
        bytes[17] = 24
        #expect(try Self.filter([]).accepts(bytes))
    }

    @Test func `the program fits into what the kernel takes`() throws {
        let addresses = (0..<250).map { InetAddress(10, 0, 0, UInt8($0)) }
        #expect(try #require(SocketFilter(routesCovering: addresses)).instructions.count <= 4096)
        #expect(SocketFilter(routesCovering: addresses + [InetAddress(10, 1, 1, 1)]) == nil)
    }
}
#endif
