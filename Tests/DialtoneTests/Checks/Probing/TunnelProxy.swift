// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// An HTTP proxy for one connection: answers a GET itself, and tunnels a CONNECT to a scripted server.
final class TunnelProxy: Sendable {
    let port: UInt16
    /// The header sections of the requests that it received.
    let heads = Recorder<String>()

    init(to internet: ScriptedInternet) throws {
        let host = NetworkAddress("127.0.0.1")
        let listener = try Sockets.openSocket(.ipv4, .stream)
        try Sockets.bindSocket(listener, to: host, port: 0)
        try Sockets.startListening(listener, backlog: 8)
        port = try Sockets.port(listener)
        let target = try #require(UInt16(internet.https.split(separator: ":").last ?? ""))
        let heads = heads
        try ThreadStarter.system.start("test.proxy") {
            let deadline = TimeSource.system.now + .seconds(20)
            _ = PollSet.wait(readable: [listener.number], until: deadline, nil)
            guard let accepted = try? Sockets.acceptConnection(listener) else { return }
            let client = ByteStream(accepted)
            guard let bytes = try? client.receive(until: deadline) else { return }
            let head = String(decoding: bytes, as: UTF8.self)
            heads.record(head)
            guard head.hasPrefix("CONNECT") else {
                try? client.send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8), until: deadline)
                return client.end()
            }
            guard let socket = try? Sockets.openSocket(.ipv4, .stream),
                (try? Sockets.startConnecting(socket, to: host, port: target)) != nil
            else { return }
            _ = PollSet.wait(writable: [socket.number], until: deadline, nil)
            let server = ByteStream(socket)
            try? client.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8), until: deadline)
            while true {
                let wait = PollSet.wait(readable: [accepted.number, socket.number], until: deadline, nil)
                guard !wait.ready.isEmpty else { return }
                for (from, to, number) in [(client, server, accepted.number), (server, client, socket.number)]
                where wait.ready.contains(number) {
                    guard let bytes = try? from.receive(until: deadline), !bytes.isEmpty else { return }
                    try? to.send(Array(bytes), until: deadline)
                }
            }
        }
    }
}
