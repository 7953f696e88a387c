// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import NetworkModel
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
                let bit = Int.random(in: 0..<other.bitCount, using: &generator)
                return NetworkAddress(version: other.version, bits: other.bits ^ 1 << bit)
            }
            let isIPv4 = Bool.random(using: &generator)
            let low = UInt64.random(in: 0...(isIPv4 ? 0xFFFF_FFFF : .max), using: &generator)
            let bits = AddressBits(high: isIPv4 ? 0 : .random(in: .min ... .max, using: &generator), low: low)
            return NetworkAddress(version: isIPv4 ? .ipv4 : .ipv6, bits: bits)
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

    static func notification(
        _ type: MessageType, _ address: NetworkAddress?, on interface: Int32, _ state: NeighborState,
        family: AddressFamily? = nil
    ) throws -> [UInt8] {
        var writer = MessageWriter(type, flags: [], sequence: 0)
        writer.append((family ?? address?.family ?? .bridge).rawValue)
        writer.append([0, 0, 0])
        writer.append(interface)
        writer.append(state.rawValue)
        writer.append([0, 0])
        writer.attribute(NeighborMessage.Attribute.hardwareAddress.rawValue, [2, 0, 0, 0, 0, 9])
        if let address { writer.attribute(NeighborMessage.Attribute.destination.rawValue, address) }
        return try writer.finish()
    }

    @Test func `of the neighbours, only what may change the router in use is accepted`() throws {
        let addresses: [NetworkAddress] = ["192.0.2.1", "192.0.2.2", "fe80::1", "fe80::2", "2001:db8::7"]
        let watched: [NeighborWatch] = [
            NeighborWatch("192.0.2.1", on: 3), NeighborWatch("fe80::1", on: 3),
            NeighborWatch("fe80::2", on: 4, hasFailed: true), NeighborWatch("192.0.2.2", on: 70_000, hasFailed: true),
        ]
        let filter = FilterInterpreter(
            program: try #require(SocketFilter(routesCovering: [], neighbors: watched)).instructions)
        var accepted = 0
        for type in [MessageType.newNeighbor, .deleteNeighbor] {
            for (address, interface) in addresses.flatMap({ address in [3, 4, 70_000].map { (address, Int32($0)) } }) {
                for state in (0..<8).map({ NeighborState(rawValue: 1 << $0) }) {
                    let own = watched.first { $0.address == address && $0.interface == interface }
                    let expected =
                        own.map { $0.hasFailed || state == .failed || type == .deleteNeighbor } ?? false
                    let accepts = try filter.accepts(try Self.notification(type, address, on: interface, state))
                    #expect(accepts == expected, "\(type) \(address) on \(interface), \(state)")
                    if accepts { accepted += 1 }
                }
            }
        }
        // A failure and eight deletions, or everything.
        #expect(accepted == 2 * (1 + 8) + 2 * 16)
        #expect(try !filter.accepts(try Self.notification(.newNeighbor, nil, on: 3, .failed)))
        #expect(try !filter.accepts(try Self.notification(.newNeighbor, "192.0.2.1", on: 3, .failed, family: .bridge)))
    }

    @Test func `limits of routes and of neighbours do not affect each other`() throws {
        let failure = try Self.notification(.newNeighbor, "192.0.2.1", on: 3, .failed)
        let route = try Self.notification(.newRoute, "192.0.2.0/24")
        let link = try #require(LinkCaptures.all.first).bytes
        let cases: [([NetworkAddress]?, [NeighborWatch]?, neighbor: Bool, route: Bool)] = [
            ([], nil, true, false), (nil, [], false, true), ([], [], false, false), (nil, nil, true, true),
            (["192.0.2.7"], [NeighborWatch("192.0.2.1", on: 3)], true, true),
        ]
        for (addresses, neighbors, acceptsNeighbor, acceptsRoute) in cases {
            let program = try #require(SocketFilter(routesCovering: addresses, neighbors: neighbors)).instructions
            let filter = FilterInterpreter(program: program)
            #expect(try filter.accepts(failure) == acceptsNeighbor)
            #expect(try filter.accepts(route) == acceptsRoute)
            #expect(try filter.accepts(link))
        }
    }

    @Test func `the program is within the kernel's limits`() throws {
        let addresses = (0..<250).map { NetworkAddress(10, 0, 0, UInt8($0)) }
        let neighbors = addresses.map { NeighborWatch($0, on: 3) }
        #expect(
            try #require(SocketFilter(routesCovering: addresses, neighbors: neighbors)).instructions.count <= 4096)
        #expect(SocketFilter(routesCovering: addresses + [NetworkAddress(10, 1, 1, 1)]) == nil)
    }
}
#endif
