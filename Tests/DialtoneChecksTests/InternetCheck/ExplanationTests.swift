// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneChecks

/// The sentence that names the cause, by verdict and evidence.
struct ExplanationTests {
    typealias Evidence = InternetCheck.Evidence

    private static func report(
        _ verdict: InternetCheck.Verdict, _ secure: ProbeError.Code, plain: ProbeError.Code? = nil,
        proxy: String? = nil, message: String = ""
    ) -> InternetCheck.Report {
        let outcome = { (code: ProbeError.Code?) -> Evidence.Outcome in
            code.map { .failed(ProbeError($0, during: .headers, message)) } ?? .passed
        }
        var endpoints = ["a", "b"].flatMap { name in
            [
                Evidence(url: "http://\(name).test/", outcome(plain)),
                Evidence(url: "https://\(name).test/", outcome(secure)),
            ]
        }
        for index in endpoints.indices { endpoints[index].proxy = proxy }
        return .init(verdict: verdict, checkedAt: .distantPast, endpoints: endpoints)
    }

    private static let proxy = "http://192.0.2.1:3128"

    static let rows: [(report: InternetCheck.Report, explanation: String?)] = [
        (report(.partial, .invalidCertificate), "Certificates are not valid at this machine's time: check its clock."),
        (report(.partial, .untrustedCertificate), "Something is intercepting secure connections."),
        (report(.partial, .wrongCertificateName), "Something is intercepting secure connections."),
        (report(.partial, .timedOut), "Secure connections are not answered."),
        (report(.partial, .connectionLost), "Secure connections are refused."),
        (report(.partial, .unexpectedAnswer), "HTTPS servers answer, but not as expected."),
        // A system without TLS has no evidence of a network's fault.
        (report(.partial, .tlsUnavailable), nil),
        (
            report(.noInternet(.tls), .invalidCertificate, plain: .timedOut),
            "Certificates are not valid at this machine's time: check its clock."
        ),
        (
            report(.noInternet(.tls), .untrustedCertificate, plain: .timedOut),
            "Secure connections fail: something is intercepting them, or this machine's clock is wrong."
        ),
        (
            report(
                .noInternet(.unexpectedAnswers), .proxyFailure, plain: .proxyFailure, proxy: proxy,
                message: "status 407"),
            "The proxy http://192.0.2.1:3128 requires a user name and a password."
        ),
        (
            report(.noInternet(.refused), .refused, plain: .refused, proxy: proxy),
            "The proxy http://192.0.2.1:3128 does not lead to the Internet, or does not answer."
        ),
        (report(.noInternet(.refused), .refused, plain: .refused), "Connections are refused."),
        (report(.verified, .timedOut), nil), (report(.inconclusive, .timedOut), nil),
    ]

    @Test(arguments: rows.indices) func `the cause is named`(index: Int) {
        let (report, explanation) = Self.rows[index]
        #expect(report.explanation == explanation)
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
}
