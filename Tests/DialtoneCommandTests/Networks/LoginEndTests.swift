// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport
import Testing

/// The end of a login is noticed while a user watches, with the default settings.
///
/// How soon is decided in `ScheduleTests`.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct LoginEndTests {
    @Test func `watch`() async throws {
        let lab = try await Self.lab()
        let watch = try await lab.served.run(["watch", "--json"])
        _ = try await watch.output.next { $0.contains(#""connectivity":"captivePortal""#) }
        lab.served.internet.play(.defaultEndpoints())
        let online = try await watch.output.next { $0.contains(#""connectivity":"online""#) }
        #expect(online.contains(#""explanation":null"#) && online.contains(#""fault":null"#), "\(online)")
        watch.interrupt()
        #expect(try await watch.exitStatus() == 0)
    }

    @Test func `the page of a server`() async throws {
        let lab = try await Self.lab()
        let server = try await LabServer(in: lab.served)
        let port = server.port
        let client = lab.served.network.client
        try await client.run { try Self.readEvents(port, until: #""connectivity":"captivePortal""#) }
        async let online: Void = client.run { try Self.readEvents(port, until: #""connectivity":"online""#) }
        lab.served.internet.play(.defaultEndpoints())
        try await online
        server.run.terminate()
        #expect(try await server.run.exitStatus() == 0)
    }

    private static func lab() async throws -> FaultLab {
        let lab = try await FaultLab(.portal(.redirect))
        try await lab.join()
        return lab
    }

    /// Reads the events of this machine's own server until one contains a text.
    private static func readEvents(_ port: UInt16, until text: String) throws {
        let socket = try Sockets.openSocket(.ipv4, .stream)
        try Sockets.startConnecting(socket, to: NetworkAddress(127, 0, 0, 1), port: port)
        let stream = ByteStream(socket)
        let deadline = TimeSource.system.now + .seconds(120)
        try stream.send(Array("GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8), until: deadline)
        var received: [UInt8] = []
        while !String(decoding: received, as: UTF8.self).contains(text) {
            let bytes = try stream.receive(until: deadline)
            if bytes.isEmpty { throw CocoaError(.fileReadUnknown) }
            received += bytes
        }
    }
}
