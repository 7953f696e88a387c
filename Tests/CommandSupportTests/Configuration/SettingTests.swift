// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import CommandSupport

/// The values of settings, without a command.
struct SettingTests {
    private func settings(_ environment: [String: String]) throws -> Settings {
        try Settings([SettingsSource(environment: environment)])
    }

    @Test func `without settings a check is the library's, but with the environment's proxies`() throws {
        let check = try settings([:]).check().configuration
        #expect(check.proxies == .environment && !check.requiresTLS && check.family == .any)
        #expect(check.endpoints.map(\.url) == [InternetCheck.Endpoint].defaults.map(\.url))
        #expect(check.timeouts == .init())
    }

    @Test func `proxy and require-tls are passed to the check`() throws {
        let check = try settings(["DIALTONE_PROXY": "none", "DIALTONE_REQUIRE_TLS": "yes"]).check().configuration
        #expect(check.proxies == .bypass && check.requiresTLS)
    }

    @Test func `a timeout bounds each step, up to an hour, and precedes the command's own`() throws {
        let hour = Duration.seconds(3600)
        let check = try settings(["DIALTONE_TIMEOUT": "3600"]).check(within: .seconds(2.8)).configuration
        #expect(
            check.timeouts
                == .init(resolve: hour, connect: hour, tls: hour, headers: hour, body: hour, total: hour))
        #expect(try settings([:]).check(within: .seconds(2.8)).configuration.timeouts.total == .seconds(2.8))
    }

    @Test func `white space around the items of a variable does not count`() throws {
        let endpoints = try settings(["DIALTONE_ENDPOINTS": " http://a/ ;; http://b/ body:x y ; "]).check()
            .configuration.endpoints
        #expect(endpoints.map(\.url) == ["http://a/", "http://b/"])
        #expect(endpoints.map(\.expectation.description) == ["status:204", "body:x y"])
    }

    @Test(
        arguments: [
            ("{}", [:]), (" \u{FEFF}{ /* a */ } // b", [:]), ("{quorum: 2}", [.quorum: .number(2, typed: "2")]),
            ("{'timeout': +.5e1,}", [.timeout: .number(5, typed: "+.5e1")]),
            ("{timeout: 0x10}", [.timeout: .number(16, typed: "0x10")]),
            ("{\"require-tls\": true, passive: false}", [.requireTLS: .flag(true), .passive: .flag(false)]),
            (#"{listen: "\x41\u00e9\n\'\/\\\ud83d\ude00"}"#, [.listen: .text("Aé\n'/\\😀")]),
            ("{hosts: ['a', \"b\",], costs: [ ]}", [.hosts: .list(["a", "b"]), .costs: .list([])]),
            ("{quorum: 1, quorum: 2}", [.quorum: .number(2, typed: "2")]),
        ] as [(String, SettingValues)])
    func `a file is JSON5`(text: String, values: SettingValues) throws {
        #expect(try SettingsFile(Array(text.utf8), at: "file").values == values)
    }

    @Test(arguments: [
        ("{} x", "line 1, column 4: expected the end of the file"),
        ("{\n'a", "line 2, column 3: expected the end of the string"),
        ("{listen: 'a\nb'}", "line 1, column 12: expected the end of the string"),
        ("{listen 'a'}", "line 1, column 9: expected ':'"),
        ("{listen: '\\u12g4'}", "line 1, column 10: expected a valid string"),
        ("{listen: '\\ud83d\\n'}", "line 1, column 10: expected a valid string"),
        ("{hosts: ['a' 'b']}", "line 1, column 14: expected ',' or ']'"),
        ("{/*", "line 1, column 4: expected the end of the comment"),
        ("{demo: TRUE}", "line 1, column 8: expected a value"), ("{demo:}", "line 1, column 7: expected a value"),
        ("{data-dir: 'a'}", "line 1, column 6: expected ':'"),
    ])
    func `a syntax error is reported with its line and column`(text: String, problem: String) {
        #expect(throws: SettingsError(.file("file", nil), problem)) {
            try SettingsFile(Array(text.utf8), at: "file")
        }
    }
}
