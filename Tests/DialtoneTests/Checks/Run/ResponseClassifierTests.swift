// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// The rules that classify one answer: Android's, with corrections from field reports.
struct ResponseClassifierTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var url = "http://probe.test/204"
        var expectation = InternetCheck.Expectation.noContent
        var status = 200
        var fields: [String: String] = [:]
        var body = ""
        var isComplete = true
        var error: ProbeError.Code?
        var address = "192.0.2.1"
        var isPublic = true
        var isProxied = false
        /// `passed`, `portal:URL` or `failed:CODE`.
        let outcome: String

        init(_ description: String, _ outcome: String, _ change: (inout Row) -> Void = { _ in }) {
            testDescription = description
            self.outcome = outcome
            change(&self)
        }
    }

    static let page = "<html><title>Welcome</title></html>"
    static let asked = "portal:http://probe.test/204"

    static let rows: [Row] = [
        Row("204 is success", "passed") { $0.status = 204 },
        Row("200 with a page is a portal", asked) { $0.body = page },
        Row("206 with a page is a portal", asked) {
            $0.status = 206
            $0.body = page
        },
        Row("200 with an empty body is neither", "failed:unexpectedAnswer"),
        Row("200 with 4 bytes is neither", "failed:unexpectedAnswer") { $0.body = "OK\r\n" },
        Row("200 with 5 bytes is a portal", asked) { $0.body = "OK..." },
        Row("302 leads to the login", "portal:http://login.test/?a=b") {
            $0.status = 302
            $0.fields = ["Location": "http://login.test/?a=b"]
        },
        Row("307 with a relative URL", "portal:http://probe.test/login") {
            $0.status = 307
            $0.fields = ["Location": "/login"]
        },
        Row("302 without Location leads to the queried URL", asked) { $0.status = 302 },
        Row("302 to a script leads to the queried URL", asked) {
            $0.status = 302
            $0.fields = ["Location": "javascript:alert(1)"]
        },
        Row("302 to a file leads to the queried URL", asked) {
            $0.status = 302
            $0.fields = ["Location": "file:///etc/passwd"]
        },
        Row("302 to an overlong URL leads to the queried URL", asked) {
            $0.status = 302
            $0.fields = ["Location": "http://login.test/" + String(repeating: "x", count: 3000)]
        },
        Row("304 is a portal's or a cache's, as in Android", asked) { $0.status = 304 },
        Row("399 is the last portal", asked) { $0.status = 399 },
        Row("400 is not a portal", "failed:unexpectedAnswer") { $0.status = 400 },
        Row("404 is not a portal", "failed:unexpectedAnswer") {
            $0.status = 404
            $0.body = page
        },
        Row("503 is not a portal", "failed:unexpectedAnswer") { $0.status = 503 },
        Row("511 is a portal", asked) { $0.status = 511 },
        Row("511 with a page that refreshes", "portal:https://login.test/?x=1&y=2") {
            $0.status = 511
            $0.body = "<html><META HTTP-EQUIV='refresh' content='0; URL=https://login.test/?x=1&amp;y=2'></html>"
        },
        Row("511 with Location", "portal:https://login.test/") {
            $0.status = 511
            $0.fields = ["Location": "https://login.test/"]
        },
        Row("a redirect to the same URL under HTTPS is an upgrade", "failed:unexpectedAnswer") {
            $0.status = 301
            $0.fields = ["Location": "https://probe.test/204"]
        },
        Row("a redirect to another URL under HTTPS is a portal's", "portal:https://probe.test/login") {
            $0.status = 302
            $0.fields = ["Location": "https://probe.test/login"]
        },
        Row("a body cut short is a failure", "failed:timedOut") {
            $0.expectation = .body("success")
            $0.body = "succ"
            $0.isComplete = false
            $0.error = .timedOut
        },
        Row("a slow page is a portal", asked) {
            $0.body = page
            $0.isComplete = false
            $0.error = .timedOut
        },
        Row("an endless page is a portal", asked) {
            $0.expectation = .body("success")
            $0.body = String(repeating: page, count: 1000)
            $0.isComplete = false
        },
        // A search from each start to the end would take hours.
        Row("half a megabyte of unfinished scripts is a portal", asked) {
            $0.expectation = .body("success")
            $0.body = String(repeating: "<script>", count: 65_536)
        },
        Row("wrong text is a portal", asked) {
            $0.expectation = .body("success")
            $0.body = "success<script>"
        },
        Row("right text is success", "passed") {
            $0.expectation = .body("success")
            $0.body = "success\n"
        },
        Row("over HTTPS nothing is a portal: 302", "failed:unexpectedAnswer") {
            $0.url = "https://probe.test/204"
            $0.status = 302
            $0.fields = ["Location": "http://login.test/"]
        },
        Row("over HTTPS nothing is a portal: a page", "failed:unexpectedAnswer") {
            $0.url = "https://probe.test/204"
            $0.body = page
        },
        Row("over HTTPS nothing is a portal: 511", "failed:unexpectedAnswer") {
            $0.url = "https://probe.test/204"
            $0.status = 511
        },
        Row("a public name at a private address proves nothing", "failed:hijackedName") {
            $0.status = 204
            $0.address = "10.0.0.1"
        },
        Row("an error at a private address is the forged name's", "failed:hijackedName") {
            $0.status = 404
            $0.address = "10.0.0.1"
        },
        Row("a private address over HTTPS passes", "passed") {
            $0.url = "https://probe.test/204"
            $0.status = 204
            $0.address = "10.0.0.1"
        },
        Row("a page at a private address is a portal", asked) {
            $0.body = page
            $0.address = "10.0.0.1"
        },
        Row("a proxy's private address says nothing about the name", "passed") {
            $0.status = 204
            $0.address = "10.0.0.1"
            $0.isProxied = true
        },
        Row("a page from a proxy on this machine is a portal", asked) {
            $0.body = page
            $0.address = "127.0.0.1"
            $0.isProxied = true
        },
        Row("a public name at a loopback address is not a portal", "failed:hijackedName") {
            $0.body = page
            $0.address = "127.0.0.1"
        },
        Row("a public name at 0.0.0.0 is not a portal", "failed:hijackedName") {
            $0.status = 302
            $0.fields = ["Location": "http://login.test/"]
            $0.address = "0.0.0.0"
        },
        Row("a public name at :: is not a portal", "failed:hijackedName") {
            $0.status = 511
            $0.address = "::"
        },
        Row("a public name at an IPv4-mapped loopback address is not a portal", "failed:hijackedName") {
            $0.body = page
            $0.address = "::ffff:127.0.0.1"
        },
        Row("a private name at a loopback address may be a portal", asked) {
            $0.body = page
            $0.address = "127.0.0.1"
            $0.isPublic = false
        },
        Row("a name that may be private passes", "passed") {
            $0.status = 204
            $0.address = "10.0.0.1"
            $0.isPublic = false
        },
        Row("a missing nonce is a failure", "failed:unexpectedAnswer") {
            $0.expectation = .nonceEcho
        },
        Row("a nonce in a field", "passed") {
            $0.expectation = .nonceEcho
            $0.fields = ["dialtone-nonce": "cafe"]
        },
        Row("a nonce inside a page is a portal", asked) {
            $0.expectation = .nonceEcho
            $0.body = "<p>You asked for cafe</p>"
        },
    ]

    @Test(arguments: rows) func `an answer is classified by the rules`(row: Row) throws {
        let classifier = ResponseClassifier(
            target: try ProbeTarget(row.url), expectation: row.expectation, isPublic: row.isPublic, nonce: "cafe")
        let response = HTTPResponse(
            status: row.status, fields: row.fields.map { .init(name: $0.key, value: $0.value) },
            body: Array(row.body.utf8), isComplete: row.isComplete)
        var result = ProbeResult(
            response: response, error: row.error.map { ProbeError($0, during: .body) },
            address: NetworkAddress(row.address))
        result.isProxied = row.isProxied
        let text =
            switch classifier.outcome(result) {
            case .passed: "passed"
            case .portal(let url): "portal:\(url.absoluteString)"
            case .failed(let error): "failed:\(error.code)"
            }
        #expect(text == row.outcome)
    }

    @Test func `a failure at a forged address is reported as a hijacked name`() throws {
        let classifier = ResponseClassifier(
            target: try ProbeTarget("http://probe.example.org/"), expectation: .noContent, isPublic: true, nonce: "")
        let refused = ProbeResult(
            error: ProbeError(.refused, during: .connect), address: NetworkAddress("192.168.1.1"))
        #expect(classifier.evidence(url: "u", refused).error?.code == .hijackedName)
        let unable = ProbeResult(
            error: ProbeError(.notPermitted, during: .connect), address: NetworkAddress("192.168.1.1"))
        #expect(classifier.evidence(url: "u", unable).error?.code == .notPermitted)
    }

    @Test(arguments: [(true, ProbeError.Code.proxyFailure), (false, .unexpectedAnswer)])
    func `the status 407 is a proxy's answer only if there is a proxy`(isProxied: Bool, code: ProbeError.Code) throws {
        let classifier = ResponseClassifier(
            target: try ProbeTarget("http://a.test/"), expectation: .noContent, isPublic: true, nonce: "")
        var result = ProbeResult(
            response: HTTPResponse(status: 407, fields: [], body: Array("denied".utf8), isComplete: true))
        result.isProxied = isProxied
        guard case .failed(let error) = classifier.outcome(result) else {
            Issue.record("407 is no failure")
            return
        }
        #expect(error.code == code)
    }

    @Test(arguments: [("body:OK", true), ("nonce", true), ("prefix:OK", false), ("status:200", false)])
    func `a private address is no forgery if the answer is distinctive`(expectation: String, passes: Bool) throws {
        let endpoint = try InternetCheck.Endpoint(parsing: "http://status.corp.example/ok \(expectation)")
        let target = try ProbeTarget(endpoint.url)
        let classifier = ResponseClassifier(
            target: target, expectation: endpoint.expectation, isPublic: endpoint.isPublic ?? target.isPublicName,
            nonce: "OK")
        var result = ProbeResult(
            response: HTTPResponse(
                status: 200, fields: [.init(name: "Dialtone-Nonce", value: "OK")], body: Array("OK".utf8),
                isComplete: true))
        result.address = NetworkAddress(10, 0, 0, 1)
        #expect((classifier.outcome(result) == .passed) == passes)
    }

    @Test(arguments: [
        ("", nil), ("<meta http-equiv=refresh content=\"3;url=http://a.test/\">", "http://a.test/"),
        ("<p>url=http://a.test/", nil), ("<meta name=url content=url=x>", nil),
        ("<meta http-equiv=refresh content='1; url = /login'>", "/login"),
        ("<meta http-equiv=refresh content=5>", nil), ("<meta refresh url=", ""),
    ])
    func `the refresh of a page is found`(page: String, link: String?) {
        #expect(PortalURL.refresh(in: Array(page.utf8)) == link)
    }

    @Test(arguments: [
        (
            "http://login.test/?url=http%3A%2F%2Fx.test%2F&mac=[00:11]|x",
            "http://login.test/?url=http%3A%2F%2Fx.test%2F&mac=%5B00:11%5D%7Cx"
        ),
        ("http://[2001:db8::1]/a b", "http://[2001:db8::1]/a%20b"), ("/100%/x", "http://probe.test/100%25/x"),
        ("//other.test/x", "http://other.test/x"), ("login?a=b", "http://probe.test/login?a=b"),
        ("http://a.test/\u{202e}\u{9b}31m", "http://a.test/%E2%80%AE%C2%9B31m"),
        ("http://b\u{fc}cher.test/", "http://b%C3%BCcher.test/"),
        ("http://accounts.test@evil.test/", "http://evil.test/"),
        ("http://a:b@[2001:db8::1]:80?to=c@d.test", "http://[2001:db8::1]:80?to=c@d.test"),
        ("javascript:alert(1)", nil), ("ftp://a.test/", nil), ("http://", nil), ("http:///x", nil), ("", nil),
        ("http://a.test/\n", nil), ("http://a.test/" + String(repeating: "x", count: 2048), nil),
        ("http://a.test/" + String(repeating: " ", count: 1000), nil),
    ])
    func `a portal's link is ASCII, http or https, and never encoded twice`(link: String, url: String?) throws {
        let base = try #require(URL(string: "http://probe.test/204"))
        #expect(PortalURL.usable(link, relativeTo: base)?.absoluteString == url)
    }

    @Test func `random links never trap`() {
        var generator = SeededGenerator(seed: 8910)
        let alphabet = Array("htp:/[]%?#@ a.\u{202e}\"<>&'\u{0}1")
        for _ in 0..<5_000 {
            let link = String(
                (0..<Int.random(in: 0..<24, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
            for text in [link, "http://\(link)"] {
                guard let url = PortalURL.usable(text) else { continue }
                #expect(url.absoluteString.utf8.allSatisfy { (0x21...0x7e).contains($0) })
            }
            _ = PortalURL.refresh(in: Array("<meta refresh url=\(link)>".utf8))
        }
    }
}
