// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The report's statement of whether HTTPS took part.
struct TLSProofTests {
    typealias Evidence = InternetCheck.Evidence

    static func secure(_ code: ProbeError.Code?, _ message: String = "") -> Evidence {
        Evidence(
            url: "HTTPS://probe.test/", code.map { .failed(ProbeError($0, during: .tls, message)) } ?? .passed)
    }

    static let plain = Evidence(url: "http://probe.test/", .passed)

    @Test(
        arguments: [
            ([], nil), ([plain], .notChecked("no HTTPS endpoint is configured")), ([plain, secure(nil)], .verified),
            ([secure(.refused), secure(nil)], .verified), ([plain, secure(.untrustedCertificate)], .failed),
            ([secure(.tlsUnavailable, "no OpenSSL"), secure(.refused)], .failed),
            ([plain, secure(.tlsUnavailable, "no OpenSSL")], .notChecked("no OpenSSL")),
            ([secure(.abandoned), secure(.noSuchInterface)], .notChecked("noSuchInterface")),
            ([secure(.abandoned), secure(.abandoned)], .notChecked("the check ended before HTTPS answered")),
        ] as [([Evidence], InternetCheck.TLSProof?)])
    func `a report says whether HTTPS took part, and why not`(endpoints: [Evidence], proof: InternetCheck.TLSProof?) {
        let report = InternetCheck.Report(verdict: .verified, checkedAt: .distantPast, endpoints: endpoints)
        #expect(report.tls == proof)
    }

    @Test func `the JSON has the proof and its reason`() throws {
        struct Wire: Decodable {
            let tls: String?
            let tlsReason: String?
        }
        func wire(_ endpoints: [Evidence]) throws -> Wire {
            let report = InternetCheck.Report(verdict: .verified, checkedAt: .distantPast, endpoints: endpoints)
            return try JSONDecoder().decode(Wire.self, from: JSONEncoder().encode(report))
        }
        let proven = try wire([Self.secure(nil)])
        #expect(proven.tls == "verified")
        #expect(proven.tlsReason == nil)
        let unproven = try wire([Self.secure(.tlsUnavailable, "no OpenSSL")])
        #expect(unproven.tls == "notChecked")
        #expect(unproven.tlsReason == "no OpenSSL")
        #expect(try wire([]).tls == nil)
    }
}
