// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)), .requires(.tunnels))
struct TunnelTests {
    let namespace: NetworkNamespace

    init() throws { namespace = try NetworkNamespace() }

    static let contents: [(Tunnel.Content, HardwareType)] = [(.packets, .none), (.frames, .ethernet)]

    @Test(arguments: contents) func `a persistent link stays, without carrier, until a program attaches to it`(
        content: Tunnel.Content, hardware: HardwareType
    ) async throws {
        try await namespace.run { try Tunnel.createPersistentLink(name: "t0", carrying: content) }
        var kernel = try RouteNetlink(in: namespace)
        let link = try kernel.link(named: "t0")
        #expect(link.kind == "tun")
        #expect(link.hardwareType == hardware)
        let events = try RouteEvents(in: namespace)
        try kernel.setLink(link.index, up: true)
        try await events.link(link.index) { $0.hasCarrier == false && $0.operationalState == .down }

        var tunnel: Tunnel? = try await namespace.run { try Tunnel(name: "t0", carrying: content) }
        try await events.link(link.index) { $0.hasCarrier == true && $0.flags.contains(.running) }
        let busy = await #expect(throws: NetlinkError.self) {
            try await namespace.run { try Tunnel(name: "t0", carrying: content) }
        }
        #expect(busy?.errno?.rawValue == 16)

        withExtendedLifetime(tunnel) {}
        tunnel = nil
        try await events.link(link.index) { $0.hasCarrier == false }
        try kernel.deleteLink(link.index)
    }

    @Test func `a link that is not persistent is deleted with its object`() async throws {
        var kernel = try RouteNetlink(in: namespace)
        var tunnel: Tunnel? = try await namespace.run { try Tunnel(name: "t0", carrying: .packets) }
        let link = try kernel.link(named: "t0")
        #expect(link.name == "t0")
        let events = try RouteEvents(in: namespace)
        withExtendedLifetime(tunnel) {}
        tunnel = nil
        // A program that another test starts now holds the descriptor too, until its exec.
        for try await case .message(.deletedLink(let gone)) in events where gone.index == link.index { break }
        let gone = try refusal { try kernel.link(named: "t0") }
        #expect(gone.errno == .noSuchDevice)
    }

    @Test func `packets pass in both directions`() async throws {
        var kernel = try RouteNetlink(in: namespace)
        let tunnel = try await namespace.run { try Tunnel(name: "t0", carrying: .packets) }
        let index = try kernel.link(named: "t0").index
        let off = #expect(throws: NetlinkError.self) { try tunnel.send(Self.echoRequest) }
        #expect(off?.errno?.rawValue == 5)
        try kernel.addAddress(prefix("192.0.2.1/24"), to: index)
        try kernel.setLink(index, up: true)

        let received = Recorder<[UInt8]>()
        let source = DispatchSource.makeReadSource(fileDescriptor: tunnel.descriptorNumber)
        source.setEventHandler {
            while let packet = try? tunnel.nextPacket() { received.record(packet) }
        }
        source.resume()
        defer { source.cancel() }
        try tunnel.send(Self.echoRequest)
        // Type 0 after a header of 20 bytes: the answer to the echo request.
        _ = try await received.next { $0.first == 0x45 && $0[20] == 0 }
    }

    /// An ICMP echo request (RFC 792) from 192.0.2.2 to 192.0.2.1.
    static let echoRequest: [UInt8] = [
        0x45, 0, 0, 28, 0, 1, 0, 0, 64, 1, 0xF6, 0xDC, 192, 0, 2, 2, 192, 0, 2, 1,
        8, 0, 0xF7, 0xFD, 0, 1, 0, 1,
    ]

    @Test func `an invalid name is rejected`() {
        let error = #expect(throws: NetlinkError.self) { try Tunnel(name: "", carrying: .packets) }
        #expect(error?.code == .invalidArgument)
    }
}
#endif
