// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import TestSupport
import Testing

struct SocketFilterTests {
    static func notification(_ type: MessageType, _ destination: NetworkPrefix) throws -> [UInt8] {
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

    static func filter(_ addresses: [NetworkAddress]) throws -> FilterInterpreter {
        FilterInterpreter(program: try #require(SocketFilter(routesCovering: addresses)).instructions)
    }

    /// The filter's specification: exact for IPv4, by the first 32 bits for IPv6.
    static func shouldAccept(_ destination: NetworkPrefix, _ watched: [NetworkAddress]) throws -> Bool {
        if destination.length == 0 { return true }
        let known =
            destination.address.version == .ipv4
            ? destination
            : try #require(NetworkPrefix(destination.address, length: min(destination.length, 32))).network
        return watched.contains { known.contains($0) }
    }

    @Test(arguments: 0..<6) func `the program matches the specification for random routes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func randomAddress(near others: [NetworkAddress]) -> NetworkAddress {
            if let other = others.randomElement(using: &generator), Bool.random(using: &generator) {
                let bit = UInt128(Int.random(in: 0..<other.bitCount, using: &generator))
                return NetworkAddress(version: other.version, bits: other.bits ^ 1 << bit)
            }
            let isIPv4 = Bool.random(using: &generator)
            let number = UInt128.random(in: 0...(isIPv4 ? 0xFFFF_FFFF : .max), using: &generator)
            return NetworkAddress(version: isIPv4 ? .ipv4 : .ipv6, bits: number)
        }
        for count in [0, 1, 2, 10, 250] {
            var watched: [NetworkAddress] = []
            for _ in 0..<count { watched.append(randomAddress(near: watched)) }
            let filter = try Self.filter(watched)
            var accepted = 0
            for _ in 0..<300 {
                let address = randomAddress(near: watched)
                let length = UInt8(Int.random(in: 0...address.bitCount, using: &generator))
                let destination = try #require(NetworkPrefix(address, length: length)).network
                let type = [MessageType.newRoute, .deleteRoute].randomElement(using: &generator) ?? .newRoute
                let accepts = try filter.accepts(try Self.notification(type, destination))
                #expect(try accepts == Self.shouldAccept(destination, watched), "\(destination) for \(watched)")
                if accepts { accepted += 1 }
            }
            #expect(accepted < 300)
        }
    }

    @Test func `captured routes are accepted or dropped correctly`() throws {
        let filter = try Self.filter([NetworkAddress(1, 1, 1, 1)])
        for capture in RouteCaptures.all where capture.bytes != RouteCaptures.ipv4Blackhole.bytes {
            #expect(try filter.accepts(capture.bytes))
        }
        #expect(try !filter.accepts(RouteCaptures.ipv4Blackhole.bytes))
        #expect(try Self.filter([NetworkAddress(203, 0, 113, 9)]).accepts(RouteCaptures.ipv4Blackhole.bytes))
    }

    @Test func `everything but IPv4 and IPv6 routes is accepted`() throws {
        let filter = try Self.filter([])
        for capture in LinkCaptures.all + AddressCaptures.all + RuleCaptures.all + NextHopCaptures.all {
            #expect(try filter.accepts(capture.bytes))
        }
        var labelRoute = RouteCaptures.ipv4Blackhole.bytes
        labelRoute[16] = 28
        #expect(try filter.accepts(labelRoute))
    }

    @Test func `a route whose destination cannot be found is accepted`() throws {
        var bytes = RouteCaptures.ipv4Default.bytes
        // The length says /24, and there is no RTA_DST.
        bytes[17] = 24
        #expect(try Self.filter([]).accepts(bytes))
    }

    @Test func `the program is within the kernel's limits`() throws {
        let addresses = (0..<250).map { NetworkAddress(10, 0, 0, UInt8($0)) }
        #expect(try #require(SocketFilter(routesCovering: addresses)).instructions.count <= 4096)
        #expect(SocketFilter(routesCovering: addresses + [NetworkAddress(10, 1, 1, 1)]) == nil)
    }
}
#endif
