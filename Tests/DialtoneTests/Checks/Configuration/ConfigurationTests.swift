// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

struct ConfigurationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout InternetCheck.Configuration) -> Void

        init(_ field: String, _ change: @escaping @Sendable (inout InternetCheck.Configuration) -> Void) {
            testDescription = field
            self.change = change
        }
    }

    static let rows: [Row] = [
        Row("endpoints[1].url") { $0.endpoints = ["http://a.test/", "ftp://a.test/"] },
        Row("endpoints[0].url") { $0.endpoints = [""] },
        Row("endpoints[0].url") { $0.endpoints = ["a.test"] },
        Row("endpoints[0].url") { $0.endpoints = ["http:///path"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://a b.test/"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://status..test/"] },
        Row("endpoints[0].url") {
            $0.endpoints = [.init("http://\(String(repeating: "a", count: 64)).test/")]
        },
        Row("endpoints[0].url") { $0.endpoints = ["http://a.test/\r\nX: y"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://b\u{fc}cher.test/"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://user:secret@a.test/"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://a.test:0/"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://a.test:65536/"] },
        Row("endpoints[0].url") { $0.endpoints = ["http://[::1/"] },
        Row("endpoints[0].url") { $0.endpoints = [.init("http://a.test/" + String(repeating: "x", count: 2048))] },
        Row("endpoints") { $0.endpoints = Array(repeating: "http://a.test/", count: 65) },
        Row("endpoints[0].expectation") { $0.endpoints = [.init("http://a.test/", expecting: .regex("a(b"))] },
        Row("endpoints[0].expectation") { $0.endpoints = [.init("http://a.test/", expecting: .status(42))] },
        Row("endpoints[0].expectation") { $0.endpoints = [.init("http://a.test/", expecting: .status(100))] },
        Row("endpoints[0].expectation") { $0.endpoints = [.init("http://a.test/", expecting: .contains(""))] },
        Row("endpoints[0].headers") { $0.endpoints = [.init("http://a.test/", headers: ["A b": "c"])] },
        Row("endpoints[0].headers") { $0.endpoints = [.init("http://a.test/", headers: ["A": "b\r\nHost: c"])] },
        Row("endpoints[0].headers") { $0.endpoints = [.init("http://a.test/", headers: ["Host": "b"])] },
        Row("endpoints[0].headers") { $0.endpoints = [.init("http://a.test/", bearerToken: "a\nb")] },
        Row("headers") { $0.headers = ["Cookie": "a=b"] },
        Row("headers") { $0.headers = ["": "b"] },
        Row("quorum") { $0.quorum = .count(0) },
        Row("quorum") { $0.quorum = .count(-1) },
        Row("quorum") { $0.quorum = .count(99) },
        Row("quorum") { $0.quorum = .percent(0) },
        Row("quorum") { $0.quorum = .percent(100.5) },
        Row("quorum") { $0.quorum = .percent(.nan) },
        Row("decisionWindow") { $0.decisionWindow = .seconds(-1) },
        Row("timeouts.resolve") { $0.timeouts.resolve = .zero },
        Row("timeouts.connect") { $0.timeouts.connect = .seconds(-1) },
        Row("timeouts.tls") { $0.timeouts.tls = .seconds(3601) },
        Row("timeouts.headers") { $0.timeouts.headers = .zero },
        Row("timeouts.body") { $0.timeouts.body = .zero },
        Row("timeouts.total") { $0.timeouts.total = .zero },
        Row("bodyLimit") { $0.bodyLimit = 0 },
        Row("bodyLimit") { $0.bodyLimit = .max },
        Row("binding") { $0.binding = .interface("") },
        Row("binding") { $0.binding = .interfaceOrItsAddress("a-name-longer-than-any") },
        Row("additionalTrustAnchors[0]") { $0.additionalTrustAnchors = ["nonsense"] },
        Row("captivePortalAPI") { $0.captivePortalAPI = .url("http://a.test/") },
        Row("captivePortalAPI") { $0.captivePortalAPI = .url("nonsense") },
    ]

    @Test(arguments: rows) func `an invalid field is named`(row: Row) throws {
        var configuration = InternetCheck.Configuration()
        row.change(&configuration)
        let error = try #require(throws: InvalidConfiguration.self) {
            try InternetCheck(configuration)
        }
        #expect(error.field == row.testDescription)
        #expect(error.description.hasPrefix("\(error.field): "))
    }

    @Test func `the defaults are valid, of several operators, each over HTTP and HTTPS`() throws {
        let configuration = InternetCheck.Configuration()
        let targets = try configuration.validated()
        #expect(InternetCheck().targets.count == targets.count)
        #expect(targets.count { $0.isSecure } == targets.count { !$0.isSecure })
        for entry in InternetCheck().endpointOperators {
            #expect(entry.urls.map { $0.prefix { $0 != ":" } } == ["http", "https"])
        }
        #expect(InternetCheck().endpointOperators.count >= 6)
        #expect(Set(targets.map { $0.host.split(separator: ".").suffix(2) }).count >= 6)
        #expect(targets.filter { !$0.isPublicName }.isEmpty)
    }

    @Test(arguments: [
        ("http://a.test", "a.test", 80, "/", "a.test"),
        ("https://a.test?x=1#fragment", "a.test", 443, "/?x=1", "a.test"),
        ("HTTP://A.test:8080/b%20c", "A.test", 8080, "/b%20c", "A.test:8080"),
        ("https://[2001:db8::1]/p", "2001:db8::1", 443, "/p", "[2001:db8::1]"),
        ("http://192.0.2.1:81/", "192.0.2.1", 81, "/", "192.0.2.1:81"),
    ])
    func `a URL is split`(url: String, host: String, port: UInt16, target: String, field: String) throws {
        let parts = try ProbeTarget(url)
        #expect(parts.host == host)
        #expect(parts.port == port)
        #expect(parts.target == target)
        #expect(parts.hostField == field)
    }

    @Test(arguments: [
        ("example.org", true), ("a.b.example", true), ("localhost", false), ("printer.local", false),
        ("nas.home.arpa", false),
        ("192.0.2.1", false), ("intranet", false), ("x.internal", false),
    ])
    func `names of local networks may be private`(host: String, isPublic: Bool) throws {
        #expect(try ProbeTarget("http://\(host)/").isPublicName == isPublic)
    }

    @Test(arguments: [
        "status:204", "status:200", "body:OK", "prefix:a:b", "contains:x", "regex:^a+$", "nonce", "body:",
    ])
    func `the text of an expectation parses to the same expectation`(text: String) throws {
        #expect(try InternetCheck.Expectation(parsing: text).description == text)
    }

    @Test(arguments: [
        "", "status", "status:x", "status:99", "body", "regex:a(b", "contains:", "nonce:", "204", "frob:x",
    ])
    func `other texts are not expectations`(text: String) {
        #expect(throws: InvalidConfiguration.self) { try InternetCheck.Expectation(parsing: text) }
    }

    @Test(arguments: ["2", "50%", "12.5%"]) func `the text of a quorum parses to the same quorum`(text: String) throws {
        #expect(try InternetCheck.Quorum(parsing: text).description == text)
    }

    @Test(arguments: ["", "0", "-1", "x", "0%", "101%", "%", "nan%", "inf%"]) func `other texts are not quorums`(
        text: String
    ) {
        #expect(throws: InvalidConfiguration.self) { try InternetCheck.Quorum(parsing: text) }
    }

    @Test(arguments: [
        ("0.0.0.0", true), ("10.1.2.3", true), ("100.64.0.1", true), ("100.128.0.1", false), ("127.0.0.53", true),
        ("169.254.1.1", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.0.1", true), ("192.0.2.1", false),
        ("198.18.0.1", false), ("8.8.8.8", false), ("::1", true), ("::", true), ("fe80::1", true), ("fd00::1", true),
        ("fc00::1", false), ("fec0::1", false), ("2001:db8::1", false), ("::ffff:10.0.0.1", true),
        ("::ffff:8.8.8.8", false),
    ])
    func `private addresses are recognized`(text: String, isPrivate: Bool) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isPrivate == isPrivate)
        #expect(NetworkAddress(bytes: address.bytes) == address)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "1.2.3.4%lo", "fe80::1%no-such-link", "::g", "a.test", "1.2.3.4\0"])
    func `other texts are not addresses`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }
}
