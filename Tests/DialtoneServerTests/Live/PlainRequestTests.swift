// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneTesting
import TestSupport
import Testing

@testable import DialtoneServer

/// The request of the page's button, over a network in memory; `ServeRequestTests` has what a user sees of it.
struct PlainRequestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var url = "http://203.0.113.1/data"
        var expectation = InternetCheck.Expectation.json
        let behavior: ScriptedInternet.Behavior
        let status: Int
        var mismatch: AnswerMismatch?
    }

    private static func data(_ response: ScriptedInternet.Response) -> ScriptedInternet.Behavior {
        .init { $0.path == "/data" ? response : ScriptedInternet.Behavior.success($0) }
    }

    static let rows = [
        Row(testDescription: "JSON", behavior: .servingData, status: 200),
        Row(
            testDescription: "JSON over HTTPS", url: "https://203.0.113.1/data", behavior: .servingData, status: 200),
        Row(
            testDescription: "an exact body", url: "http://203.0.113.1/success.txt", expectation: .body("success"),
            behavior: .online, status: 200),
        Row(
            testDescription: "a page of the server", behavior: data(.answer(200, body: "<html>Hello</html>")),
            status: 200, mismatch: .notJSON),
        Row(
            testDescription: "half of a JSON text", behavior: data(.answer(200, body: "{\"data\":")), status: 200,
            mismatch: .notJSON),
        Row(testDescription: "no content", behavior: .online, status: 204, mismatch: .notJSON),
        Row(
            testDescription: "a redirect of the server", behavior: data(.redirect(to: "http://203.0.113.1/elsewhere")),
            status: 302, mismatch: .redirect),
        Row(
            testDescription: "another body", expectation: .body("OK"), behavior: data(.answer(200, body: "other")),
            status: 200, mismatch: .other(expected: "body:OK")),
        Row(
            testDescription: "an error of the server", behavior: data(.answer(503)), status: 503,
            mismatch: .other(expected: "JSON")),
        Row(
            testDescription: "a redirect to a login page", behavior: .portal(.redirect), status: 302,
            mismatch: .redirect),
        Row(
            testDescription: "a login page in place of the answer", behavior: .portal(.content), status: 200,
            mismatch: .notJSON),
        Row(
            testDescription: "the status 511", behavior: .portal(.networkAuthenticationRequired), status: 511,
            mismatch: .other(expected: "JSON")),
    ]

    private static func perform(
        _ url: String, expecting expectation: InternetCheck.Expectation, _ behavior: ScriptedInternet.Behavior
    ) async throws -> Result<RequestAnswer, any Error> {
        var chain = NetworkChain.home
        chain.hosts = [.init(addresses: ["203.0.113.1"], behavior: behavior)]
        let network = ScriptedNetwork(chain)
        let request = try PlainRequest(.init(url, expecting: expectation)) {
            configuration throws(InvalidConfiguration) in
            try InternetCheck(configuration, over: network.transport)
        }
        return await network.run {
            do { return .success(try await request.perform()) } catch { return .failure(error) }
        }
    }

    @Test(arguments: rows) func `only the expected answer is one without a difference`(row: Row) async throws {
        let answer = try await Self.perform(row.url, expecting: row.expectation, row.behavior).get()
        #expect(answer.reply.status == row.status && answer.mismatch == row.mismatch)
        #expect(answer.reply.isAuthenticated == row.url.hasPrefix("https"))
    }

    @Test(arguments: [
        ("https://203.0.113.1/data", ScriptedInternet.Behavior(https: .untrusted), RequestFailure.Kind.tlsFailure),
        ("https://203.0.113.1/data", .portal(.redirect, https: .untrusted), .tlsFailure),
        ("http://203.0.113.1/data", .refusing, .cannotConnect), ("http://203.0.113.1/data", .silent, .timedOut),
        ("http://203.0.113.1/data", .init(http: .resetting), .connectionLost),
    ])
    func `a request without an answer fails for its reason`(
        url: String, behavior: ScriptedInternet.Behavior, kind: RequestFailure.Kind
    ) async throws {
        let result = try await Self.perform(url, expecting: .json, behavior)
        let failure = #expect(throws: RequestFailure.self) { try result.get() }
        #expect(failure?.kind == kind)
    }
}
#endif
