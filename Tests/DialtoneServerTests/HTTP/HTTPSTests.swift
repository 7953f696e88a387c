// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import NetworkSimulation
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneServer

/// HTTPS without a proxy.
@Suite(.real, .timeLimit(.minutes(5)))
struct HTTPSTests {
    private static let token = "correct-horse-battery"
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority(named: "Test Authority") }

    private func serve(
        time: TimeSource = .system, _ change: (inout ServedConfiguration) throws -> Void = { _ in }
    ) async throws -> ServedNetwork {
        let identity = try ServerIdentity(authority.issueForServer())
        return try await ServedNetwork(time: time) { configuration in
            configuration.identity = identity
            try change(&configuration)
        }
    }

    @Test func `the dashboard is served, and browsers send the session's cookie only over HTTPS`() async throws {
        let served = try await serve { configuration in
            configuration.token = Self.token
            configuration.allowedHosts = ["dash.example"]
        }
        #expect(served.server.urls[0] == "https://127.0.0.1:\(served.port)/")
        let fields = [
            "Host": "dash.example", "Origin": "https://dash.example",
            "Content-Type": "application/x-www-form-urlencoded",
        ]
        let login = try await TLSClient.ask(
            served.port, trusting: authority, method: "POST", "/login", fields, body: "token=\(Self.token)")
        #expect(login.status == 303)
        let cookie = try #require(login.fields["set-cookie"])
        #expect(cookie.hasSuffix("; Secure"))
        let page = try await TLSClient.ask(
            served.port, trusting: authority, "/",
            ["Host": "dash.example", "Cookie": String(cookie.prefix { $0 != ";" })])
        #expect(page.status == 200 && page.body.contains("</html>"))
        // The field is only for origins that browsers trust.
        #expect(page.fields["cross-origin-opener-policy"] == "same-origin")
        #expect(page.fields["strict-transport-security"] == nil)
    }

    @Test func `one connection serves several requests, and an event stream continues`() async throws {
        let served = try await serve()
        let client = try await TLSClient(served.port, trusting: authority)
        for _ in 0..<3 {
            try await client.send(RawClient.text(served.port, "GET", "/healthz"))
            #expect(try await client.read(until: "ok\n").contains("200 OK"))
        }
        try await client.send(RawClient.text(served.port, "GET", "/events"))
        _ = try await client.read(until: "\"connectivity\":\"online\"")
        served.network.become(.offline)
        _ = try await client.read(until: "\"connectivity\":\"offline\"")
        served.server.stop()
        _ = try await client.readToEnd()
        try await served.running.value
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /check HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "HEAD / HTTP/1.1\r\n",
    ])
    func `plain HTTP is refused with the advice to use HTTPS`(text: String) async throws {
        let served = try await serve()
        let client = try RawClient(served.port)
        try client.send(text)
        let answer = try await client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && answer.hasSuffix("https://.\n"))
        #expect(try await TLSClient.ask(served.port, trusting: authority, "/healthz").status == 200)
    }

    @Test func `garbage ends the connection`() async throws {
        let served = try await serve()
        for bytes in [[0], [22, 3, 1, 0, 2, 1, 0], Array("SSH-2.0-client\r\n".utf8)] as [[UInt8]] {
            let client = try RawClient(served.port)
            try client.send(bytes + [UInt8](repeating: 7, count: 20_000))
            // At most an alert.
            #expect(try await client.readToEnd().utf8.count < 16)
        }
        #expect(try await TLSClient.ask(served.port, trusting: authority, "/healthz").status == 200)
    }

    @Test func `TLS 1.1 is refused`() async throws {
        let served = try await serve()
        let client = try RawClient(served.port)
        // A ClientHello for TLS 1.1 (RFC 4346 section 7.4.1.2) with two cipher suites.
        let hello = [3, 2] + [UInt8](repeating: 1, count: 32) + [0, 0, 4, 0, 0x2F, 0, 0x35, 1, 0]
        try client.send([22, 3, 1, 0, UInt8(hello.count + 4), 1, 0, 0, UInt8(hello.count)] + hello)
        // The alert protocol_version.
        #expect(try await client.readToEnd().utf8.suffix(2) == [2, 70])
    }

    @Test func `a handshake without end is cut off`() async throws {
        let clock = TestClock()
        let served = try await serve(time: clock.timeSource) { $0.limits.requestTime = .seconds(7.25) }
        let beginnings: [[UInt8]] = [[], [22, 3, 1, 2, 0, 1], [22, 3, 1, 0x3F, 0]]
        for (number, beginning) in beginnings.enumerated() {
            let client = try RawClient(served.port)
            try client.send(beginning)
            try await eventually { clock.deadlines.contains(.init(offset: .seconds(7.25 * Double(number + 1)))) }
            // Nothing else has a deadline at this time. More bytes do not extend it.
            for _ in 0..<7 {
                if number == 2 { try client.send([0]) }
                clock.advance(by: .seconds(1))
            }
            clock.advance(by: .seconds(0.25))
            #expect(try await client.readToEnd().isEmpty)
        }
    }

    @Test func `a connection in its handshake is counted, and gives way to another`() async throws {
        let served = try await serve { $0.limits.connections = 1 }
        let silent = try RawClient(served.port)
        let ended = Recorder<String>()
        let reading = Task { ended.record(try await silent.readToEnd()) }
        defer { reading.cancel() }
        // Two event loops may admit the connections in the other order, and then the silent one gives way to a later one.
        try await eventually {
            let reply = try? await TLSClient.ask(served.port, trusting: authority, "/healthz")
            return reply?.status == 200 && !ended.values.isEmpty
        }
        #expect(ended.values == [""])
    }

    @Test func `an idle connection is closed with an alert`() async throws {
        let clock = TestClock()
        let served = try await serve(time: clock.timeSource)
        let client = try await TLSClient(served.port, trusting: authority)
        try await client.send(RawClient.text(served.port, "GET", "/healthz"))
        _ = try await client.read(until: "ok\n")
        // Its time begins once its event loop has noticed that the response was sent.
        #expect(await served.server.listener.responds())
        clock.advance(by: ServerLimits.patient.idleTime)
        #expect(try await client.readToEnd().isEmpty)
    }

    @Test func `the server proves its name only to those who trust its authority`() async throws {
        let served = try await serve()
        let other = try TestAuthority(named: "Another Authority")
        await #expect(throws: (any Error).self) {
            try await TLSClient.ask(served.port, trusting: other, "/healthz")
        }
        #expect(try await TLSClient.ask(served.port, trusting: authority, "/healthz").status == 200)
    }
}
