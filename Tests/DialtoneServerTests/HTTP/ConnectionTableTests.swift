// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Synchronization
import Testing

@testable import DialtoneServer

struct ConnectionTableTests {
    /// A connection that notes whether it was closed.
    private final class Connection: Sendable {
        private let closed = Atomic(false)

        var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

        /// Registers itself.
        func register(in table: ConnectionTable) -> UInt64? {
            table.add { [self] in closed.store(true, ordering: .sequentiallyConsistent) }
        }

        /// Registers itself, and is admitted if there is room.
        func add(to table: ConnectionTable, from peer: Peer? = nil) -> UInt64? {
            register(in: table).flatMap { table.admit($0, from: peer) ? $0 : nil }
        }
    }

    private static func table(limit: Int, perPeer: Int, perNetwork: Int = 100) -> ConnectionTable {
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerPeer, limits.connectionsPerNetwork) = (limit, perPeer, perNetwork)
        return ConnectionTable(limits)
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
        let table = Self.table(limit: 10, perPeer: 3)
        let connections = (0..<9).map { _ in Connection() }
        let (greedy, modest, local) = (
            try Self.peer("192.0.2.1"), try Self.peer("192.0.2.2"), try Self.peer("127.0.0.1")
        )
        let identifiers = try connections[0..<3].map { try #require($0.add(to: table, from: greedy)) }
        for identifier in identifiers { table.note(identifier, isWaiting: false) }
        #expect(connections[3].add(to: table, from: greedy) == nil)
        #expect(connections[4].add(to: table, from: modest) != nil)
        for connection in connections[5...8] { #expect(connection.add(to: table, from: local) != nil) }
        #expect(!connections.contains { $0.isClosed })
    }

    @Test(arguments: [
        (["192.0.2.1", "192.0.2.2", "192.0.2.3"], "192.0.2.4", "198.51.100.1"),
        (["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1"], "2001:db8:1:4::1", "2001:db8:2:1::1"),
    ])
    func `one network cannot use the connections of others`(clients: [String], next: String, other: String) throws {
        let table = Self.table(limit: 10, perPeer: 2, perNetwork: 3)
        for client in clients {
            let identifier = try #require(Connection().add(to: table, from: try Self.peer(client)))
            table.note(identifier, isWaiting: false)
        }
        // The limits count only once the table is full.
        for _ in 0..<7 { #expect(Connection().add(to: table, from: try Self.peer("127.0.0.1")) != nil) }
        #expect(Connection().add(to: table, from: try Self.peer(next)) == nil)
        #expect(Connection().add(to: table, from: try Self.peer(other)) != nil)
    }

    @Test func `the connection that has waited longest is closed`() throws {
        let table = Self.table(limit: 3, perPeer: 2)
        let connections = (0..<6).map { _ in Connection() }
        let client = try Self.peer("192.0.2.1")
        let first = try #require(connections[0].add(to: table, from: client))
        let second = try #require(connections[1].add(to: table, from: client))
        // It waits again, for less time than the other.
        table.note(first, isWaiting: false)
        table.note(first, isWaiting: true)
        #expect(connections[2].add(to: table, from: client) != nil)
        #expect(!connections[0].isClosed && connections[1].isClosed)
        // Until it notices, it does not count.
        #expect(connections[3].add(to: table) != nil)
        table.remove(second)
        #expect(connections[4].add(to: table) != nil)
        #expect(connections[0].isClosed)
    }

    @Test func `a connection is closed with the others before its client is known`() throws {
        let table = Self.table(limit: 1, perPeer: 1)
        let connection = Connection()
        let identifier = try #require(connection.register(in: table))
        // It does not count yet.
        #expect(Connection().add(to: table) != nil)
        table.close()
        #expect(connection.isClosed)
        #expect(!table.admit(identifier, from: nil))
        #expect(Connection().register(in: table) == nil)
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
