// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent
import Foundation
import NetworkSimulation
import TestSupport
import Testing

@testable import DialtoneServer

@Suite(.real, .timeLimit(.minutes(5)))
struct LimitTests {
    @Test func `every kind of oversized request is refused`() async throws {
        let served = try await ServedNetwork()
        let long = String(repeating: "a", count: 40_000)
        #expect(try await served.get("/?\(long.prefix(3000))").status == 414)
        #expect(try await served.get("/", ["X-Long": String(long.prefix(15_000) + long.prefix(5000))]).status == 431)
        #expect(try await served.submit("/check", String(long.prefix(20_000))).status == 413)
        #expect(try await served.get("/healthz").status == 200)
    }

    @Test func `a request without end is cut off`() async throws {
        let clock = TestClock()
        let served = try await ServedNetwork(time: clock.timeSource) { $0.limits.requestTime = .seconds(7) }
        let silent = try RawClient(served.port)
        try await eventually { clock.deadlines.contains(.init(offset: .seconds(7))) }
        clock.advance(by: .seconds(7))
        #expect(try await silent.readToEnd().isEmpty)
        // The response to a first request shows that the server has received the beginning of the second one.
        let endless = try RawClient(served.port)
        try endless.send(RawClient.text(served.port, "GET", "/healthz") + "GET / HTTP/1.1\r\nX-Slow: ")
        _ = try await endless.read(until: "ok\n")
        #expect(await served.server.listener.responds())
        // More bytes do not extend the time.
        for _ in 0..<7 {
            try endless.send("x")
            clock.advance(by: .seconds(1))
        }
        #expect(try await endless.readToEnd().isEmpty)
        #expect(try await served.get("/healthz").status == 200)
    }

    @Test func `an idle connection is closed`() async throws {
        let clock = TestClock()
        let served = try await ServedNetwork(time: clock.timeSource)
        let client = try RawClient(served.port)
        try client.send(RawClient.text(served.port, "GET", "/healthz"))
        #expect(try await client.read(until: "ok\n").contains("Connection: keep-alive"))
        // Its time begins once its event loop has noticed that the response was sent.
        #expect(await served.server.listener.responds())
        clock.advance(by: ServerLimits.patient.idleTime)
        #expect(try await client.readToEnd().isEmpty)
    }

    @Test func `a connection serves one request after another`() async throws {
        let served = try await ServedNetwork()
        let client = try RawClient(served.port)
        for _ in 0..<3 {
            try client.send(RawClient.text(served.port, "GET", "/healthz"))
            #expect(try await client.read(until: "ok\n").contains("200 OK"))
        }
    }

    @Test func `connections above the limit are refused, and later ones are served`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.connections = 4
            configuration.limits.streams = 4
            configuration.keepAlive = .milliseconds(50)
        }
        var held: [RawClient] = []
        // Event streams, which are never closed to make room.
        for _ in 0..<4 { held.append(try await served.listen()) }
        let surplus = try RawClient(served.port)
        #expect(Reply(try await surplus.readToEnd()).status == 503)
        held.removeFirst()
        // The slot is free a moment after the connection ends; until then the server may close the new one at once.
        try await eventually { (try? await served.get("/healthz").status) == 200 }
    }

    @Test func `when all connections are taken, the longest idle one gives way`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.connections = 4
        }
        var held: [RawClient] = []
        for _ in 0..<4 {
            let client = try RawClient(served.port)
            // Once it has a response, the connection is certainly registered.
            try client.send(RawClient.text(served.port, "GET", "/healthz"))
            _ = try await client.read(until: "ok\n")
            // It counts as idle once its event loop has noticed that the response was sent.
            #expect(await served.server.listener.responds())
            held.append(client)
        }
        #expect(try await served.get("/healthz").status == 200)
        #expect(try await held[0].readToEnd().isEmpty)
        try held[3].send(RawClient.text(served.port, "GET", "/healthz"))
        #expect(try await held[3].read(until: "ok\n").contains("200 OK"))
    }

    @Test func `an error for a port in use names it, and the remedy`() async throws {
        let served = try await ServedNetwork()
        let error = await #expect(throws: ServiceError.self) {
            _ = try await ServedNetwork { $0.listen = served.server.addresses }
        }
        #expect(error?.kind == .system)
        #expect(error?.description.contains("--listen") == true)
    }

    @Test func `a token is required to serve other machines`() async throws {
        let error = await #expect(throws: ServiceError.self) {
            _ = try await ServedNetwork { $0.listen = [$0.listen[0], try ListenAddress(parsing: "0.0.0.0:0")] }
        }
        #expect(error?.kind == .configuration)
    }

    @Test func `a token is also required behind a proxy, whose visitors connect from this machine`() async throws {
        let error = await #expect(throws: ServiceError.self) {
            _ = try await ServedNetwork { $0.allowedHosts = ["status.example.com"] }
        }
        #expect(error?.kind == .configuration)
        #expect(error?.description.contains("status.example.com") == true)
    }

    @Test func `it stops on request, even with a listener`() async throws {
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
        // A program that another test is starting has a copy of the socket until it runs.
        try await eventually { (try? RawClient(served.port)) == nil }
    }
}
