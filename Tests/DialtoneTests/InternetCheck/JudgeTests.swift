//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import Testing

@testable import Dialtone

/// The decision table: what each endpoint came to, in the order plain, secure, plain, secure, and the verdict.
struct JudgeTests {
    static let portal = URL(filePath: "/portal")
    static let fallback = URL(filePath: "/fallback")

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let plain: [Judge.Finding]
        let secure: [Judge.Finding]
        var quorum = InternetCheck.Quorum.percent(50)
        var captivePortal = Judge.CaptivePortal.silent
        let verdict: InternetCheck.Verdict

        init(
            _ description: String, plain: [Judge.Finding], secure: [Judge.Finding],
            quorum: InternetCheck.Quorum = .percent(50), captivePortal: Judge.CaptivePortal = .silent,
            _ verdict: InternetCheck.Verdict
        ) {
            testDescription = description
            self.plain = plain
            self.secure = secure
            self.quorum = quorum
            self.captivePortal = captivePortal
            self.verdict = verdict
        }
    }

    static let timedOut = Judge.Finding.failed(ProbeError(.timedOut, during: .headers))
    static let refused = Judge.Finding.failed(ProbeError(.refused, during: .connect))
    static let untrusted = Judge.Finding.failed(ProbeError(.untrustedCertificate, during: .tls))
    static let notFound = Judge.Finding.failed(ProbeError(.hostNotFound, during: .resolve))
    static let hijacked = Judge.Finding.failed(ProbeError(.hijackedName, during: .resolve))
    static let slowNames = Judge.Finding.failed(ProbeError(.timedOut, during: .resolve))

    static let rows: [Row] = [
        Row("everything passes", plain: [.passed, .passed], secure: [.passed, .passed], .verified),
        Row("HTTP passes, HTTPS does not", plain: [.passed, .passed], secure: [timedOut, timedOut], .partial),
        Row("HTTPS is intercepted", plain: [.passed, .passed], secure: [untrusted, untrusted], .partial),
        Row("one operator is blocked", plain: [.passed, refused], secure: [.passed, refused], .verified),
        Row("HTTPS alone reaches the quorum", plain: [refused, refused], secure: [.passed, .passed], .verified),
        Row(
            "one HTTPS of four is no quorum", plain: [refused, refused], secure: [.passed, refused],
            .noInternet(.refused)),
        Row(
            "any portal is a portal", plain: [.passed, .portal(portal)], secure: [.passed, .passed],
            .captivePortal(portal)),
        Row(
            "a vendor's host is let through", plain: [.passed, .portal(portal)], secure: [.passed, timedOut],
            .captivePortal(portal)),
        Row("nothing answers", plain: [timedOut, timedOut], secure: [timedOut, timedOut], .noInternet(.timedOut)),
        Row(
            "names are not found", plain: [notFound, notFound], secure: [notFound, refused],
            .noInternet(.nameResolution)),
        Row(
            "name servers are silent", plain: [slowNames, slowNames], secure: [slowNames, slowNames],
            .noInternet(.nameResolution)),
        Row(
            "names are forged", plain: [hijacked, timedOut], secure: [hijacked, timedOut], .noInternet(.hijackedNames)),
        Row("HTTPS only, intercepted", plain: [], secure: [untrusted], .noInternet(.tls)),
        Row("HTTPS only, fine", plain: [], secure: [.passed], .verified),
        Row("HTTP only, fine", plain: [.passed], secure: [], .verified),
        Row("HTTPS cannot be asked", plain: [.passed, .passed], secure: [.unable, .unable], .verified),
        Row("nothing can be asked", plain: [.unable], secure: [.unable], .inconclusive),
        Row("nothing is to be asked", plain: [], secure: [], .inconclusive),
        Row(
            "HTTP passes in one place of two, HTTPS nowhere", plain: [.passed, timedOut], secure: [timedOut, timedOut],
            .noInternet(.timedOut)),
        Row(
            "the same, when one is enough", plain: [.passed, timedOut], secure: [timedOut, timedOut], quorum: .count(1),
            .partial),
        Row(
            "all are asked for and one fails", plain: [.passed, .passed], secure: [.passed, refused],
            quorum: .percent(100), .noInternet(.refused)),
        Row(
            "one HTTPS is enough by count", plain: [refused, refused], secure: [.passed, refused], quorum: .count(1),
            .verified),
        Row(
            "a plain quorum still needs HTTPS once", plain: [.passed, .passed], secure: [refused, refused],
            quorum: .count(2), .partial),
        Row(
            "the API adds captivity", plain: [.passed], secure: [.passed], captivePortal: .captive(portal),
            .captivePortal(portal)),
        Row(
            "the API without a login page does not outweigh proof", plain: [.passed], secure: [.passed],
            captivePortal: .captive(nil), .verified),
        Row(
            "the API without a login page explains failure", plain: [timedOut], secure: [timedOut],
            captivePortal: .captive(nil), .captivePortal(fallback)),
        Row(
            "the API's silence vetoes nothing", plain: [.portal(portal)], secure: [timedOut], captivePortal: .silent,
            .captivePortal(portal)),
    ]

    private func judge(_ row: Row) -> (judge: Judge, findings: [Judge.Finding]) {
        let isSecure = row.plain.map { _ in false } + row.secure.map { _ in true }
        let judge = Judge(
            isSecure: isSecure, quorum: row.quorum, decisionWindow: .seconds(3), fallback: Self.fallback,
            captivePortal: row.captivePortal)
        return (judge, row.plain + row.secure)
    }

    @Test(arguments: rows) func `the verdict is that of the table`(row: Row) {
        var (judge, findings) = judge(row)
        for (index, finding) in findings.enumerated() { judge.record(finding, of: index, at: .zero) }
        #expect(judge.decision(at: .zero) == .verdict(row.verdict))
        #expect(judge.finalVerdict == row.verdict)
    }

    @Test(arguments: rows) func `the order of the evidence does not matter in the end`(row: Row) {
        var (judge, findings) = judge(row)
        for (index, finding) in findings.enumerated().reversed() { judge.record(finding, of: index, at: .zero) }
        #expect(judge.finalVerdict == row.verdict)
    }

    private static func judge(
        _ isSecure: [Bool], quorum: InternetCheck.Quorum = .percent(50), captivePortal: Judge.CaptivePortal = .silent
    ) -> Judge {
        Judge(
            isSecure: isSecure, quorum: quorum, decisionWindow: .seconds(3), fallback: fallback,
            captivePortal: captivePortal)
    }

    @Test func `a portal decides at once`() {
        var judge = Self.judge([false, true, false, true])
        judge.record(.portal(Self.portal), of: 2, at: .milliseconds(10))
        #expect(judge.decision(at: .milliseconds(10)) == .verdict(.captivePortal(Self.portal)))
    }

    @Test func `a quorum waits for plain endpoints as long again, and no longer`() {
        var judge = Self.judge([false, true, false, true])
        judge.record(.passed, of: 1, at: .milliseconds(400))
        #expect(judge.decision(at: .milliseconds(400)) == .pending)
        judge.record(.passed, of: 3, at: .milliseconds(500))
        #expect(judge.decision(at: .milliseconds(500)) == .wait(until: .seconds(1)))
        #expect(judge.decision(at: .seconds(1)) == .verdict(.verified))
        judge.record(.passed, of: 0, at: .milliseconds(600))
        judge.record(.passed, of: 2, at: .milliseconds(600))
        #expect(judge.decision(at: .milliseconds(600)) == .verdict(.verified))
    }

    @Test func `the patience is a quarter of a second at least and ends with the window`() {
        var quick = Self.judge([false, true], quorum: .count(1))
        quick.record(.passed, of: 1, at: .milliseconds(5))
        #expect(quick.decision(at: .milliseconds(5)) == .wait(until: .milliseconds(255)))
        var slow = Self.judge([false, true], quorum: .count(1))
        slow.record(.passed, of: 1, at: .seconds(2))
        #expect(slow.decision(at: .seconds(2)) == .wait(until: .seconds(3)))
        var late = Self.judge([false, true], quorum: .count(1))
        late.record(.passed, of: 1, at: .seconds(5))
        #expect(late.decision(at: .seconds(5)) == .verdict(.verified))
    }

    @Test func `HTTP alone is no quorum while HTTPS may still pass`() {
        var judge = Self.judge([false, true, false, true])
        judge.record(.passed, of: 0, at: .milliseconds(10))
        judge.record(.passed, of: 2, at: .milliseconds(10))
        #expect(judge.decision(at: .seconds(4)) == .pending)
        judge.record(.passed, of: 3, at: .seconds(4))
        #expect(judge.decision(at: .seconds(4)) == .verdict(.verified))
    }

    @Test func `a quorum waits for the captive portal API, too`() {
        var judge = Self.judge([true], captivePortal: .pending)
        judge.record(.passed, of: 0, at: .milliseconds(100))
        #expect(judge.decision(at: .milliseconds(100)) == .wait(until: .milliseconds(350)))
        judge.captivePortal = .captive(Self.portal)
        #expect(judge.decision(at: .milliseconds(200)) == .verdict(.captivePortal(Self.portal)))
    }

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
