// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// RFC 8908, as text and against a real server.
@Suite(.timeLimit(.minutes(5)))
struct CaptivePortalTests {
    typealias Response = ScriptedInternet.Response

    @Test func `every key of the standard is read`() throws {
        let text = """
            {"captive": true, "user-portal-url": "https://login.test/a", "venue-info-url": "https://venue.test/",
             "can-extend-session": true, "seconds-remaining": 326, "bytes-remaining": 65535, "unknown": [1]}
            """
        let state = try CaptivePortalState(json: Array(text.utf8))
        #expect(state.isCaptive)
        #expect(state.userPortal?.absoluteString == "https://login.test/a")
        #expect(state.venueInfo?.absoluteString == "https://venue.test/")
        #expect(state.canExtendSession == true)
        #expect(state.remainingTime == .seconds(326))
        #expect(state.remainingBytes == 65535)
    }

    @Test(arguments: [
        #"{"captive":true,"user-portal-url":"http://login.test/"}"#, #"{"captive":true,"user-portal-url":"nonsense"}"#,
        #"{"captive":true,"user-portal-url":"javascript:alert(1)"}"#, #"{"captive":true,"user-portal-url":7}"#,
        #"{"captive":true,"user-portal-url":null}"#, #"{"captive":true,"seconds-remaining":-1}"#,
        #"{"captive":true,"seconds-remaining":1e300,"bytes-remaining":"many"}"#,
        #"{"captive":true,"seconds-remaining":18446744073709551615}"#,
    ])
    func `an invalid optional key is ignored`(text: String) throws {
        #expect(try CaptivePortalState(json: Array(text.utf8)) == CaptivePortalState(isCaptive: true))
    }

    @Test(arguments: [
        "", "null", "[]", "true", "{}", #"{"captive":"true"}"#, #"{"captive":1}"#, #"{"captive":null}"#,
        #"{"captive":true"#, String(repeating: "[", count: 60_000),
        String(repeating: #"{"captive":"#, count: 5_000),
    ])
    func `text without the key or other than JSON is malformed`(text: String) {
        let error = #expect(throws: ProbeError.self) { try CaptivePortalState(json: Array(text.utf8)) }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test func `text other than UTF-8 is malformed`() {
        let bytes = Array(#"{"captive":true,"x":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8)
        #expect(throws: ProbeError.self) { try CaptivePortalState(json: bytes) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: Response
        /// The login page, or what is unexpected in the answer, or the code of another error.
        let outcome: String
        /// The verdict if the probes pass, and if only the API answers.
        let passing: String
        let failing: String
    }

    static let login = "https://login.portal.test/"
    static let json = #"{"captive":true,"user-portal-url":"https://login.portal.test/"}"#

    private static func answer(_ type: String?, _ body: String = json, status: Int = 200) -> Response {
        .answer(status, fields: type.map { ["Content-Type": $0] } ?? [:], body: body)
    }

    static let rows: [Row] = [
        Row(
            testDescription: "captive", response: .captivePortalAPI(captive: true, portal: login), outcome: login,
            passing: "captivePortal(\(login))", failing: "captivePortal(\(login))"),
        Row(
            testDescription: "captive without a page", response: .captivePortalAPI(captive: true), outcome: "captive",
            passing: "verified", failing: "captivePortal(HTTP/generate_204)"),
        Row(
            testDescription: "captive with a page that is not HTTPS",
            response: .captivePortalAPI(captive: true, portal: "http://login.portal.test/"), outcome: "captive",
            passing: "verified", failing: "captivePortal(HTTP/generate_204)"),
        Row(
            testDescription: "not captive", response: .captivePortalAPI(captive: false), outcome: "free",
            passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "the media type with its charset",
            response: answer("Application/captive+JSON; charset=\"UTF-8\""),
            outcome: login, passing: "captivePortal(\(login))", failing: "captivePortal(\(login))"),
        Row(
            testDescription: "another charset", response: answer("application/captive+json; charset=latin1"),
            outcome: "charset=latin1 instead of UTF-8", passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "another media type", response: answer("application/json"),
            outcome: "application/json instead of application/captive+json",
            passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "an endless media type", response: answer(String(repeating: "a", count: 10_000)),
            outcome: String(repeating: "a", count: 100) + " instead of application/captive+json",
            passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "no media type", response: answer(nil),
            outcome: "nothing instead of application/captive+json", passing: "verified",
            failing: "noInternet(refused)"),
        Row(
            testDescription: "malformed", response: answer("application/captive+json", "{captive}"),
            outcome: "not a JSON object with the key captive",
            passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "without the key", response: answer("application/captive+json", "{}"),
            outcome: "not a JSON object with the key captive",
            passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "another status", response: answer("application/captive+json", status: 404),
            outcome: "status 404",
            passing: "verified", failing: "noInternet(refused)"),
        Row(
            testDescription: "endless", response: .endlessBody,
            outcome: "text/html instead of application/captive+json", passing: "verified",
            failing: "noInternet(refused)"),
        Row(
            testDescription: "reset", response: .reset, outcome: "connectionLost", passing: "verified",
            failing: "noInternet(refused)"),
    ]

    @Test(.real, arguments: rows) func `the API can add captivity to a verdict, and nothing else`(row: Row) async throws
    {
        let internet = try ScriptedInternet()
        internet.playCaptivePortalAPI(row.response)
        var configuration = internet.patientConfiguration
        configuration.captivePortalAPI = .url(internet.captivePortalAPI)

        let api = try CaptivePortalAPI(internet.captivePortalAPI, configuration: configuration)
        let outcome: String
        do throws(ProbeError) {
            let state = try await api.state()
            outcome = state.userPortal?.absoluteString ?? (state.isCaptive ? "captive" : "free")
        } catch {
            outcome = error.code == .unexpectedAnswer ? error.message : error.code.description
        }
        #expect(outcome == row.outcome)
        #expect(internet.requests.map { $0[field: "Accept"] } == ["application/captive+json"])

        for (behavior, verdict) in [(ScriptedInternet.Behavior.online, row.passing), (.refusing, row.failing)] {
            internet.play(behavior)
            // The routers of the machine that runs the tests are not asked: they say nothing about the API.
            let check = try InternetCheck(configuration, prober: APIFirst()) { _ in .unknown }
            let report = await check.run(on: nil, over: nil, asking: .never)
            #expect(report.verdict.description.replacing(internet.http, with: "HTTP") == verdict, "\(report)")
        }
    }

    @Test(.real) func `the API's answer is in the report`() async throws {
        let internet = try ScriptedInternet()
        internet.playCaptivePortalAPI(
            .captivePortalAPI(captive: false, more: #""seconds-remaining":60,"bytes-remaining":1000"#))
        var configuration = internet.patientConfiguration
        configuration.captivePortalAPI = .url(internet.captivePortalAPI)
        let report = try await InternetCheck(configuration, prober: APIFirst()) { _ in .unknown }.run()
        #expect(report.captivePortalAPI?.state?.remainingTime == .seconds(60))
        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(text.contains(#""secondsRemaining":60"#) && text.contains(#""captive":false"#))
    }

    @Test(.real) func `an API with an untrusted certificate is ignored`() async throws {
        let internet = try ScriptedInternet()
        internet.playCaptivePortalAPI(.captivePortalAPI(captive: true, portal: Self.login))
        let api = try CaptivePortalAPI(internet.captivePortalAPI)
        let error = await #expect(throws: ProbeError.self) { try await api.state() }
        #expect(error?.code == .untrustedCertificate)
    }

    /// Sends the requests of one check to its endpoints when the API has answered: its answer counts only until shortly after theirs.
    private final class APIFirst: Prober {
        private let isAsked: Bool
        private let hasAnswered = Mutex(false)

        init(isAsked: Bool = true) { self.isAsked = isAsked }

        func probe(_ request: ProbeRequest) async -> ProbeResult {
            let isAPI = request.fields.contains { $0.value == "application/captive+json" }
            if isAPI {
                #expect(isAsked)
            } else if isAsked {
                try? await eventually { hasAnswered.withLock(\.self) }
            }
            let result = await InternetCheck.systemProber.probe(request)
            if isAPI { hasAnswered.withLock { $0 = true } }
            return result
        }
    }

    @Test(arguments: ["http://a.test/", "", "urn:ietf:params:capport:unrestricted"])
    func `an API that is not at an https URL is not queried`(url: String) {
        #expect(throws: InvalidConfiguration.self) { try CaptivePortalAPI(url) }
    }

    @Test func `the configuration of an API is validated`() {
        let configuration = InternetCheck.Configuration(bodyLimit: .max)
        let error = #expect(throws: InvalidConfiguration.self) {
            try CaptivePortalAPI("https://portal.test/", configuration: configuration)
        }
        #expect(error?.field == "bodyLimit")
    }

    #if !canImport(Darwin)
    @Test(.real) func `a check queries the API that the network announced`() async throws {
        let internet = try ScriptedInternet(.refusing)
        internet.playCaptivePortalAPI(.captivePortalAPI(captive: true, portal: Self.login))
        var configuration = internet.patientConfiguration
        configuration.captivePortalAPI = .discover
        for (discovery, verdict) in [
            (CaptivePortalDiscovery.api(internet.captivePortalAPI), "captivePortal(\(Self.login))"),
            (.none, "noInternet(refused)"), (.unknown, "noInternet(refused)"),
            (.api("http://a.test/"), "noInternet(refused)"),
        ] {
            let check = try InternetCheck(configuration, prober: SocketHTTPProbe()) { _ in discovery }
            #expect(await check.run().verdict.description == verdict)
        }
    }

    @Test(.real) func `an announcement on another link does not apply to the path`() async throws {
        let internet = try ScriptedInternet()
        internet.playCaptivePortalAPI(.captivePortalAPI(captive: true, portal: Self.login))
        var configuration = internet.patientConfiguration
        configuration.captivePortalAPI = .discover
        let announced = CaptivePortalDiscovery.api(internet.captivePortalAPI)
        func check(asksAPI: Bool) throws -> InternetCheck {
            try InternetCheck(configuration, prober: APIFirst(isAsked: asksAPI)) { link in
                link == nil || link == 3 ? announced : .unknown
            }
        }
        let captive = "captivePortal(\(Self.login))"
        #expect(try await check(asksAPI: true).run().verdict.description == captive)
        var path = SimulatedPath.wired.path
        // The link that carries a tunnel is unknown.
        for (type, index, verdict) in [
            (.wiredEthernet, 2, "verified"), (.wifi, 3, captive), (.other, 9, captive),
        ] as [(InterfaceType, Int, String)] {
            path.interfaces = [.init(name: "link\(index)", index: index, type: type)]
            #expect(try await check(asksAPI: verdict == captive).check(over: path).verdict.description == verdict)
        }
    }
    #endif
}
