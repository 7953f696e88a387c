// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The decision table: the outcome of each endpoint and the verdict.
///
/// Endpoint N over HTTP and over HTTPS is operator N's.
struct VerdictReducerTests {
    typealias Outcome = InternetCheck.Evidence.Outcome

    static let portal = URL(filePath: "/portal")
    static let fallback = URL(filePath: "/fallback")

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let plain: [Outcome]
        let secure: [Outcome]
        var quorum = InternetCheck.Quorum.percent(50)
        var api = VerdictReducer.PortalAPIAnswer.silent
        let verdict: InternetCheck.Verdict

        init(
            _ description: String, plain: [Outcome], secure: [Outcome],
            quorum: InternetCheck.Quorum = .percent(50), api: VerdictReducer.PortalAPIAnswer = .silent,
            _ verdict: InternetCheck.Verdict
        ) {
            testDescription = description
            self.plain = plain
            self.secure = secure
            self.quorum = quorum
            self.api = api
            self.verdict = verdict
        }
    }

    static let timedOut = Outcome.failed(ProbeError(.timedOut, during: .headers))
    static let refused = Outcome.failed(ProbeError(.refused, during: .connect))
    static let untrusted = Outcome.failed(ProbeError(.untrustedCertificate, during: .tls))
    static let notFound = Outcome.failed(ProbeError(.hostNotFound, during: .resolve))
    static let hijacked = Outcome.failed(ProbeError(.hijackedName, during: .resolve))
    static let slowNames = Outcome.failed(ProbeError(.timedOut, during: .resolve))

    static let unable = Outcome.failed(ProbeError(.tlsUnavailable, during: .tls))

    static let rows: [Row] = [
        Row("everything passes", plain: [.passed, .passed], secure: [.passed, .passed], .verified),
        Row("HTTP passes, HTTPS does not", plain: [.passed, .passed], secure: [timedOut, timedOut], .partial),
        Row("HTTPS is intercepted", plain: [.passed, .passed], secure: [untrusted, untrusted], .partial),
        Row(
            "HTTPS fails at two operators of three", plain: [.passed, .passed, .passed],
            secure: [.passed, timedOut, timedOut], .partial),
        Row("one operator is blocked", plain: [.passed, refused], secure: [.passed, refused], .verified),
        Row("HTTPS alone reaches the quorum", plain: [refused, refused], secure: [.passed, .passed], .verified),
        Row(
            "one HTTPS of four is not a quorum", plain: [refused, refused], secure: [.passed, refused],
            .noInternet(.refused)),
        Row(
            "a portal with one other operator proven", plain: [.passed, .portal(portal)], secure: [.passed, .passed],
            .captivePortal(portal)),
        Row(
            "a portal lets a vendor's host pass", plain: [.passed, .portal(portal)], secure: [.passed, timedOut],
            .captivePortal(portal)),
        Row("nothing answers", plain: [timedOut, timedOut], secure: [timedOut, timedOut], .noInternet(.timedOut)),
        Row(
            "names are not found", plain: [notFound, notFound], secure: [notFound, refused],
            .noInternet(.hostNotFound)),
        Row(
            "name servers are silent", plain: [slowNames, slowNames], secure: [slowNames, slowNames],
            .noInternet(.dnsSilent)),
        Row(
            "names are forged", plain: [hijacked, timedOut], secure: [hijacked, timedOut], .noInternet(.hijackedNames)),
        Row("HTTPS only, intercepted", plain: [], secure: [untrusted], .noInternet(.tls)),
        Row("HTTPS only, fine", plain: [], secure: [.passed], .verified),
        Row("HTTP only, fine", plain: [.passed], secure: [], .verified),
        Row("HTTPS cannot be queried", plain: [.passed, .passed], secure: [unable, unable], .verified),
        Row("no endpoint can be queried", plain: [unable], secure: [unable], .inconclusive),
        Row("no endpoints", plain: [], secure: [], .inconclusive),
        Row(
            "HTTP passes in one place of two, HTTPS nowhere", plain: [.passed, timedOut], secure: [timedOut, timedOut],
            .noInternet(.timedOut)),
        Row(
            "the same with a quorum of one", plain: [.passed, timedOut], secure: [timedOut, timedOut],
            quorum: .count(1),
            .partial),
        Row(
            "all must pass and one fails", plain: [.passed, .passed], secure: [.passed, refused],
            quorum: .percent(100), .noInternet(.refused)),
        Row(
            "one HTTPS is enough by count", plain: [refused, refused], secure: [.passed, refused], quorum: .count(1),
            .verified),
        Row(
            "a plain quorum still needs HTTPS once", plain: [.passed, .passed], secure: [refused, refused],
            quorum: .count(2), .partial),
        Row(
            "the API adds captivity", plain: [.passed], secure: [.passed], api: .captive(portal),
            .captivePortal(portal)),
        Row(
            "the API without a login page does not outweigh proof", plain: [.passed], secure: [.passed],
            api: .captive(nil), .verified),
        Row(
            "the API without a login page explains failure", plain: [timedOut], secure: [timedOut],
            api: .captive(nil), .captivePortal(fallback)),
        Row(
            "an API without an answer vetoes nothing", plain: [.portal(portal)], secure: [timedOut], api: .silent,
            .captivePortal(portal)),
    ]

    private func reducer(_ row: Row) -> (reducer: VerdictReducer, outcomes: [Outcome]) {
        let subjects = [(false, row.plain), (true, row.secure)].flatMap { isSecure, outcomes in
            outcomes.indices.map { VerdictReducer.Subject(isSecure: isSecure, operatorName: "\($0)") }
        }
        let reducer = VerdictReducer(
            subjects, quorum: row.quorum, decisionWindow: .seconds(3), fallback: Self.fallback,
            captivePortalAPI: row.api)
        return (reducer, row.plain + row.secure)
    }

    @Test(arguments: rows) func `the verdict matches the table`(row: Row) {
        var (reducer, outcomes) = reducer(row)
        for (index, outcome) in outcomes.enumerated() { reducer.record(outcome, of: index, at: .zero) }
        #expect(reducer.decision(at: .zero) == .verdict(row.verdict))
        #expect(reducer.finalVerdict == row.verdict)
    }

    @Test(arguments: rows) func `the order of the evidence does not change the final verdict`(row: Row) {
        var (reducer, outcomes) = reducer(row)
        for (index, outcome) in outcomes.enumerated().reversed() { reducer.record(outcome, of: index, at: .zero) }
        #expect(reducer.finalVerdict == row.verdict)
    }

    /// Endpoints in pairs: 0 and 1 are the first operator's, 2 and 3 the second's, and so on.
    private static func reducer(
        _ isSecure: [Bool], quorum: InternetCheck.Quorum = .percent(50),
        api: VerdictReducer.PortalAPIAnswer = .silent
    ) -> VerdictReducer {
        VerdictReducer(
            isSecure.enumerated().map { .init(isSecure: $1, operatorName: "\($0 / 2)") }, quorum: quorum,
            decisionWindow: .seconds(3), fallback: fallback, captivePortalAPI: api)
    }

    @Test func `with two operators a portal decides at once`() {
        var reducer = Self.reducer([false, true, false, true])
        reducer.record(.portal(Self.portal), of: 2, at: .milliseconds(10))
        #expect(reducer.decision(at: .milliseconds(10)) == .verdict(.captivePortal(Self.portal)))
    }

    @Test func `a quorum waits for plain endpoints for as long as it took itself`() {
        var reducer = Self.reducer([false, true, false, true])
        reducer.record(.passed, of: 1, at: .milliseconds(400))
        #expect(reducer.decision(at: .milliseconds(400)) == .pending)
        reducer.record(.passed, of: 3, at: .milliseconds(500))
        #expect(reducer.decision(at: .milliseconds(500)) == .wait(until: .seconds(1)))
        #expect(reducer.decision(at: .seconds(1)) == .verdict(.verified))
        reducer.record(.passed, of: 0, at: .milliseconds(600))
        reducer.record(.passed, of: 2, at: .milliseconds(600))
        #expect(reducer.decision(at: .milliseconds(600)) == .verdict(.verified))
    }

    @Test func `the wait of a quorum is at least a quarter of a second and ends with the decision window`() {
        var quick = Self.reducer([false, true], quorum: .count(1))
        quick.record(.passed, of: 1, at: .milliseconds(5))
        #expect(quick.decision(at: .milliseconds(5)) == .wait(until: .milliseconds(255)))
        var slow = Self.reducer([false, true], quorum: .count(1))
        slow.record(.passed, of: 1, at: .seconds(2))
        #expect(slow.decision(at: .seconds(2)) == .wait(until: .seconds(3)))
        var late = Self.reducer([false, true], quorum: .count(1))
        late.record(.passed, of: 1, at: .seconds(5))
        #expect(late.decision(at: .seconds(5)) == .verdict(.verified))
    }

    @Test func `HTTP alone is not a quorum while HTTPS may still pass`() {
        var reducer = Self.reducer([false, true, false, true])
        reducer.record(.passed, of: 0, at: .milliseconds(10))
        reducer.record(.passed, of: 2, at: .milliseconds(10))
        #expect(reducer.decision(at: .seconds(4)) == .pending)
        reducer.record(.passed, of: 3, at: .seconds(4))
        #expect(reducer.decision(at: .seconds(4)) == .wait(until: .seconds(5)))
        #expect(reducer.decision(at: .seconds(5)) == .verdict(.verified))
    }

    @Test func `a quorum also waits for the captive portal API`() {
        var reducer = Self.reducer([true], api: .pending)
        reducer.record(.passed, of: 0, at: .milliseconds(100))
        #expect(reducer.decision(at: .milliseconds(100)) == .wait(until: .milliseconds(350)))
        reducer.record(.captive(Self.portal), at: .milliseconds(200))
        #expect(reducer.decision(at: .milliseconds(200)) == .verdict(.captivePortal(Self.portal)))
    }

    // MARK: - The time of a lone dissent

    /// Four operators, each over HTTP (even) and HTTPS (odd).
    private static var four: VerdictReducer { reducer((0..<8).map { $0 % 2 == 1 }) }

    @Test func `a second dissenting operator makes a portal at once`() {
        var reducer = Self.four
        for index in [2, 3, 4, 5] { reducer.record(.passed, of: index, at: .milliseconds(10)) }
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        #expect(reducer.decision(at: .milliseconds(20)) == .wait(until: .milliseconds(3020)))
        reducer.record(.portal(Self.portal), of: 6, at: .milliseconds(30))
        #expect(reducer.decision(at: .milliseconds(30)) == .verdict(.captivePortal(Self.portal)))
    }

    @Test func `operators that have not answered at all may still redirect, and a quorum of the others waits for them`()
    {
        var reducer = Self.four
        for index in 0..<4 { reducer.record(.passed, of: index, at: .milliseconds(80)) }
        #expect(reducer.decision(at: .milliseconds(80)) == .wait(until: .seconds(3)))
        for index in [4, 6] { reducer.record(.portal(Self.portal), of: index, at: .milliseconds(600)) }
        #expect(reducer.decision(at: .milliseconds(600)) == .verdict(.captivePortal(Self.portal)))
        var blocked = Self.four
        for index in 0..<4 { blocked.record(.passed, of: index, at: .milliseconds(80)) }
        #expect(blocked.decision(at: .seconds(3)) == .verdict(.verified))
        // A single operator may simply be down.
        blocked.record(.passed, of: 5, at: .milliseconds(90))
        #expect(blocked.decision(at: .milliseconds(90)) == .wait(until: .milliseconds(1080)))
        blocked.record(Self.refused, of: 7, at: .milliseconds(90))
        #expect(blocked.decision(at: .milliseconds(90)) == .wait(until: .milliseconds(330)))
    }

    /// Six operators, each with an endpoint over HTTP and, after it, one over HTTPS.
    private static func six(_ quorum: InternetCheck.Quorum = .percent(50)) -> VerdictReducer {
        let subjects = (0..<12).map { VerdictReducer.Subject(isSecure: $0 % 2 == 1, operatorName: "\($0 / 2)") }
        return VerdictReducer(subjects, quorum: quorum, decisionWindow: .seconds(3), fallback: nil)
    }

    @Test(arguments: [(3, InternetCheck.Verdict.verified), (4, .partial), (5, .partial)])
    func `HTTPS that fails for most operators outweighs a quorum`(failed: Int, verdict: InternetCheck.Verdict) {
        func reducer(_ quorum: InternetCheck.Quorum) -> VerdictReducer {
            var reducer = Self.six(quorum)
            for index in 0..<12 where index % 2 == 0 { reducer.record(.passed, of: index, at: .zero) }
            for index in 0..<6 {
                reducer.record(index < failed ? Self.refused : .passed, of: index * 2 + 1, at: .zero)
            }
            return reducer
        }
        #expect(reducer(.percent(50)).decision(at: .zero) == .verdict(verdict))
        #expect(reducer(.count(6)).decision(at: .zero) == .verdict(.verified))
    }

    @Test(arguments: [(2, InternetCheck.Verdict.verified), (3, .partial)])
    func `foreign certificates of most operators that answer outweigh a quorum, although one is silent`(
        foreign: Int, verdict: InternetCheck.Verdict
    ) {
        var reducer = Self.six()
        for index in 0..<12 where index % 2 == 0 { reducer.record(.passed, of: index, at: .zero) }
        for index in 0..<5 {
            let outcome = index < foreign ? Self.untrusted : .passed
            reducer.record(InternetCheck.Evidence(url: "https:", outcome), of: index * 2 + 1, at: .zero)
        }
        #expect(reducer.decision(at: .seconds(5)) == .verdict(verdict))
    }

    @Test func `a quorum waits longer if most operators are silent over HTTPS`() {
        var reducer = Self.six()
        for index in [0, 2, 4, 6, 8, 10, 11] { reducer.record(.passed, of: index, at: .zero) }
        #expect(reducer.decision(at: .zero) == .wait(until: .milliseconds(4250)))
        for index in [1, 3] { reducer.record(.passed, of: index, at: .milliseconds(100)) }
        #expect(reducer.decision(at: .milliseconds(100)) == .wait(until: .seconds(1)))
        #expect(reducer.decision(at: .seconds(1)) == .verdict(.verified))
    }

    @Test func `a quorum above half of the endpoints is not met by operators over HTTPS alone`() {
        for (quorum, verdict) in [
            (InternetCheck.Quorum.percent(50), InternetCheck.Verdict.verified), (.percent(60), .noInternet(.refused)),
            (.count(4), .noInternet(.refused)),
        ] {
            var reducer = Self.reducer((0..<8).map { $0 % 2 == 1 }, quorum: quorum)
            for index in [0, 2, 4, 6, 7] { reducer.record(Self.refused, of: index, at: .zero) }
            for index in [1, 3, 5] { reducer.record(.passed, of: index, at: .zero) }
            #expect(reducer.finalVerdict == verdict)
        }
    }

    @Test func `a lone dissent is a portal as soon as another operator fails over HTTPS`() {
        var reducer = Self.four
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        #expect(reducer.decision(at: .milliseconds(20)) == .wait(until: .milliseconds(3020)))
        // The same operator's HTTPS may fail.
        reducer.record(Self.untrusted, of: 1, at: .milliseconds(25))
        #expect(reducer.decision(at: .milliseconds(25)) == .wait(until: .milliseconds(3020)))
        reducer.record(Self.untrusted, of: 5, at: .milliseconds(30))
        #expect(reducer.decision(at: .milliseconds(30)) == .verdict(.captivePortal(Self.portal)))
    }

    @Test func `a lone dissent is verified as soon as every other operator has answered`() {
        var reducer = Self.four
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        for index in [2, 3, 4, 5, 6] { reducer.record(.passed, of: index, at: .milliseconds(40)) }
        #expect(reducer.decision(at: .milliseconds(40)) == .wait(until: .milliseconds(3020)))
        reducer.record(.passed, of: 7, at: .milliseconds(50))
        #expect(reducer.decision(at: .milliseconds(50)) == .verdict(.verified))
    }

    @Test func `an operator that is silent over HTTPS at the end of the decision window counts as failed`() {
        var reducer = Self.four
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        for index in [2, 3, 4, 5, 6] { reducer.record(.passed, of: index, at: .milliseconds(40)) }
        #expect(reducer.decision(at: .milliseconds(3019)) == .wait(until: .milliseconds(3020)))
        #expect(reducer.decision(at: .milliseconds(3020)) == .verdict(.captivePortal(Self.portal)))
    }

    @Test func `a plain endpoint that is silent at the end of the decision window does not dissent`() {
        var reducer = Self.four
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        for index in [2, 3, 4, 5, 7] { reducer.record(.passed, of: index, at: .milliseconds(40)) }
        #expect(reducer.decision(at: .milliseconds(40)) == .wait(until: .milliseconds(3020)))
        #expect(reducer.decision(at: .milliseconds(3020)) == .verdict(.verified))
    }

    @Test func `the status 511 does not wait for anything`() {
        var reducer = Self.four
        for index in [2, 3, 4, 5, 6, 7] { reducer.record(.passed, of: index, at: .milliseconds(10)) }
        reducer.record(
            InternetCheck.Evidence(url: "", .portal(Self.portal), status: 511), of: 0, at: .milliseconds(20))
        #expect(reducer.decision(at: .milliseconds(20)) == .verdict(.captivePortal(Self.portal)))
        #expect(reducer.finalVerdict == .captivePortal(Self.portal))
    }

    /// The time of the verdict where every operator answers after `plain` and `secure` milliseconds, except for the first ones,
    /// with the given times; nil means never.
    private static func timeOfVerdict(
        operators: Int, plain: Int, secure: Int, first: [(plain: Int?, secure: Int?)]
    ) -> Duration? {
        var reducer = reducer((0..<2 * operators).map { $0 % 2 == 1 })
        var events: [(time: Int, index: Int)] = []
        for number in 0..<operators {
            let times = number < first.count ? first[number] : (plain, secure)
            if let time = times.plain { events.append((time, 2 * number)) }
            if let time = times.secure { events.append((time, 2 * number + 1)) }
        }
        var alarm: Duration?
        for event in events.sorted(by: { ($0.time, $0.index) < ($1.time, $1.index) }) {
            let time = Duration.milliseconds(event.time)
            if let alarm, alarm <= time { return alarm }
            reducer.record(.passed, of: event.index, at: time)
            switch reducer.decision(at: time) {
            case .verdict: return time
            case .wait(let end): alarm = end
            case .pending: alarm = nil
            }
        }
        return alarm
    }

    @Test(
        arguments: [
            [], [(600, 900)], [(nil, nil)], [(nil, 900)], [(80, nil)], [(600, 900), (600, 900)],
            [(nil, nil), (nil, nil)],
            [(600, 900), (nil, nil)],
        ] as [[(plain: Int?, secure: Int?)]])
    func `more operators do not make the verdict later`(first: [(plain: Int?, secure: Int?)]) throws {
        let times = [4, 6, 8].map { Self.timeOfVerdict(operators: $0, plain: 80, secure: 120, first: first) }
        let four = try #require(times[0])
        for time in times { #expect(try #require(time) <= four) }
    }

    @Test func `a captive API and one dissenting operator are a portal at once`() {
        var reducer = Self.reducer((0..<8).map { $0 % 2 == 1 }, api: .pending)
        reducer.record(.captive(nil), at: .milliseconds(10))
        #expect(reducer.decision(at: .milliseconds(10)) == .pending)
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        #expect(reducer.decision(at: .milliseconds(20)) == .verdict(.captivePortal(Self.portal)))
    }

    @Test func `a lone captive API waits for the proof of the operators`() {
        var reducer = Self.reducer((0..<8).map { $0 % 2 == 1 }, api: .pending)
        reducer.record(.captive(Self.portal), at: .milliseconds(10))
        #expect(reducer.decision(at: .milliseconds(10)) == .wait(until: .milliseconds(3010)))
        for index in 0..<8 { reducer.record(.passed, of: index, at: .milliseconds(40)) }
        #expect(reducer.decision(at: .milliseconds(40)) == .verdict(.verified))
    }

    @Test func `a lone dissent waits for the API, which might be the second one`() {
        var reducer = Self.reducer((0..<8).map { $0 % 2 == 1 }, api: .pending)
        reducer.record(.portal(Self.portal), of: 0, at: .milliseconds(20))
        for index in 1..<8 { reducer.record(.passed, of: index, at: .milliseconds(40)) }
        #expect(reducer.decision(at: .milliseconds(40)) == .wait(until: .milliseconds(3020)))
        reducer.record(.silent, at: .milliseconds(60))
        #expect(reducer.decision(at: .milliseconds(60)) == .verdict(.verified))
    }

    // MARK: - Quorum

    @Test(arguments: [
        (InternetCheck.Quorum.count(1), 4, 1), (.count(9), 4, 4), (.percent(50), 4, 2), (.percent(50), 5, 3),
        (.percent(1), 4, 1), (.percent(100), 3, 3), (.percent(50), 0, 1),
    ])
    func `a quorum is a number of endpoints`(quorum: InternetCheck.Quorum, total: Int, needed: Int) {
        #expect(quorum.needed(of: total) == needed)
    }

    @Test(arguments: [
        (InternetCheck.Quorum.count(2), "2"), (.percent(50), "50%"), (.percent(12.5), "12.5%"),
        (.percent(.infinity), "inf%"), (.percent(1e300), "1e+300%"),
    ])
    func `any quorum can be described`(quorum: InternetCheck.Quorum, text: String) {
        #expect(quorum.description == text)
    }
}

extension VerdictReducer {
    /// Records an outcome as the evidence of an endpoint whose URL does not matter.
    mutating func record(_ outcome: InternetCheck.Evidence.Outcome, of index: Int, at time: Duration) {
        record(InternetCheck.Evidence(url: "", outcome), of: index, at: time)
    }
}
