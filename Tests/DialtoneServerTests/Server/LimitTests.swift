//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import DialtoneServer

struct LimitTests {
    @Test func `too much is refused, whatever it is`() async throws {
        let served = try await ServedNetwork()
        let long = String(repeating: "a", count: 40_000)
        #expect(try await served.get("/?\(long.prefix(3000))").status == 414)
        #expect(try await served.get("/", ["X-Long": String(long.prefix(15_000) + long.prefix(5000))]).status == 431)
        #expect(try await served.submit("/request", String(long.prefix(20_000))).status == 413)
        #expect(try await served.get("/healthz").status == 200)
    }

    @Test func `a request without end is cut off`() async throws {
        let served = try await ServedNetwork { $0.limits.requestTime = .milliseconds(300) }
        let silent = try RawClient(served.port)
        #expect(try await silent.readToEnd().isEmpty)
        let slow = try RawClient(served.port)
        try slow.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        #expect(try await slow.readToEnd().isEmpty)
        let endless = try RawClient(served.port)
        try endless.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        let end = Task { try await endless.readToEnd() }
        // Each byte in time, the whole never: more bytes bring no more time.
        while (try? endless.send("X: y\r\n")) != nil { try await Task.sleep(for: .milliseconds(20)) }
        _ = try? await end.value
        #expect(try await served.get("/healthz").status == 200)
    }

    @Test func `a connection that rests is ended`() async throws {
        let served = try await ServedNetwork { $0.limits.idleTime = .milliseconds(300) }
        let client = try RawClient(served.port)
        try client.send(RawClient.text(served.port, "GET", "/healthz"))
        #expect(try await client.read(until: "ok\n").contains("Connection: keep-alive"))
        #expect(try await client.readToEnd().isEmpty)
    }

    @Test func `a connection serves one request after the other`() async throws {
        let served = try await ServedNetwork()
        let client = try RawClient(served.port)
        for _ in 0..<3 {
            try client.send(RawClient.text(served.port, "GET", "/healthz"))
            #expect(try await client.read(until: "ok\n").contains("200 OK"))
        }
    }

    @Test func `more connections than there may be are turned away, and later ones are served`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.connections = 4
            configuration.limits.requestTime = .seconds(600)
        }
        var held: [RawClient] = []
        for _ in 0..<4 {
            let client = try RawClient(served.port)
            // What was answered is known to be counted.
            try client.send(RawClient.text(served.port, "GET", "/healthz"))
            _ = try await client.read(until: "ok\n")
            held.append(client)
        }
        let surplus = try RawClient(served.port)
        #expect(Reply(try await surplus.readToEnd()).status == 503)
        try held[0].send(RawClient.text(served.port, "GET", "/healthz", ["Connection": "close"]))
        _ = try await held[0].readToEnd()
        var status = 0
        // The place is free a moment after the connection's end.
        while status != 200 { status = (try? await served.get("/healthz").status) ?? 0 }
    }

    @Test func `a port that somebody has is named, with what to do`() async throws {
        let served = try await ServedNetwork()
        let error = await #expect(throws: ServerError.self) {
            _ = try await ServedNetwork { $0.listen = served.server.address }
        }
        #expect(error?.code == .portInUse)
        #expect(error?.description.contains("--listen") == true)
    }

    @Test func `others than this machine need a token`() async throws {
        let error = await #expect(throws: ServerError.self) {
            _ = try await ServedNetwork { $0.listen = try ListenAddress(parsing: "0.0.0.0:0") }
        }
        #expect(error?.code == .noToken)
    }

    @Test func `so do the visitors of a proxy, who come from this machine`() async throws {
        let error = await #expect(throws: ServerError.self) {
            _ = try await ServedNetwork { $0.allowedHosts = ["status.example.com"] }
        }
        #expect(error?.code == .noToken)
        #expect(error?.description.contains("status.example.com") == true)
    }

    @Test func `it stops when told to, even while somebody listens`() async throws {
        let served = try await ServedNetwork()
        let listener = try await served.listen()
        _ = try await listener.read(until: "event: connectivity")
        let idle = try RawClient(served.port)
        try idle.send(RawClient.text(served.port, "GET", "/healthz"))
        _ = try await idle.read(until: "ok\n")
        served.server.stop()
        _ = try await listener.readToEnd()
        #expect(try await idle.readToEnd().isEmpty)
        try await served.running.value
        #expect(throws: RawClient.Trouble.self) { try RawClient(served.port) }
    }
}
