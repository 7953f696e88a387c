// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The sentence that names the cause, by verdict and evidence.
struct ExplanationTests {
    typealias Evidence = InternetCheck.Evidence

    private static func report(
        _ verdict: InternetCheck.Verdict, _ secure: ProbeError.Code, plain: ProbeError.Code? = nil,
        proxy: String? = nil, message: String = "", status: Int? = nil, address: NetworkAddress? = nil
    ) -> InternetCheck.Report {
        let outcome = { (code: ProbeError.Code?) -> Evidence.Outcome in
            guard let code else { return .passed }
            var error = ProbeError(code, during: .headers, message)
            if code == .proxyFailure { error.proxyStatus = 407 }
            return .failed(error)
        }
        var endpoints = ["a", "b"].flatMap { name in
            [
                Evidence(url: "http://\(name).test/", outcome(plain)),
                Evidence(url: "https://\(name).test/", outcome(secure)),
            ]
        }
        for index in endpoints.indices {
            endpoints[index].proxy = proxy
            endpoints[index].status = status
            endpoints[index].address = address
        }
        return .init(verdict: verdict, checkedAt: .distantPast, endpoints: endpoints)
    }

    private static let proxy = "http://192.0.2.1:3128"

    static let rows: [(report: InternetCheck.Report, cause: String)] = [
        (
            report(.partial, .invalidCertificate),
            "HTTPS does not pass: certificates are not valid at this machine's time: check its clock."
        ),
        (report(.partial, .untrustedCertificate), "HTTPS does not pass: something is intercepting secure connections."),
        (report(.partial, .wrongCertificateName), "HTTPS does not pass: something is intercepting secure connections."),
        (report(.partial, .timedOut), "HTTPS does not pass: secure connections are not answered."),
        (report(.partial, .connectionLost), "HTTPS does not pass: secure connections are refused."),
        (report(.partial, .unexpectedAnswer), "HTTPS servers answer, but not as expected."),
        // A system without TLS has no evidence of a network's fault.
        (
            report(.partial, .tlsUnavailable, message: "no CA certificates are installed"),
            "HTTPS cannot be checked: no CA certificates are installed."
        ),
        (report(.partial, .tlsFailure), "HTTPS does not pass: secure connections break off during the handshake."),
        (report(.partial, .unexpectedAnswer, status: 503), "HTTPS servers answer with an error (status 503)."),
        (
            report(.noInternet(.tls), .invalidCertificate, plain: .timedOut),
            "Certificates are not valid at this machine's time: check its clock."
        ),
        (
            report(.noInternet(.tls), .untrustedCertificate, plain: .timedOut),
            "Something is intercepting secure connections."
        ),
        (
            report(.noInternet(.tls), .tlsFailure, plain: .timedOut),
            "Secure connections fail: the certificates are not accepted, or the handshake breaks off."
        ),
        (
            report(.noInternet(.hijackedNames), .hijackedName, plain: .hijackedName),
            "DNS answers lead to private addresses: something is forging them."
        ),
        (
            report(.noInternet(.hijackedNames), .wrongCertificateName, address: NetworkAddress(203, 0, 113, 9)),
            "DNS answers lead all names to 203.0.113.9: something is forging them."
        ),
        (
            report(.noInternet(.unexpectedAnswers), .unexpectedAnswer, plain: .unexpectedAnswer, status: 500),
            "Servers answer with an error (status 500)."
        ),
        (
            report(.noInternet(.unexpectedAnswers), .unexpectedAnswer, plain: .unexpectedAnswer, status: 404),
            "Servers answer, but not as expected."
        ),
        (
            report(.noInternet(.timedOut), .timedOut, plain: .timedOut),
            "Connections are accepted, but no answer arrives."
        ),
        (report(.noInternet(.unreachable), .unreachable, plain: .unreachable), "There is no route to the Internet."),
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
    ]

    @Test(arguments: rows.indices) func `the cause is named`(index: Int) {
        let (report, cause) = Self.rows[index]
        #expect(report.reason?.hasPrefix(cause) == true)
    }

    @Test func `without a path, the path's diagnosis is the cause`() {
        let diagnosis = PathDiagnosis(.noAddress)
        let report = InternetCheck.report(
            without: HostError(.noRoute, diagnosis: diagnosis), endpoints: .defaults, since: TimeSource.system.now,
            at: .distantPast)
        #expect(report.reason == diagnosis.description)
    }

    @Test func `the certificate of a single operator may itself be wrong`() {
        var report = Self.report(.partial, .untrustedCertificate)
        for index in report.endpoints.indices { report.endpoints[index].operatorName = "a.test" }
        #expect(report.reason?.hasPrefix("HTTPS does not pass: the certificate of a.test is not trusted.") == true)
    }

    @Test func `what is not needed for the verdict is not counted`() {
        var report = Self.report(.verified, .abandoned)
        #expect(report.queriedEndpoints.count == 2)
        report = Self.report(.noInternet(.timedOut), .timedOut, plain: .timedOut)
        #expect(report.queriedEndpoints.count == 4)
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
}
