// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import DialtoneServer

struct AccessControlTests {
    private let open: AccessControl
    private let guarded: AccessControl

    init() throws {
        let hosts = HostAllowList([try ListenAddress(parsing: "127.0.0.1:8484")])
        open = AccessControl(hosts: hosts, token: nil)
        guarded = AccessControl(hosts: hosts, token: try Token("correct-horse-battery"))
    }

    private func request(_ method: String = "GET", _ path: String = "/", _ fields: [String: String] = [:]) -> Request {
        let fields = ["host": "localhost:8484"].merging(fields) { $1 }
        return Request(method: method, path: path, fields: fields.map { .init(name: $0.key, value: $0.value) })
    }

    private func status(_ decision: AccessControl.Decision) -> Int? {
        if case .refuse(let status, _) = decision { status } else { nil }
    }

    /// The origin fields of a POST, and whether they match this server.
    static let origins: [([String: String], Bool)] = [
        ([:], false),
        (["origin": "http://localhost:8484"], true),
        (["origin": "https://localhost:8484"], true),
        (["origin": "HTTP://LOCALHOST:8484"], true),
        (["origin": "http://localhost"], false),
        (["origin": "http://evil.test"], false),
        (["origin": "http://localhost:8484.evil.test"], false),
        (["origin": "null"], false),
        (["origin": ""], false),
        (["sec-fetch-site": "same-origin"], true),
        (["sec-fetch-site": "same-site"], false),
        (["sec-fetch-site": "cross-site"], false),
        (["sec-fetch-site": "none"], false),
        (["origin": "http://localhost:8484", "sec-fetch-site": "same-origin"], true),
        (["origin": "http://localhost:8484", "sec-fetch-site": "cross-site"], false),
        (["origin": "http://evil.test", "sec-fetch-site": "same-origin"], false),
    ]

    @Test(arguments: origins)
    func `only a page of this server may change state`(fields: [String: String], isAllowed: Bool) {
        #expect(open.decide(request("POST", "/check", fields), hasSession: false) == .pass ? isAllowed : !isAllowed)
        #expect(isAllowed || status(open.decide(request("POST", "/check", fields), hasSession: true)) == 403)
    }

    @Test(arguments: [(true, "https", true), (true, "http", false), (false, "https", true), (false, "http", true)])
    func `a page without encryption changes nothing on a server with it`(
        isEncrypted: Bool, scheme: String, isAllowed: Bool
    ) {
        var request = request("POST", "/check", ["origin": "\(scheme)://localhost:8484"])
        request.isEncrypted = isEncrypted
        #expect((open.decide(request, hasSession: false) == .pass) == isAllowed)
    }

    private static let reads: [([String: String], Bool)] = [
        ([:], true), (["sec-fetch-site": "same-origin"], true), (["sec-fetch-site": "none"], true),
        (["sec-fetch-site": "cross-site"], false), (["sec-fetch-site": "same-site"], false),
        (["sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"], false),
        (["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"], false),
        (["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"], true),
        (["sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"], true),
    ]

    @Test(arguments: reads)
    func `a page of another site reads nothing, but may link here`(fields: [String: String], isAllowed: Bool) {
        for path in ["/", "/api/history", "/api/status", "/metrics", "/events", "/parts"] {
            let decision = open.decide(request("GET", path, fields), hasSession: true)
            #expect(isAllowed ? decision == .pass : status(decision) == 403, "\(path)")
        }
    }

    @Test func `a foreign host name is refused before anything else`() {
        for method in ["GET", "POST", "DELETE"] {
            let decision = guarded.decide(request(method, "/", ["host": "evil.test"]), hasSession: true)
            #expect(status(decision) == 421)
        }
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"])
    func `other methods are not allowed`(method: String) {
        #expect(status(open.decide(request(method), hasSession: true)) == 405)
    }

    @Test func `a token is required, and people get a login page`() {
        #expect(guarded.decide(request("GET", "/", ["accept": "text/html"]), hasSession: false) == .logIn)
        #expect(status(guarded.decide(request("GET", "/metrics"), hasSession: false)) == 401)
        #expect(status(guarded.decide(request("GET", "/events"), hasSession: false)) == 401)
        #expect(guarded.decide(request("GET", "/metrics"), hasSession: true) == .pass)
        #expect(guarded.decide(request("GET", "/healthz"), hasSession: false) == .pass)
        #expect(guarded.decide(request("GET", "/online"), hasSession: false) == .pass)
        #expect(open.decide(request("GET", "/metrics"), hasSession: false) == .pass)
    }

    @Test(arguments: [
        ("Bearer correct-horse-battery", true), ("bearer correct-horse-battery", true),
        ("Bearer correct-horse-batter", false), ("Bearer correct-horse-batteryy", false), ("Bearer ", false),
        ("correct-horse-battery", false), ("Basic correct-horse-battery", false), ("", false),
    ])
    func `programs present the token in a field`(field: String, isAllowed: Bool) {
        let decision = guarded.decide(request("GET", "/metrics", ["authorization": field]), hasSession: false)
        guard case .presents(let text) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(guarded.token?.matches(text) == isAllowed)
        // With a session, or without a required token, the field is not compared.
        let fields = ["authorization": field]
        #expect(guarded.decide(request("GET", "/metrics", fields), hasSession: true) == .pass)
        #expect(open.decide(request("GET", "/metrics", fields), hasSession: false) == .pass)
    }
}
