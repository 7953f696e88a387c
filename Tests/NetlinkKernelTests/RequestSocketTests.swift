// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RequestSocketTests {
    /// Dumps the IPv4 routes and stops at the first.
    static func breakOff(_ socket: inout RequestSocket) throws(NetlinkError) {
        _ = try socket.exchange(.getRoute, .dump, operation: "broken off") {
            RouteNetlink.writeRouteHeader(&$0, family: .ipv4)
        } read: { (_, _) throws(NetlinkError) in
            throw .malformed("enough")
        }
    }

    @Test func `a dump that is stopped early does not affect later requests`() async throws {
        var lab = try await Lab()
        try lab.storm(3000)
        for _ in 0..<3 {
            let error = #expect(throws: NetlinkError.self) { try Self.breakOff(&lab.kernel.socket) }
            #expect(error?.message == "enough")
            let routes = try lab.kernel.routes(.ipv4, table: .main)
            #expect(routes.count == 3000)
        }
    }

    @Test func `a rejection in a batch does not affect later requests`() async throws {
        var lab = try await Lab()
        let lookups = Array(repeating: RouteLookup(to: NetworkAddress(203, 0, 113, 9)), count: 130)
        let answers = try lab.kernel.settledRoutes(lookups)
        #expect(answers == Array(repeating: .failure(.networkUnreachable), count: 130))
        let link = try lab.kernel.link(named: "a")
        #expect(link.index == lab.a)
    }

    @Test func `answers forged by another process are ignored`() async throws {
        let namespace = try NetworkNamespace()
        let socket = try NetlinkSocket(.route, in: namespace)
        let port = socket.portNumber
        try await namespace.run { try Spoofer().send(Spoofer.deletedDefaultRoute, to: port) }
        var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferSize)
        var received: [String] = []
        for _ in 0..<2 {
            switch try socket.receive(into: &buffer, waiting: false) {
            case .datagram: received.append("datagram")
            case .stranger: received.append("stranger")
            case .nothing: received.append("nothing")
            }
        }
        #expect(received == ["stranger", "nothing"])
    }

    @Test func `silence ends in a typed error`() throws {
        let socket = try NetlinkSocket(.route, in: NetworkNamespace())
        try socket.bound(seconds: 1)
        var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferSize)
        let error = #expect(throws: NetlinkError.self) { _ = try socket.receive(into: &buffer, waiting: true) }
        #expect(error?.code == .timedOut)
    }

    @Test func `a datagram longer than the buffer is reported`() async throws {
        var lab = try await Lab()
        let socket = try NetlinkSocket(.route, in: lab.namespace)
        try socket.join(.ipv4Route)
        try lab.storm(1)
        var buffer = [UInt8](repeating: 0, count: 20)
        let error = #expect(throws: NetlinkError.self) { _ = try socket.receive(into: &buffer, waiting: false) }
        #expect(error?.code == .truncated)
    }
}
#endif
