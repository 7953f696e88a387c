// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DialtoneServer

struct RequestParserTests {
    private static let host = "Host: localhost\r\n"

    private func parse(_ text: String, _ limits: ServerLimits = ServerLimits()) throws -> Request? {
        var parser = RequestParser(limits)
        parser.feed(Array(text.utf8))
        return try parser.next()
    }

    @Test func `a browser's request is parsed`() throws {
        let request = try #require(
            try parse("GET /a/b?window=week&x=%C3%A9+1 HTTP/1.1\r\nHost: localhost:8484\r\nAccept:  text/html \r\n\r\n")
        )
        #expect(request.method == "GET")
        #expect(request.path == "/a/b")
        #expect(request.query == ["window": "week", "x": "é 1"])
        #expect(request[field: "host"] == "localhost:8484")
        #expect(request[field: "accept"] == "text/html")
        #expect(request.keepsAlive)
    }

    @Test func `bytes may arrive one at a time, and requests back to back`() throws {
        let text =
            "POST /x HTTP/1.1\r\n\(Self.host)Content-Length: 3\r\n\r\na=1GET /y HTTP/1.1\r\n\(Self.host)Connection: close\r\n\r\n"
        var parser = RequestParser(ServerLimits())
        var requests: [Request] = []
        for byte in text.utf8 {
            parser.feed([byte])
            while let request = try parser.next() { requests.append(request) }
        }
        #expect(requests.map(\.path) == ["/x", "/y"])
        #expect(requests.first?.form == ["a": "1"])
        #expect(requests.map(\.keepsAlive) == [true, false])
        #expect(!parser.isInside)
    }

    @Test func `an incomplete request returns nothing`() throws {
        #expect(try parse("GET / HTTP/1.1\r\nHost: a\r\n") == nil)
        #expect(try parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1234") == nil)
    }

    static let refused: [(String, Int)] = [
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\nx", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n", 413),
        ("GET /\(String(repeating: "a", count: 2048)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 64))\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 17_000))", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 17_000))\r\n\r\n", 431),
    ]

    @Test(arguments: refused)
    func `malformed or oversized requests are rejected`(text: String, status: Int) {
        #expect(throws: RequestError.self) { _ = try parse(text) }
        do {
            _ = try parse(text)
        } catch {
            #expect((error as? RequestError)?.status == status, "\(error)")
        }
    }

    @Test func `any bytes are parsed or rejected, and never trap`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "GET ", "/ ", "HTTP/1.1", "\r\n", "\n", ":", "Host: a\r\n", "Content-Length: 3", "\u{FF}", " ", "%", "?",
        ]
        for _ in 0..<2000 {
            var parser = RequestParser(ServerLimits())
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            parser.feed(Array(text.joined().utf8))
            _ = try? parser.next()
        }
    }
}
