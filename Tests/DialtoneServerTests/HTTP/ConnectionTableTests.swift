// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneServer

struct ConnectionTableTests {
    /// One end of a socket pair.
    private final class End: Sendable {
        let descriptor: Int32
        private let other: Int32

        init() throws {
            let ends = try Descriptors.makePair()
            (descriptor, other) = (ends[0], ends[1])
        }

        deinit {
            close(descriptor)
            close(other)
        }

        /// Whether the server has closed the connection.
        var isShutDown: Bool {
            var byte: UInt8 = 0
            return recv(other, &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }
    }

    private static func peer(_ text: String) throws -> Peer { Peer(try #require(NetworkAddress(text))) }

    @Test func `a client is an IPv4 address, an IPv6 network of 64 bits, or this machine`() throws {
        let peers = try ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.1"]
            .map(Self.peer)
        #expect(peers[2] == peers[3] && peers[2] != peers[4] && peers[0] == peers[5] && peers[0] != peers[1])
        let local = try ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.3"].map(Self.peer)
        #expect(Set(local).count == 1 && !peers.contains(local[0]))
    }

    @Test func `one client cannot use the connections of others`() throws {
        let table = ConnectionTable(limit: 10, perPeer: 3)
        let ends = try (0..<9).map { _ in try End() }
        let (greedy, modest, local) = (
            try Self.peer("192.0.2.1"), try Self.peer("192.0.2.2"), try Self.peer("127.0.0.1")
        )
        let identifiers = try ends[0..<3].map { try #require(table.add($0.descriptor, from: greedy)) }
        for identifier in identifiers { table.allow(identifier, nil) }
        #expect(table.add(ends[3].descriptor, from: greedy) == nil)
        #expect(table.add(ends[4].descriptor, from: modest) != nil)
        for end in ends[5...8] { #expect(table.add(end.descriptor, from: local) != nil) }
        #expect(!ends.contains { $0.isShutDown })
    }

    @Test func `the connection that has been idle longest is closed`() throws {
        let table = ConnectionTable(limit: 3, perPeer: 2)
        let ends = try (0..<6).map { _ in try End() }
        let client = try Self.peer("192.0.2.1")
        let first = try #require(table.add(ends[0].descriptor, from: client))
        let second = try #require(table.add(ends[1].descriptor, from: client))
        // It is idle again, for less time than the other.
        table.allow(first, nil)
        table.allow(first, .seconds(60), isIdle: true)
        #expect(table.add(ends[2].descriptor, from: client) != nil)
        #expect(!ends[0].isShutDown && ends[1].isShutDown)
        // Until it notices, it does not count.
        #expect(table.add(ends[3].descriptor) != nil)
        table.remove(second)
        #expect(table.add(ends[4].descriptor) != nil)
        #expect(ends[0].isShutDown)
    }

    @Test(arguments: [(1024, 65_536, 1024), (1024, 1024, 896), (1024, 256, 128), (1024, 100, 50), (4, 1024, 4)])
    func `some descriptors are reserved for the monitor`(wanted: Int, limit: Int, connections: Int) {
        #expect(Descriptors.connections(wanted, ofDescriptors: limit) == connections)
    }

    @Test(arguments: [(1024, 4096, 4096), (1024, 1_048_576, 65_536), (100_000, 1_048_576, 100_000), (512, 512, 512)])
    func `the limit on descriptors is raised, never lowered`(soft: UInt, hard: UInt, expected: UInt) {
        #expect(Descriptors.raised(soft: soft, hard: hard) == expected)
    }
}
