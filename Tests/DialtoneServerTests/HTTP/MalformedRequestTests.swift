// SPDX-License-Identifier: Apache-2.0

import Foundation
import NetworkSimulation
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneServer

/// Requests as bytes, over a connection.
@Suite(.real, .timeLimit(.minutes(2)))
struct MalformedRequestTests {
    /// A listener that answers with the requests it reads.
    private final class Echo: Sendable {
        let listener: HTTPListener
        let requests = Recorder<Request>()
        private let running: Task<Bool, any Error>

        init(_ limits: ServerLimits = .patient, time: TimeSource = .system) throws {
            listener = try HTTPListener([try ListenAddress(parsing: "127.0.0.1:0")], limits: limits, time: time)
            running = Task { [listener, requests] in
                try await listener.run { request in
                    requests.record(request)
                    return Response(200, "ok\n")
                }
            }
        }

        deinit { listener.stop() }

        /// Sends bytes in pieces, and returns what comes until the connection ends.
        func answer(_ pieces: [String]) async throws -> String {
            let client = try RawClient(listener.addresses[0].port)
            for piece in pieces { try? client.send(piece) }
            return try await client.readToEnd()
        }
    }

    private static let host = "Host: localhost\r\n"

    @Test func `a browser's request is parsed`() async throws {
        let echo = try Echo()
        let reply = try await echo.answer([
            "GET /a/b?window=week&x=%C3%A9+1 HTTP/1.1\r\nHost: localhost:8484\r\nAccept:  text/html \r\nConnection: close\r\n\r\n"
        ])
        #expect(Reply(reply).status == 200)
        let request = try #require(echo.requests.values.first)
        #expect(request.method == "GET")
        #expect(request.path == "/a/b")
        #expect(request.query == ["window": "week", "x": "é 1"])
        #expect(request[field: "host"] == "localhost:8484")
        #expect(request[field: "accept"] == "text/html")
    }

    @Test func `bytes may arrive one at a time, and requests back to back`() async throws {
        let text = "GET /x HTTP/1.1\r\n\(Self.host)\r\nPOST /y HTTP/1.1\r\n\(Self.host)Content-Length: 3\r\n\r\na=1"
        for pieces in [text.map(String.init), [text]] {
            let echo = try Echo()
            #expect(try await echo.answer(pieces).components(separatedBy: "200 OK").count == 3)
            #expect(echo.requests.values.map(\.path) == ["/x", "/y"])
            #expect(echo.requests.values.last?.form == ["a": "1"])
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\r\n\r\n",
    ])
    func `HTTP 1.0 and upgrades are answered, and the connection ends`(request: String) async throws {
        let reply = Reply(try await Echo().answer([request]))
        #expect(reply.status == 200)
        #expect(reply.fields["connection"] == "close")
        #expect(reply.body == "ok\n")
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1234",
        "GET / HTTP/1.1\r\nHost:", "G",
    ])
    func `an incomplete request is cut off in time`(text: String) async throws {
        let clock = TestClock()
        var limits = ServerLimits.patient
        // A connection without a further byte would be open longer than the test waits.
        (limits.requestTime, limits.idleTime) = (.seconds(1), .seconds(1_000_000))
        for isWhole in [true, false] {
            let echo = try Echo(limits, time: clock.timeSource)
            let client = try RawClient(echo.listener.addresses[0].port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + (isWhole ? text : ""))
            _ = try await client.read(until: "ok\n")
            if !isWhole { for piece in text.map(String.init) { try client.send(piece) } }
            let rest = Recorder<String>()
            let reading = Task { rest.record(try await client.readToEnd()) }
            defer { reading.cancel() }
            try await eventually {
                clock.advance(by: limits.requestTime)
                return !rest.values.isEmpty
            }
            #expect(rest.values == [""])
            #expect(echo.requests.values.count == 1)
        }
    }

    static let refused: [(String, Int)] = [
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n", 400),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\nx", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n", 413),
        ("GET /\(String(repeating: "a", count: 2048)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 64))\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 17_000))", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 17_000))\r\n\r\n", 431),
    ]

    @Test(arguments: refused)
    func `malformed or oversized requests are rejected`(text: String, status: Int) async throws {
        let echo = try Echo()
        let reply = Reply(try await echo.answer([text]))
        #expect(reply.status == status, "\(reply.body)")
        #expect(reply.object?["error"] is String)
        #expect(echo.requests.values.isEmpty)
    }

    @Test func `any bytes are answered or refused, and later requests are served`() async throws {
        var random = SeededGenerator(seed: 20_261_123)
        var limits = ServerLimits.patient
        (limits.requestTime, limits.idleTime) = (.milliseconds(20), .milliseconds(20))
        let echo = try Echo(limits)
        let pieces = [
            "GET ", "/ ", "HTTP/1.1", "\r\n", "\n", ":", "Host: a\r\n", "Content-Length: 3", "\u{FF}", " ", "%", "?",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\n",
        ]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let answer = try await echo.answer([text.joined()])
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "), "\(text)")
        }
        // This client, too, may be too slow for the time limit.
        try await eventually { try await RawClient.ask(echo.listener.addresses[0].port, "GET", "/").status == 200 }
    }
}
