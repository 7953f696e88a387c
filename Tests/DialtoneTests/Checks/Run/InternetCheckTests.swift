// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Whole checks against a real server that behaves badly; `InternetCheckInMemoryTests` has the rows that need none.
@Suite(.real, .timeLimit(.minutes(5)))
struct InternetCheckTests {
    typealias Configuration = InternetCheck.Configuration
    typealias Behavior = ScriptedInternet.Behavior

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let behavior: Behavior
        let verdict: String
        /// The error codes that must be among the evidence.
        let codes: Set<String>
        let change: @Sendable (inout Configuration, Server) -> Void

        init(
            _ description: String, _ behavior: Behavior, _ verdict: String, codes: Set<String> = [],
            _ change: @escaping @Sendable (inout Configuration, Server) -> Void = { _, _ in }
        ) {
            testDescription = description
            self.behavior = behavior
            self.verdict = verdict
            self.codes = codes
            self.change = change
        }
    }

    /// The beginning of a server's URLs.
    struct Server: Sendable {
        let http: String
        let https: String
    }

    static let login = "captivePortal(\(Behavior.loginPage))"

    /// Tests with TLS, the kernel and a server that changes.
    static let rows: [Row] = [
        Row("online", .online, "verified"),
        Row("HTTPS reset", Behavior(https: .resetting), "partial"),
        Row("HTTPS refused", Behavior(https: .closed), "partial", codes: ["refused"]),
        Row("HTTPS intercepted", Behavior(https: .untrusted), "partial", codes: ["untrustedCertificate"]),
        Row("HTTPS for another name", Behavior(https: .misnamed), "partial", codes: ["wrongCertificateName"]),
        Row("HTTPS expired", Behavior(https: .expired), "partial", codes: ["invalidCertificate"]),
        Row("HTTPS self-signed", Behavior(https: .selfSigned), "partial", codes: ["untrustedCertificate"]),
        Row(
            "HTTPS with a common name only", Behavior(https: .commonNameOnly), "partial",
            codes: ["wrongCertificateName"]),
        Row("HTTPS with TLS 1.1 only", Behavior(https: .oldTLS), "partial", codes: ["tlsFailure"]),
        Row("HTTPS intercepted, nothing else queried", Behavior(https: .untrusted), "noInternet(tls)") {
            $0.endpoints = [.init("\($1.https)/generate_204")]
        },
        Row("HTTPS that is not", .online, "noInternet(tls)", codes: ["tlsFailure"]) {
            let plain = $1.http.dropFirst("http".count)
            $0.endpoints = [.init("https\(plain)/generate_204")]
        },
        Row("portal that intercepts HTTPS", .portal(.redirect, https: .untrusted), login),
        Row("portal that resets HTTPS", .portal(.content, https: .resetting), login),
        Row(
            "every second connection lost", .flapping([.online, Behavior(http: .resetting, https: .resetting)]),
            "verified"
        ) {
            $0.endpoints = Array(repeating: .init("\($1.http)/generate_204"), count: 4)
        },
        Row("no endpoint that may be queried", .online, "inconclusive", codes: ["excluded"]) { configuration, _ in
            configuration.family = .ipv6
        },
        Row("no such interface", .online, "inconclusive", codes: ["noSuchInterface"]) { configuration, _ in
            configuration.binding = .interface("no-such-link")
        },
        Row("bound to an interface", .online, "verified") { configuration, _ in
            configuration.binding = .interfaceOrItsAddress("lo")
        },
    ]

    /// Where no answer is expected, this is longer than the silence that proves something on a busy machine.
    static let quick = Configuration.Timeouts(
        resolve: .seconds(30), connect: .seconds(30), tls: .seconds(6), headers: .seconds(6), body: .seconds(6),
        total: .seconds(60))

    @Test(arguments: rows) func `the verdict matches the table`(row: Row) async throws {
        let internet = try ScriptedInternet(row.behavior)
        var configuration = internet.configuration
        configuration.timeouts = Self.quick
        row.change(&configuration, Server(http: internet.http, https: internet.https))
        // The routers of the machine that runs the tests are not asked: they say nothing about the server, and a check waits for them.
        let report = try await InternetCheck(configuration).run(on: nil, over: nil, asking: .never)
        #expect(report.verdict.description.replacing(internet.http, with: "HTTP") == row.verdict, "\(report)")
        #expect(report.endpoints.map(\.url) == configuration.endpoints.map(\.url))
        let codes = Set(report.endpoints.compactMap { $0.error?.code.description })
        #expect(codes.isSuperset(of: row.codes), "\(codes)")
    }

    @Test func `evidence has the address, family, status and time of each endpoint`() async throws {
        let internet = try ScriptedInternet()
        var configuration = internet.patientConfiguration
        configuration.quorum = .percent(100)
        let report = try await InternetCheck(configuration).run()
        for evidence in report.endpoints {
            #expect(evidence.passed)
            #expect(evidence.error == nil)
            #expect(evidence.address?.description == "127.0.0.1")
            #expect(evidence.family == .ipv4)
            #expect(evidence.status == (evidence.url.hasSuffix("204") ? 204 : 200))
            #expect(evidence.durations.connect != nil)
            #expect((evidence.durations.tls != nil) == evidence.url.hasPrefix("https"))
            #expect(evidence.durations.headers != nil)
            #expect(evidence.durations.resolve == nil)
            #expect(evidence.durations.total > .zero)
        }
    }

    @Test func `requests defeat caches, carry no cookie and follow no redirect`() async throws {
        let internet = try ScriptedInternet(.redirects(100))
        var configuration = internet.patientConfiguration
        configuration.endpoints = [
            .init("\(internet.http)/a?b=c", headers: ["X-Own": "1", "user-agent": "mine"], bearerToken: "secret")
        ]
        configuration.headers = ["X-Own": "0", "X-All": "2"]
        _ = try await InternetCheck(configuration).run()
        _ = try await InternetCheck(configuration).run()
        try #require(internet.requests.count == 2)
        let request = internet.requests[0]
        #expect(request.method == "GET")
        #expect(request.target.hasPrefix("/a?b=c&dialtone="))
        #expect(request.target != internet.requests[1].target)
        #expect(request[field: "Cache-Control"] == "no-cache, no-store")
        #expect(request[field: "Pragma"] == "no-cache")
        #expect(request[field: "Accept-Encoding"] == "identity")
        #expect(request[field: "Connection"] == "close")
        #expect(request[field: "Cookie"] == nil)
        #expect(request[field: "Dialtone-Nonce"] == nil)
        #expect(request[field: "Authorization"] == "Bearer secret")
        #expect(request[field: "X-Own"] == "1")
        #expect(request[field: "X-All"] == "2")
        #expect(request.fields.filter { $0.name.lowercased() == "user-agent" }.map(\.value) == ["mine"])
        #expect("http://\(request[field: "Host"] ?? "")" == internet.http)
    }

    #if !canImport(Darwin)
    @Test func `a vendor's host that passes before the login proves nothing`() async throws {
        let internet = try ScriptedInternet(
            Behavior { request in
                // This answer comes after the portal's, so that the portal's is counted.
                if request.host == "vendor.test" { return Behavior.success(request).after(.seconds(1)) }
                return request.isSecure ? .reset : .redirect(to: Behavior.loginPage)
            }, names: ["vendor.test", "uncommon.test"])
        let names = ScriptedResolver(otherwise: .addresses("127.0.0.1"))
        var configuration = internet.patientConfiguration
        let ports = [internet.http, internet.https].map { $0.split(separator: ":").last ?? "" }
        configuration.endpoints = ["vendor", "uncommon"].flatMap { name -> [InternetCheck.Endpoint] in
            [.init("http://\(name).test:\(ports[0])/"), .init("https://\(name).test:\(ports[1])/")]
        }
        let check = try InternetCheck(configuration, prober: SocketHTTPProbe(resolver: names))
        let report = await check.run()
        #expect(report.verdict.portal?.absoluteString == Behavior.loginPage)
        internet.play(.online)
        #expect(await check.run().verdict == .verified)
    }
    #endif

    @Test func `a report is the JSON object of the contract`() async throws {
        let internet = try ScriptedInternet(.portal(.redirect))
        var configuration = internet.patientConfiguration
        configuration.endpoints = ["\(internet.http)/generate_204"].map { .init($0) }
        let report = try await InternetCheck(configuration).run()
        let data = try JSONEncoder().encode(report)
        let object = try JSONDecoder().decode(Wire.self, from: data)
        #expect(object.verdict == "captivePortal")
        #expect(object.portal == Behavior.loginPage)
        #expect(object.checkedAt.hasSuffix("Z") && object.checkedAt.count == 24)
        #expect(object.endpoints.map(\.url) == ["\(internet.http)/generate_204"])
        #expect(object.endpoints.map(\.status) == [302])
        #expect(object.endpoints.map(\.address) == ["127.0.0.1"])
        #expect(object.endpoints.allSatisfy { !$0.passed && $0.milliseconds.total > 0 })
        let text = String(decoding: data, as: UTF8.self)
        for key in ["reason", "captivePortalAPI", "error", "resolve", "tls"] {
            #expect(text.contains("\"\(key)\":null"))
        }
    }

    private struct Wire: Decodable {
        struct Endpoint: Decodable {
            struct Times: Decodable { let total: Double }
            let url: String
            let passed: Bool
            let status: Int?
            let address: String?
            let milliseconds: Times
        }
        let verdict: String
        let portal: String?
        let checkedAt: String
        let endpoints: [Endpoint]
    }
}
