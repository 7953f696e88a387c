// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Whole checks of a server that behaves badly, over a network in memory.
struct InternetCheckInMemoryTests {
    typealias Configuration = InternetCheck.Configuration
    typealias Behavior = ScriptedInternet.Behavior
    typealias Row = InternetCheckTests.Row

    static let login = InternetCheckTests.login

    /// One endpoint over plain HTTP.
    @Sendable static func plain(_ configuration: inout Configuration, _ internet: InternetCheckTests.Server) {
        configuration.endpoints = [.init("\(internet.http)/generate_204")]
    }

    /// One endpoint with a text over plain HTTP.
    @Sendable static func plainText(_ configuration: inout Configuration, _ internet: InternetCheckTests.Server) {
        configuration.endpoints = [.init("\(internet.http)/success.txt", expecting: .body("success"))]
    }

    static let rows: [Row] = [
        Row("HTTP good and HTTPS dead", .partial, "partial", codes: ["timedOut"]),
        Row("portal by redirect", .portal(.redirect), login),
        Row(
            "portal by redirect without Location", .portal(.redirectWithoutLocation), "captivePortal(HTTP/generate_204)"
        ) {
            plain(&$0, $1)
        },
        Row("portal by content", .portal(.content), login),
        Row("portal by 511", .portal(.networkAuthenticationRequired), login),
        Row("refused", .refusing, "noInternet(refused)", codes: ["refused"]),
        Row("silent host", .silent, "noInternet(timedOut)", codes: ["timedOut"]),
        Row("reset", Behavior(http: .resetting, https: .resetting), "noInternet(refused)", codes: ["connectionLost"]),
        Row("slow headers", .slow(.seconds(60)), "noInternet(timedOut)", codes: ["timedOut"]),
        Row("headers that drip", .dripping(every: .milliseconds(200)), "noInternet(timedOut)", codes: ["timedOut"]),
        Row("200 with an empty body", .always(.answer(200), https: .resetting), "noInternet(unexpectedAnswers)") {
            plain(&$0, $1)
        },
        Row("200 with a short body", .always(.answer(200, body: "OK")), "noInternet(unexpectedAnswers)") {
            plain(&$0, $1)
        },
        Row(
            "404", .always(.answer(404, body: "not here")), "noInternet(unexpectedAnswers)", codes: ["unexpectedAnswer"]
        ),
        Row("endless body", .always(.endlessBody), "captivePortal(HTTP/generate_204)") { plain(&$0, $1) },
        Row("endless body for a text", .always(.endlessBody), "captivePortal(HTTP/success.txt)") { plainText(&$0, $1) },
        Row("endless headers", .always(.endlessHeaders), "noInternet(unexpectedAnswers)", codes: ["malformedResponse"]),
        Row("gzip bomb", .always(.gzipBomb), "captivePortal(HTTP/success.txt)") { plainText(&$0, $1) },
        Row("a hundred redirects", .redirects(100), "captivePortal(HTTP/redirect/1)") { plain(&$0, $1) },
        Row(
            "garbage status line", .always(.raw(Array("FTP\u{1b}]0;pwned\u{7}\r\n".utf8))),
            "noInternet(unexpectedAnswers)", codes: ["malformedResponse"]),
        Row("early close", .always(.raw(Array("HTTP/1.1 20".utf8))), "noInternet(refused)", codes: ["connectionLost"]),
        Row("close without an answer", .always(.raw([])), "noInternet(refused)", codes: ["connectionLost"]),
        Row(
            "body cut short", .always(.raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsucc".utf8))),
            "noInternet(refused)", codes: ["connectionLost"]
        ) {
            plainText(&$0, $1)
        },
        Row("tampering", .tampering, "captivePortal(HTTP/generate_204)") { plain(&$0, $1) },
        Row("stale cache", .staleCache, "noInternet(unexpectedAnswers)") { plain(&$0, $1) },
        Row("stale cache, accepted", .staleCache, "verified") {
            plain(&$0, $1)
            $0.bustsCaches = false
        },
        Row("nonce echoed", .online, "verified") {
            $0.endpoints = [.init("\($1.http)/nonce", expecting: .nonceEcho)]
        },
        Row("nonce not echoed", .always(.answer(204)), "noInternet(unexpectedAnswers)") {
            $0.endpoints = [.init("\($1.https)/nonce", expecting: .nonceEcho)]
        },
        Row("custom expectation", .online, "verified") {
            $0.endpoints = [.init("\($1.http)/x", expecting: .custom("even") { $0.status % 2 == 0 })]
        },
        Row("regular expression", .online, "verified") {
            $0.endpoints = [.init("\($1.https)/success.txt", expecting: .regex("^succ?ess\\s*$"))]
        },
        Row("TLS required, HTTP only", .online, "partial") {
            plain(&$0, $1)
            $0.requiresTLS = true
        },
        Row("TLS required and proven", .online, "verified") { configuration, _ in configuration.requiresTLS = true },
        Row("no endpoints", .online, "inconclusive") { configuration, _ in configuration = .disabled },
    ]

    private static let server = InternetCheckTests.Server(http: "http://198.51.100.80", https: "https://198.51.100.80")
    private static let configuration = Configuration(
        endpoints: [
            .init("\(server.http)/generate_204"), .init("\(server.https)/generate_204"),
            .init("\(server.http)/success.txt", expecting: .body("success")),
            .init("\(server.https)/success.txt", expecting: .body("success")),
        ], captivePortalAPI: .off)

    private static func network(_ behavior: Behavior) -> ScriptedNetwork {
        var chain = NetworkChain.home
        chain.hosts = [.init(addresses: ["198.51.100.80"], behavior: behavior)]
        return ScriptedNetwork(chain)
    }

    @Test(arguments: rows) func `the verdict matches the table`(row: Row) async throws {
        var configuration = Self.configuration
        row.change(&configuration, Self.server)
        let network = Self.network(row.behavior)
        let check = try InternetCheck(configuration, over: network.transport)
        let report = await network.run { await check.run() }
        #expect(report.verdict.description.replacing(Self.server.http, with: "HTTP") == row.verdict, "\(report)")
        #expect(report.endpoints.map(\.url) == configuration.endpoints.map(\.url))
        let codes = Set(report.endpoints.compactMap { $0.error?.code.description })
        #expect(codes.isSuperset(of: row.codes), "\(codes)")
    }

    @Test func `HTTP and HTTPS are queried at the same time`() async throws {
        let network = Self.network(.slow(.seconds(3)))
        let check = try InternetCheck(Self.configuration, over: network.transport)
        let report = await network.run { await check.run() }
        #expect(report.verdict == .verified && report.duration < .seconds(4))
        // Each of the four takes more than half of the check, so that there is a moment at which all are under way.
        #expect(report.endpoints.count == 4)
        #expect(report.endpoints.allSatisfy { $0.durations.total > report.duration / 2 }, "\(report)")
    }

    @Test func `a portal is found while HTTPS hangs, without waiting for it`() async throws {
        let network = Self.network(.portal(.redirect))
        let check = try InternetCheck(Self.configuration, over: network.transport)
        let report = await network.run { await check.run() }
        #expect(report.verdict.portal?.absoluteString == Behavior.loginPage)
        let codes = Set(report.endpoints.filter { $0.url.hasPrefix("https") }.map(\.error?.code))
        #expect(codes == [.abandoned], "\(report)")
        #expect(report.duration < .seconds(1))
    }
}
#endif
