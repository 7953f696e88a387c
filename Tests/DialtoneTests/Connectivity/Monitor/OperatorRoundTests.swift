// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// Checks that start with one operator.
@Suite(.real)
struct OperatorRoundTests {
    /// Answers as the operators do, except for the URLs that a test overrides.
    private final class OperatorProber: Prober {
        private let state = Mutex<[String]>([])
        private let exceptions: [String: ProbeResult]

        init(_ exceptions: [String: ProbeResult] = [:]) { self.exceptions = exceptions }

        /// The queried URLs, without their random part.
        var urls: [String] { state.withLock { $0 } }

        func probe(_ request: ProbeRequest) async -> ProbeResult {
            let url = String(request.url.prefix { $0 != "?" })
            state.withLock { $0.append(url) }
            if let result = exceptions[url] { return result }
            let bodies = ["apple": "<TITLE>Success</TITLE>", "fedora": "OK\n"]
            guard let body = bodies.first(where: { url.contains($0.key) })?.value else {
                return ProbeResult(response: HTTPResponse(status: 204))
            }
            return ProbeResult(response: HTTPResponse(status: 200, body: Array(body.utf8)))
        }
    }

    private let all = [InternetCheck.Endpoint].defaults.map(\.url)

    private func report(
        _ prober: OperatorProber, startingWith name: String,
        _ configuration: InternetCheck.Configuration = .init(captivePortalAPI: .off)
    ) async throws -> InternetCheck.Report {
        try await InternetCheck(configuration, prober: prober).check(
            over: NetworkPath(status: .satisfied), startingWith: name)
    }

    @Test(arguments: InternetCheck().endpointOperators.map(\.name))
    func `an operator that passes is queried alone, and the report lists only its endpoints`(name: String) async throws
    {
        let prober = OperatorProber()
        let report = try await report(prober, startingWith: name)
        let urls = InternetCheck().endpointOperators.first { $0.name == name }?.urls ?? []
        #expect(report.verdict == .verified)
        #expect(report.endpoints.map(\.url) == urls)
        #expect(prober.urls.sorted() == urls.sorted())
    }

    /// Unexpected answers of Google's plain and secure endpoints.
    private static let faults: [[String: ProbeResult]] = {
        let plain = "http://connectivitycheck.gstatic.com/generate_204"
        let secure = "https://www.google.com/generate_204"
        let page = ProbeResult(response: HTTPResponse(status: 200, body: Array("<html>Log in</html>".utf8)))
        return [
            [plain: page],
            [plain: ProbeResult(error: ProbeError(.timedOut, during: .headers))],
            [secure: ProbeResult(error: ProbeError(.tlsFailure, during: .tls))],
            [secure: ProbeResult(error: ProbeError(.tlsUnavailable, during: .tls))],
            [
                plain: ProbeResult(error: ProbeError(.refused, during: .connect)),
                secure: ProbeResult(error: ProbeError(.refused, during: .connect)),
            ],
        ]
    }()

    @Test(arguments: faults.indices)
    func `a round of one operator that does not pass is followed by a full round`(fault: Int) async throws {
        let prober = OperatorProber(Self.faults[fault])
        let report = try await report(prober, startingWith: "Google")
        #expect(report.endpoints.map(\.url) == all)
        // An endpoint whose probe has not begun when the verdict is certain is not queried.
        let abandoned = report.endpoints.filter { $0.error?.code == .abandoned }.count
        #expect((2 + all.count - abandoned...2 + all.count).contains(prober.urls.count))
    }

    @Test func `one failing operator is not an outage`() async throws {
        let prober = OperatorProber(Self.faults[4])
        #expect(try await report(prober, startingWith: "Google").verdict == .verified)
    }

    @Test func `a restricted check requires every endpoint, whatever the quorum`() throws {
        let check = try InternetCheck(.init(quorum: .count(1), captivePortalAPI: .off))
        let restricted = check.restricted(to: "Apple")
        #expect(restricted.configuration.quorum == .percent(100))
        #expect(restricted.configuration.endpoints.map(\.url) == Array(all[2...3]))
        #expect(check.restricted(to: "none").configuration.endpoints.isEmpty)
    }

    @Test func `endpoints of one host name are one operator`() throws {
        let check = try InternetCheck(
            .init(endpoints: ["https://a.example.org/", "http://b.example.org/", "https://example.net/"]))
        #expect(check.endpointOperators.map(\.urls.count) == [2, 1])
    }
}
