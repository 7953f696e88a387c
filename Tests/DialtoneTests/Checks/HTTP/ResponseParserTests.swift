// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Dialtone

struct ResponseParserTests {
    /// The result for a whole message: the response or the error.
    private static func parse(
        _ message: some Sequence<UInt8>, limits: HTTPLimits = HTTPLimits(), ends: Bool = true
    ) -> Result<HTTPResponse?, HTTPViolation> {
        Result { () throws(HTTPViolation) in
            var parser = HTTPResponseParser(limits)
            try parser.append(message)
            if ends { try parser.end() }
            return parser.response
        }
    }

    private static let responses: [(message: String, status: Int, body: String, isComplete: Bool)] = [
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, "", true),
        ("HTTP/1.1 204\r\n\r\n", 204, "", true),
        ("HTTP/1.0 200 OK\n\nold", 200, "old", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and more", 200, "hello", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", 200, "hello", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", true),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n", 200,
            "abcde", true
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 200, "a", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", true),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", 204, "", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", 200, "ab", false),
        ("HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", 302, "", true),
        // The fields of an informational response do not describe the next one.
        (
            "HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            200,
            "hello", true
        ),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", 304, "", true),
        ("HTTP/1.1 511 Network Authentication Required\r\n\r\nlogin", 511, "login", true),
        ("HTTP/1.1 200 OK\r\nno colon\r\n: nameless\r\nA : b\r\nB: \u{1b}[2J\r\n\r\nlogin", 200, "login", true),
        ("HTTP/1.1 200 OK\r\nSet-Cookie: a=b;\r\n\tpath=/\r\nContent-Length: 5\r\n\r\nlogin", 200, "login", true),
    ]

    @Test(arguments: responses)
    func `a response is parsed to its end, from pieces of any size`(
        message: String, status: Int, body: String, isComplete: Bool
    ) throws {
        let whole = try #require(try Self.parse(message.utf8).get())
        #expect(whole.status == status)
        #expect(whole.text == body)
        #expect(whole.isComplete == isComplete)
        let bytes = Array(message.utf8)
        for cut in bytes.indices {
            var parser = HTTPResponseParser()
            try parser.append(bytes[..<cut])
            try parser.append(bytes[cut...])
            try parser.end()
            #expect(parser.response == whole)
        }
    }

    private static let violations: [(message: String, violation: HTTPViolation)] = [
        ("", .endedEarly),
        ("HTTP/1.1 200 OK\r\n", .endedEarly),
        ("HTTP/1.1 200 OK\r\nA: b\r\n", .endedEarly),
        ("SSH-2.0-OpenSSH_9.2\r\n", .statusLine),
        ("<html>", .statusLine),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n", .statusLine),
        ("HTTP/2.0 200 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 2000 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 020 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 -20 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1  200 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\na", .field),
        ("HTTP/1.1 200 OK\r\n content-length: 1\r\n\r\na", .field),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n , gzip\r\n\r\n", .field),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: \u{1b}\r\n\r\n", .field),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1,\r\n\r\na", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1 2\r\n\r\nhello, world", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\na", .length),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n", .length),
        ("HTTP/1.1 204 No Content\r\nContent-Length: none\r\n\r\n", .length),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nab\r\n0\r\n\r\n", .length),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", .chunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", .chunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .chunk),
    ]

    @Test(arguments: violations)
    func `a message that is not HTTP is refused`(message: String, violation: HTTPViolation) {
        #expect(throws: violation) { try Self.parse(message.utf8).get() }
    }

    @Test func `an invalid status line is refused at its first wrong byte`() {
        #expect(throws: HTTPViolation.statusLine) { try Self.parse("X".utf8, ends: false).get() }
    }

    @Test func `header sections are limited in bytes and fields, including those of informational responses`() throws {
        let long = "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 16 * 1024))"
        let many = "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 101)
        let early = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 1000)
        let trailers =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "A: b\r\n", count: 4000)
        let careless = "HTTP/1.1 200 OK\r\n" + String(repeating: "no colon\r\n", count: 101)
        for message in [long, many, early, trailers, careless] {
            #expect(throws: HTTPViolation.headersTooLarge) { try Self.parse(message.utf8, ends: false).get() }
        }
        let extensions = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\(String(repeating: "x", count: 300))"
        #expect(throws: HTTPViolation.chunk) { try Self.parse(extensions.utf8, ends: false).get() }
        // Each response may have so many fields.
        let apart =
            "HTTP/1.1 103 Early Hints\r\n\(String(repeating: "no colon\r\n", count: 100))\r\n"
            + "HTTP/1.1 204 No Content\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n"
        #expect(try Self.parse(apart.utf8, ends: false).get()?.status == 204)
    }

    @Test(arguments: ["", "Content-Length: 1000000\r\n", "Transfer-Encoding: chunked\r\n"])
    func `a body is kept up to the limit, and then nothing more is read`(framing: String) throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 10
        var parser = HTTPResponseParser(limits)
        try parser.append("HTTP/1.1 200 OK\r\n\(framing)\r\n".utf8)
        if framing.hasPrefix("T") { try parser.append("ff\r\n".utf8) }
        try parser.append(repeatElement(0x61, count: 200))
        #expect(parser.isDone)
        let response = try #require(parser.response)
        #expect(response.text == "aaaaaaaaaa")
        #expect(!response.isComplete)
    }

    @Test func `a body of exactly the limit is complete`() throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 5
        let response = try #require(
            try Self.parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8, limits: limits).get())
        #expect(response.isComplete)
    }

    @Test func `random changes to responses never trap and never exceed the limits`() {
        var generator = SeededGenerator(seed: 4)
        var limits = HTTPLimits()
        limits.bodyBytes = 64
        for round in 0..<20_000 {
            var bytes = Array(Self.responses[round % Self.responses.count].message.utf8)
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: .min ... .max, using: &generator)
                case 1: bytes.insert(.random(in: .min ... .max, using: &generator), at: index)
                default: bytes.removeSubrange(index..<min(index + 3, bytes.count))
                }
                if bytes.isEmpty { break }
            }
            if case .success(let response?) = Self.parse(bytes, limits: limits) {
                #expect(response.body.count <= 64)
                #expect((100...999).contains(response.status))
            }
        }
    }

    @Test func `malformed header lines are skipped`() throws {
        let lines = [
            "HTTP/1.1 302 Found", "no colon", "Set-Cookie: a=b;", " path=/", "A: \u{1b}[2J", "Location: /x", "", "",
        ]
        let message = lines.joined(separator: "\r\n")
        let response = try #require(try Self.parse(message.utf8).get())
        #expect(response.fields.map(\.name) == ["Set-Cookie", "Location"])
        #expect(response[field: "Location"] == "/x")
    }

    @Test func `field names are compared case-insensitively`() throws {
        let response = try #require(
            try Self.parse("HTTP/1.1 302 Found\r\nLOCATION:\t http://a.test/ \r\n\r\n".utf8).get())
        #expect(response[field: "Location"] == "http://a.test/")
        #expect(response[field: "Server"] == nil)
    }
}
