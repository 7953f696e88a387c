// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Whole checks of six operators over a network in memory: one dissenting operator is a remark, two are a portal.
struct LoneDissentTests {
    typealias Behavior = ScriptedInternet.Behavior

    static let operators = ["google", "apple", "cloudflare", "grapheneos", "fedora", "ubuntu"]

    /// The network's treatment of an operator's HTTP and HTTPS.
    typealias Treatment = (http: ScriptedInternet.Response?, https: ScriptedInternet.Response?)

    static let redirected: Treatment = (.redirect(to: Behavior.loginPage), .reset)
    static let redirectedSilently: Treatment = (.redirect(to: Behavior.loginPage), .silence)
    static let page: Treatment = (.answer(200, body: "<html>This page is blocked.</html>"), .reset)
    static let notice: Treatment = (.redirect(to: Behavior.loginPage), nil)
    static let lost: Treatment = (.silence, .silence)
    static let reset: Treatment = (.reset, .reset)

    private func check(
        _ treatments: [String: Treatment], api: ScriptedInternet.Response? = nil,
        _ change: (inout InternetCheck.Configuration) -> Void = { _ in }
    ) async throws -> InternetCheck.Report {
        let answers = Behavior { request in
            let treatment = treatments[String(request.host.prefix { $0 != "." })]
            return (request.isSecure ? treatment?.https : treatment?.http) ?? Behavior.success(request)
        }
        var chain = NetworkChain.home
        chain.hosts += Self.operators.enumerated().map { place, name in
            .init("\(name).test", addresses: [NetworkAddress(89, 160, 20, UInt8(101 + place))], behavior: answers)
        }
        var configuration = InternetCheck.Configuration(
            endpoints: Self.operators.flatMap { name in
                ["http", "https"].map { .init("\($0)://\(name).test/", operatorName: name) }
            },
            timeouts: .init(headers: .seconds(60), total: .seconds(60)), captivePortalAPI: .off)
        configuration.decisionWindow = .seconds(30)
        if let api {
            chain.hosts.append(
                .init("api.portal.test", addresses: [NetworkAddress(89, 160, 20, 100)], behavior: .always(api)))
            configuration.captivePortalAPI = .url("https://api.portal.test/")
        }
        change(&configuration)
        let network = ScriptedNetwork(chain)
        let check = try InternetCheck(configuration, over: network.transport)
        return await network.run { await check.run() }
    }

    @Test func `a filter that redirects one operator and resets its HTTPS is a remark`() async throws {
        let report = try await check(["google": Self.redirected])
        #expect(report.verdict == .verified)
        let remark = try #require(report.remarks.first)
        #expect(report.remarks.count == 1)
        #expect(remark.operatorName == "google")
        #expect(remark.url?.hasPrefix("http://google.test/") == true)
        #expect(remark.status == 302)
        #expect(remark.portal?.absoluteString == Behavior.loginPage)
        #expect(
            remark.description
                == "google is blocked or redirected: \(remark.url ?? "") answers with status 302, which points to \(Behavior.loginPage)."
        )
    }

    @Test func `a block page for one operator is a remark`() async throws {
        let report = try await check(["apple": Self.page])
        #expect(report.verdict == .verified)
        #expect(report.remarks.map(\.operatorName) == ["apple"])
    }

    @Test func `a portal that lets Google and Apple pass before the login is a portal at once`() async throws {
        let report = try await check(["cloudflare": Self.redirectedSilently, "grapheneos": Self.redirectedSilently])
        #expect(report.verdict.portal?.absoluteString == Behavior.loginPage)
        #expect(report.remarks.isEmpty)
        #expect(report.duration < .seconds(2), "the check did not wait for the silent HTTPS")
    }

    @Test func `a portal that lets three vendors pass before the login is a portal at once`() async throws {
        for treatment in [Self.redirectedSilently, Self.redirected, Self.page] {
            let report = try await check(["grapheneos": treatment, "fedora": treatment, "ubuntu": treatment])
            #expect(report.verdict.portal != nil)
            #expect(report.duration < .seconds(2), "the check did not wait for the silent HTTPS")
        }
    }

    @Test func `the status 511 from one operator alone is a portal at once`() async throws {
        for secure in [ScriptedInternet.Response.reset, .silence, nil] {
            let report = try await check(["ubuntu": (.answer(511, body: "<html>Log in first.</html>"), secure)]) {
                $0.decisionWindow = .seconds(60)
            }
            #expect(report.verdict.portal?.host() == "ubuntu.test")
            #expect(report.duration < .seconds(1))
        }
    }

    @Test func `answers with two lengths prove nothing`() async throws {
        let forged = ScriptedInternet.Response.answer(204, fields: ["Content-Length": "0, 5"])
        let all = Dictionary(uniqueKeysWithValues: Self.operators.map { ($0, (forged, forged) as Treatment) })
        #expect(try await check(all).verdict == .noInternet(.unexpectedAnswers))
    }

    @Test func `a portal that drops a further operator entirely is found within the decision window`() async throws {
        let report = try await check(["cloudflare": Self.redirectedSilently, "grapheneos": Self.lost]) {
            $0.decisionWindow = .seconds(1)
        }
        #expect(report.verdict.portal?.absoluteString == Behavior.loginPage)
        #expect(report.duration >= .seconds(1))
        #expect(report.duration < .seconds(2), "the check did not wait for the silent HTTPS")
    }

    @Test func `a notice page on plain HTTP of every operator is a portal, although HTTPS passes`() async throws {
        let all = Dictionary(uniqueKeysWithValues: Self.operators.map { ($0, Self.notice) })
        #expect(try await check(all).verdict.portal?.absoluteString == Behavior.loginPage)
    }

    @Test func `a portal for everyone is found without waiting for HTTPS`() async throws {
        let all = Dictionary(uniqueKeysWithValues: Self.operators.map { ($0, Self.redirectedSilently) })
        let report = try await check(all) { $0.decisionWindow = .seconds(60) }
        #expect(report.verdict.portal?.absoluteString == Behavior.loginPage)
        #expect(report.duration < .seconds(1))
    }

    @Test func `one operator that is redirected and one that fails over HTTPS are a portal`() async throws {
        let report = try await check(["google": Self.redirected, "grapheneos": Self.reset])
        #expect(report.verdict.portal?.absoluteString == Behavior.loginPage)
    }

    @Test func `one operator that is down is verified without a remark`() async throws {
        let report = try await check(["google": Self.lost])
        #expect(report.verdict == .verified)
        #expect(report.remarks.isEmpty)
    }

    @Test func `a captive portal API that is stuck at captive is a remark`() async throws {
        let stuck = ScriptedInternet.Response.captivePortalAPI(captive: true, portal: "https://login.portal.test/")
        let report = try await check([:], api: stuck)
        #expect(report.verdict == .verified)
        #expect(report.remarks.map(\.operatorName) == [nil])
        #expect(report.remarks.first?.portal?.absoluteString == "https://login.portal.test/")
    }

    @Test func `a captive portal API and one redirected operator are a portal`() async throws {
        let captive = ScriptedInternet.Response.captivePortalAPI(captive: true, portal: "https://login.portal.test/")
        let report = try await check(["google": Self.redirected], api: captive)
        #expect(report.verdict.portal != nil)
    }

    @Test func `the JSON names the operators and the remarks`() async throws {
        struct Wire: Decodable {
            struct Remark: Decodable {
                let `operator`: String?
                let url: String
                let status: Int?
                let portal: String?
                let message: String
            }
            struct Endpoint: Decodable { let `operator`: String? }
            let verdict: String
            let remarks: [Remark]
            let endpoints: [Endpoint]
        }
        let report = try await check(["google": Self.redirected])
        let object = try JSONDecoder().decode(Wire.self, from: JSONEncoder().encode(report))
        #expect(object.verdict == "verified")
        #expect(object.endpoints.map(\.operator) == Self.operators.flatMap { [$0, $0] })
        let remark = try #require(object.remarks.first)
        #expect(remark.operator == "google")
        #expect(remark.status == 302)
        #expect(remark.portal == Behavior.loginPage)
        #expect(remark.message == report.remarks.first?.description)
    }
}
#endif
