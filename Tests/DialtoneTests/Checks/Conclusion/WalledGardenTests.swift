// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// The walled-garden matrix: what a network does to each operator over HTTP and HTTPS, and the verdict.
///
/// The verdicts are written from the design, not computed by the code under test. Results pass the classifier and the reducer.
struct WalledGardenTests {
    /// One operator each, HTTP and HTTPS: Google, Apple, Cloudflare, GrapheneOS, Fedora, Ubuntu.
    ///
    /// | Word | HTTP | HTTPS |
    /// | --- | --- | --- |
    /// | `ok` | expected answer | expected answer, valid certificate |
    /// | `302` `page` `511` | a portal's answer | the same from the real host: only unexpected |
    /// | `404` | an error | an error, valid certificate |
    /// | `drop` `rst` `nx` | silence, reset, NXDOMAIN | the same |
    /// | `lie` | expected answer from a private address | untrusted certificate at a private address |
    /// | `liepage` | a page from a private address | |
    /// | `here` | a page from a loopback address | refused at a loopback address |
    /// | `cert` `name` | | untrusted certificate, wrong name |
    /// | `sink` `old` | | untrusted or expired certificate at an address that all operators share |
    /// | `block` | a page from that address | |
    /// | `shut` | | refused at that address |
    /// | `script` | a script in place of an empty body | |
    /// | `off` | binding not permitted | no TLS library |
    /// | `-` | no such endpoint | no such endpoint |
    struct Cell: Sendable, CustomTestStringConvertible {
        let network: String
        var api = VerdictReducer.PortalAPIAnswer.silent
        var requiresTLS = false
        /// `verified`, `portal`, `partial`, `inconclusive` or a reason for no Internet.
        let verdict: String
        /// The operators named in remarks; `api` for the captive portal API, `scripts` for those in pages.
        let remarks: [String]

        init(
            _ network: String, _ verdict: String, remarks: [String] = [],
            api: VerdictReducer.PortalAPIAnswer = .silent, requiresTLS: Bool = false
        ) {
            (self.network, self.verdict, self.remarks) = (network, verdict, remarks)
            (self.api, self.requiresTLS) = (api, requiresTLS)
        }

        var testDescription: String {
            network + (api == .silent ? "" : ", API \(api)") + (requiresTLS ? ", TLS required" : "")
        }
    }

    static let login = URL(string: "http://login.portal.test/") ?? URL(filePath: "/")
    static let names = ["Google", "Apple", "Cloudflare", "GrapheneOS", "Fedora", "Ubuntu"]

    static let withoutDissent: [Cell] = [
        Cell("ok/ok ok/ok ok/ok ok/ok", "verified"),
        Cell("ok/ok ok/ok ok/ok rst/rst", "verified"),
        Cell("ok/ok ok/ok ok/ok drop/drop", "verified"),
        Cell("drop/drop ok/ok ok/ok ok/ok", "verified"),
        Cell("ok/ok ok/ok nx/nx nx/nx", "verified"),
        Cell("ok/ok ok/ok drop/drop drop/drop", "verified"),
        Cell("ok/ok ok/ok ok/ok here/here", "verified"),
        Cell("lie/lie ok/ok ok/ok ok/ok", "verified"),
        Cell("drop/ok drop/ok drop/ok drop/ok", "verified"),
        Cell("404/ok 404/ok 404/ok 404/ok", "verified"),
        Cell("ok/off ok/off ok/off ok/off", "verified"),
        Cell("ok/ok ok/ok ok/off ok/off", "verified"),
        Cell("ok/ok nx/nx nx/nx nx/nx", "hostNotFound"),
        Cell("ok/ok drop/drop drop/drop drop/drop", "timedOut"),
        // Most operators are proven over HTTPS: what happens to port 80 does not matter.
        Cell("rst/ok rst/ok rst/ok rst/rst", "verified"),
        Cell("drop/ok 404/ok lie/ok nx/nx", "verified"),
        Cell("rst/ok rst/ok rst/rst rst/rst", "refused"),
        Cell("ok/drop ok/drop ok/drop ok/drop", "partial"),
        Cell("ok/rst ok/rst ok/rst ok/rst", "partial"),
        Cell("ok/drop ok/drop ok/drop drop/drop", "partial"),
        Cell("ok/drop ok/drop drop/drop drop/drop", "timedOut"),
        Cell("ok/cert ok/cert ok/cert ok/cert", "partial"),
        Cell("ok/name ok/name ok/name ok/name", "partial"),
        Cell("ok/404 ok/404 ok/404 ok/404", "partial"),
        Cell("drop/drop drop/drop drop/drop drop/drop", "timedOut"),
        Cell("rst/rst rst/rst rst/rst rst/rst", "refused"),
        Cell("nx/nx nx/nx nx/nx nx/nx", "hostNotFound"),
        Cell("404/302 404/302 404/302 404/302", "unexpectedAnswers"),
        Cell("drop/cert drop/cert drop/cert drop/cert", "tls"),
        Cell("drop/off drop/off drop/off drop/off", "timedOut"),
        Cell("off/off off/off off/off off/off", "inconclusive"),
    ]

    static let sinkholes: [Cell] = [
        Cell("lie/lie lie/lie lie/lie lie/lie", "hijackedNames"),
        Cell("here/here here/here here/here here/here", "hijackedNames"),
        Cell("rst/sink rst/sink rst/sink rst/sink", "hijackedNames"),
        Cell("404/sink 404/sink 404/sink 404/sink", "hijackedNames"),
        Cell("ok/sink ok/sink ok/sink ok/sink", "hijackedNames"),
        Cell("drop/sink drop/sink drop/drop drop/drop", "hijackedNames"),
        Cell("ok/ok ok/ok 404/sink 404/sink", "verified"),
        Cell("ok/old ok/old ok/old ok/old", "partial"),
        Cell("drop/old drop/old drop/old drop/old", "tls"),
    ]

    static let loneDissents: [Cell] = [
        // A filter changes plain HTTP of one operator only.
        Cell("302/ok ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("page/ok ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        // A filter blocks one operator over both schemes.
        Cell("page/cert ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("page/rst ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("302/302 ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("liepage/lie ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("ok/ok 302/rst ok/ok ok/ok", "verified", remarks: ["Apple"]),
        Cell("ok/ok ok/ok page/cert ok/ok", "verified", remarks: ["Cloudflare"]),
        // A portal that lets all but one operator pass cannot be distinguished from a filter, unless it says so.
        Cell("ok/ok ok/ok ok/ok 302/drop", "verified", remarks: ["GrapheneOS"]),
        Cell("511/drop ok/ok ok/ok ok/ok", "portal"),
        Cell("511/ok ok/ok ok/ok ok/ok", "portal"),
        Cell("ok/ok ok/ok ok/ok 511/cert", "portal"),
        // Over HTTPS the operator itself answered 511.
        Cell("ok/511 ok/ok ok/ok ok/ok", "verified"),
        Cell("302/511 ok/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        // Plain HTTP of the others does not matter, as long as there is a quorum.
        Cell("302/drop ok/ok ok/ok drop/ok", "verified", remarks: ["Google"]),
        Cell("302/drop 404/ok ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("302/ok rst/ok rst/ok rst/ok", "verified", remarks: ["Google"]),
        Cell("302/drop drop/ok drop/ok drop/ok", "verified", remarks: ["Google"]),
        // A further operator failed over HTTPS.
        Cell("302/drop ok/ok ok/ok nx/nx", "portal"),
        Cell("302/drop ok/ok ok/ok ok/drop", "portal"),
        Cell("302/drop ok/ok ok/ok drop/drop", "portal"),
        Cell("302/ok ok/ok ok/ok ok/404", "portal"),
        Cell("ok/ok ok/ok 302/drop drop/drop", "portal"),
        Cell("ok/ok ok/ok 511/drop nx/nx", "portal"),
        Cell("ok/ok ok/drop ok/drop 302/drop", "portal"),
        // An operator that could not be queried over HTTPS neither proves nor fails.
        Cell("302/drop ok/ok ok/ok ok/off", "verified", remarks: ["Google"]),
        Cell("302/drop ok/ok ok/off ok/off", "portal"),
        Cell("302/off ok/off ok/off ok/off", "portal"),
        // Nothing is proven over HTTPS.
        Cell("ok/drop ok/drop ok/drop 302/drop", "portal"),
        Cell("ok/cert ok/cert ok/cert 302/cert", "portal"),
        Cell("302/drop drop/drop drop/drop drop/drop", "portal"),
        Cell("511/drop drop/drop drop/drop drop/drop", "portal"),
        Cell("302/nx nx/nx nx/nx nx/nx", "portal"),
    ]

    /// Several operators dissent, and there is no login.
    static let filters: [Cell] = [
        // A filter of names leads two or three operators to its own page.
        Cell("block/sink block/sink ok/ok ok/ok", "verified", remarks: ["Google", "Apple"]),
        Cell("block/sink block/shut ok/ok ok/ok ok/ok ok/ok", "verified", remarks: ["Google", "Apple"]),
        Cell(
            "block/sink ok/ok block/sink ok/ok block/sink ok/ok", "verified",
            remarks: ["Google", "Cloudflare", "Fedora"]),
        Cell("block/sink block/sink rst/ok ok/ok ok/ok ok/ok", "verified", remarks: ["Google", "Apple"]),
        Cell("block/- block/sink ok/ok ok/ok", "verified", remarks: ["Google", "Apple"]),
        // No certificate shows that the address is not theirs.
        Cell("block/shut block/shut ok/ok ok/ok", "portal"),
        Cell("block/- block/- ok/ok ok/ok ok/ok ok/ok", "portal"),
        Cell("block/ok block/sink ok/ok ok/ok", "portal"),
        // The pages, or the certificates, come from several addresses.
        Cell("page/sink page/sink ok/ok ok/ok", "portal"),
        Cell("block/cert block/cert ok/ok ok/ok", "portal"),
        Cell("block/sink 302/sink ok/ok ok/ok ok/ok ok/ok", "portal"),
        // Another operator fails, or too few are left.
        Cell("block/sink block/sink ok/ok ok/drop ok/ok ok/ok", "portal"),
        Cell("block/sink block/sink ok/ok", "portal"),
        Cell("block/sink block/sink block/sink block/sink ok/ok ok/ok", "portal"),
        Cell("block/sink block/sink block/sink block/sink", "portal"),
        Cell("block/sink block/sink ok/ok ok/ok", "portal", api: .captive(nil)),
        Cell("block/sink block/sink ok/ok ok/ok", "portal", api: .captive(login)),
        // Something adds scripts to pages.
        Cell("script/ok script/ok script/ok script/ok", "verified", remarks: ["scripts"]),
        Cell("script/ok ok/ok ok/ok ok/ok", "verified", remarks: ["scripts"]),
        Cell("script/ok script/ok ok/ok drop/ok ok/ok ok/ok", "verified", remarks: ["scripts"]),
        // A script may lead to a login.
        Cell("script/ok script/ok script/ok script/drop", "portal"),
        Cell("script/rst script/rst script/rst script/rst", "portal"),
        Cell("script/ok script/ok 302/ok script/ok", "portal"),
        Cell("script/ok script/ok script/ok script/ok", "portal", api: .captive(login)),
        Cell("script/- script/- script/- script/-", "portal"),
    ]

    static let portals: [Cell] = [
        Cell("302/drop 302/drop 302/drop 302/drop", "portal"),
        Cell("302/rst 302/rst 302/rst 302/rst", "portal"),
        Cell("302/cert 302/cert 302/cert 302/cert", "portal"),
        Cell("302/sink 302/sink 302/sink 302/sink", "portal"),
        Cell("page/drop page/drop page/drop page/drop", "portal"),
        Cell("page/cert page/cert page/cert page/cert", "portal"),
        Cell("511/drop 511/drop 511/drop 511/drop", "portal"),
        Cell("511/rst 511/rst 511/rst 511/rst", "portal"),
        Cell("liepage/lie liepage/lie liepage/lie liepage/lie", "portal"),
        // HTTPS passes, plain HTTP is redirected: a notice page.
        Cell("302/ok 302/ok 302/ok 302/ok", "portal"),
        Cell("page/ok page/ok page/ok page/ok", "portal"),
        Cell("302/ok 302/ok ok/ok ok/ok", "portal"),
        // Google's and Apple's hosts pass before the login.
        Cell("ok/ok ok/ok 302/drop 302/drop", "portal"),
        Cell("ok/ok ok/ok 302/cert 302/cert", "portal"),
        Cell("ok/ok ok/ok 302/rst page/rst", "portal"),
        Cell("ok/ok ok/ok page/drop page/drop", "portal"),
        Cell("ok/ok ok/ok 511/cert 511/cert", "portal"),
        Cell("ok/ok ok/drop 302/drop 302/drop", "portal"),
        Cell("ok/drop ok/drop 302/drop 302/drop", "portal"),
        Cell("ok/ok 302/drop 302/drop 302/drop", "portal"),
        Cell("302/drop 302/drop ok/ok ok/ok", "portal"),
    ]

    static let portalAPI: [Cell] = [
        Cell("ok/ok ok/ok ok/ok ok/ok", "verified", remarks: ["api"], api: .captive(login)),
        Cell("ok/ok ok/ok ok/ok ok/ok", "verified", remarks: ["api"], api: .captive(nil)),
        Cell("drop/ok drop/ok drop/ok drop/ok", "verified", remarks: ["api"], api: .captive(login)),
        Cell("ok/ok ok/ok ok/off ok/off", "verified", remarks: ["api"], api: .captive(login)),
        Cell("ok/ok ok/ok ok/drop ok/ok", "portal", api: .captive(login)),
        Cell("ok/ok ok/ok rst/rst rst/rst", "portal", api: .captive(login)),
        Cell("ok/ok ok/ok drop/drop drop/drop", "portal", api: .captive(nil)),
        Cell("ok/ok ok/off ok/off ok/off", "portal", api: .captive(login)),
        Cell("ok/off ok/off ok/off ok/off", "portal", api: .captive(login)),
        Cell("ok/drop ok/drop ok/drop ok/drop", "portal", api: .captive(login)),
        Cell("drop/drop drop/drop drop/drop drop/drop", "portal", api: .captive(login)),
        Cell("drop/drop drop/drop drop/drop drop/drop", "portal", api: .captive(nil)),
        Cell("ok/ok ok/ok ok/ok 302/drop", "portal", api: .captive(login)),
        Cell("ok/ok ok/ok ok/ok 302/drop", "portal", api: .captive(nil)),
        Cell("302/drop 302/drop 302/drop 302/drop", "portal", api: .captive(login)),
    ]

    static let ownConfigurations: [Cell] = [
        Cell("ok/ok", "verified"), Cell("302/ok", "portal"), Cell("302/drop", "portal"), Cell("ok/drop", "partial"),
        Cell("ok/-", "verified"), Cell("302/-", "portal"), Cell("-/ok", "verified"), Cell("-/cert", "tls"),
        Cell("302/drop ok/ok", "portal"),
        Cell("302/drop ok/ok ok/ok", "verified", remarks: ["Google"]),
        Cell("302/drop ok/ok ok/rst", "portal"),
        Cell("302/- ok/- ok/- ok/-", "portal"),
        Cell("511/- ok/ok ok/ok", "portal"),
        // An operator without HTTPS neither proves nor fails, but it can dissent.
        Cell("302/- ok/ok ok/ok ok/-", "verified", remarks: ["Google"]),
        Cell("302/drop ok/ok ok/ok ok/- ok/- ok/-", "verified", remarks: ["Google"]),
        Cell("302/drop ok/ok ok/ok drop/- drop/- rst/-", "verified", remarks: ["Google"]),
        Cell("302/- ok/ok ok/- ok/- ok/- ok/-", "portal"),
        Cell("302/drop ok/ok ok/ok 302/- ok/- ok/-", "portal"),
        Cell("ok/ok ok/ok ok/ok ok/ok 302/- 302/-", "portal"),
        Cell("rst/ok rst/ok rst/- rst/- rst/- rst/-", "verified"),
        Cell("rst/ok rst/rst rst/- rst/- rst/- rst/-", "refused"),
        Cell("ok/- ok/-", "verified"),
        Cell("ok/-", "partial", requiresTLS: true),
        Cell("ok/ok", "verified", requiresTLS: true),
        Cell("ok/off ok/off ok/off ok/off", "partial", requiresTLS: true),
        Cell("drop/off drop/off drop/off drop/off", "timedOut", requiresTLS: true),
        Cell("302/off 302/off 302/off 302/off", "portal", requiresTLS: true),
        Cell("off/off off/off off/off off/off", "inconclusive", requiresTLS: true),
    ]

    /// Networks that let some of six operators pass, from none to all, and treat the others alike.
    ///
    /// The verdict follows from the number of operators that pass:
    /// - 511 is a portal's own word, from one operator or more;
    /// - two operators that are redirected or get a page are a portal's, whatever passes;
    /// - one alone is a filter's, because all others are proven over HTTPS;
    /// - silence is no dissent: half of the endpoints are enough. With fewer, the check reports what happened to most
    ///   endpoints and, of equally frequent reasons, the most specific.
    static let gardens: [Cell] = {
        var cells = [Cell(network(passing: 6, "302/drop"), "verified")]
        for passing in 0..<6 {
            for secure in ["rst", "drop", "cert"] {
                let reason = ["rst": "refused", "drop": "timedOut", "cert": "tls"][secure] ?? ""
                for plain in ["302", "page"] {
                    let isLone = passing == 5
                    cells.append(
                        Cell(
                            network(passing: passing, "\(plain)/\(secure)"), isLone ? "verified" : "portal",
                            remarks: isLone ? ["Ubuntu"] : []))
                }
                cells.append(Cell(network(passing: passing, "511/\(secure)"), "portal"))
                cells.append(Cell(network(passing: passing, "drop/\(secure)"), passing >= 3 ? "verified" : reason))
                // One operator is redirected, and at least one further operator fails over HTTPS, too.
                if passing < 5 {
                    cells.append(Cell(network(passing: passing, "drop/\(secure)", last: "302/\(secure)"), "portal"))
                }
            }
            // HTTPS passes for all: two notice pages are a portal's, one is a filter's.
            cells.append(
                Cell(
                    network(passing: passing, "302/ok"), passing == 5 ? "verified" : "portal",
                    remarks: passing == 5 ? ["Ubuntu"] : []))
        }
        return cells
    }()

    /// Six operators, of which the first pass and the others are treated alike, the last one perhaps otherwise.
    private static func network(passing: Int, _ treatment: String, last: String? = nil) -> String {
        var words = names.indices.map { $0 < passing ? "ok/ok" : treatment }
        if let last { words[words.count - 1] = last }
        return words.joined(separator: " ")
    }

    static let cells =
        withoutDissent + sinkholes + loneDissents + filters + portals + portalAPI + ownConfigurations + gardens

    /// The endpoints of a cell with their results.
    private static func endpoints(
        _ cell: Cell
    ) throws -> [(subject: VerdictReducer.Subject, evidence: InternetCheck.Evidence)] {
        try cell.network.split(separator: " ").enumerated().flatMap { number, words in
            try zip(["http", "https"], words.split(separator: "/")).compactMap { scheme, word in
                guard word != "-" else { return nil }
                let url = "\(scheme)://probe.\(names[number].lowercased()).example/204"
                let target = try ProbeTarget(url)
                let classifier = ResponseClassifier(
                    target: target, operatorName: names[number], expectation: .noContent, isPublic: true, nonce: "")
                let result = try result(of: String(word), isSecure: target.isSecure, "192.0.2.\(number + 1)")
                return (
                    .init(isSecure: target.isSecure, operatorName: names[number]),
                    classifier.evidence(url: url, result)
                )
            }
        }
    }

    /// The result of a probe under the treatment that a word represents.
    private static func result(of word: String, isSecure: Bool, _ address: String) throws -> ProbeResult {
        func answer(_ status: Int, _ body: String = "", _ address: String = address) -> ProbeResult {
            let fields = status == 302 ? [HTTPResponse.Field(name: "Location", value: login.absoluteString)] : []
            return ProbeResult(
                response: HTTPResponse(status: status, fields: fields, body: Array(body.utf8), isComplete: true),
                address: NetworkAddress(address))
        }
        func failure(_ code: ProbeError.Code, _ step: ProbeError.Step, _ address: String? = address) -> ProbeResult {
            ProbeResult(error: ProbeError(code, during: step), address: address.flatMap { NetworkAddress($0) })
        }
        let page = "<html>Welcome. Please log in.</html>"
        switch (word, isSecure) {
        case ("ok", _): return answer(204)
        case ("302", _): return answer(302)
        case ("511", _): return answer(511, page)
        case ("page", _): return answer(200, page)
        case ("block", false): return answer(200, page, "198.51.100.1")
        case ("script", false): return answer(200, "<script>top.location='http://login.portal.test/'</script>")
        case ("404", _): return answer(404, page)
        case ("drop", _): return failure(.timedOut, .connect)
        case ("rst", _): return failure(.connectionLost, .headers)
        case ("nx", _): return failure(.hostNotFound, .resolve, nil)
        case ("lie", false): return answer(204, "", "10.0.0.1")
        case ("lie", true): return failure(.untrustedCertificate, .tls, "10.0.0.1")
        case ("liepage", false): return answer(200, page, "10.0.0.1")
        case ("here", false): return answer(200, page, "127.0.0.1")
        case ("here", true): return failure(.refused, .connect, "127.0.0.1")
        case ("cert", true): return failure(.untrustedCertificate, .tls)
        case ("name", true): return failure(.wrongCertificateName, .tls)
        case ("sink", true): return failure(.untrustedCertificate, .tls, "198.51.100.1")
        case ("shut", true): return failure(.refused, .connect, "198.51.100.1")
        case ("old", true): return failure(.invalidCertificate, .tls, "198.51.100.1")
        case ("off", false): return failure(.notPermitted, .connect, nil)
        case ("off", true): return failure(.tlsUnavailable, .tls)
        default: throw Unknown(word: word)
        }
    }

    private struct Unknown: Error { let word: String }

    private static func reducer(_ cell: Cell, _ subjects: [VerdictReducer.Subject]) -> VerdictReducer {
        VerdictReducer(
            subjects, quorum: .percent(50), decisionWindow: .seconds(3), requiresTLS: cell.requiresTLS,
            fallback: login, captivePortalAPI: cell.api == .silent ? .silent : .pending)
    }

    private static func word(_ verdict: InternetCheck.Verdict) -> String {
        switch verdict {
        case .verified: "verified"
        case .partial: "partial"
        case .captivePortal: "portal"
        case .noInternet(let reason): reason.rawValue
        case .inconclusive: "inconclusive"
        }
    }

    @Test func `the matrix has at least 200 cells, and no cell twice`() {
        #expect(Self.cells.count >= 200)
        #expect(Set(Self.cells.map(\.testDescription)).count == Self.cells.count)
    }

    @Test(arguments: cells) func `the verdict and the remarks match the matrix`(cell: Cell) throws {
        let endpoints = try Self.endpoints(cell)
        var reducer = Self.reducer(cell, endpoints.map(\.subject))
        for (index, endpoint) in endpoints.enumerated() { reducer.record(endpoint.evidence, of: index, at: .zero) }
        if cell.api != .silent { reducer.record(cell.api, at: .zero) }
        guard case .verdict(let verdict) = reducer.decision(at: .zero) else {
            Issue.record("undecided")
            return
        }
        #expect(Self.word(verdict) == cell.verdict)
        #expect(reducer.finalVerdict == verdict)
        var report = InternetCheck.Report(
            verdict: verdict, checkedAt: .distantPast, endpoints: endpoints.map(\.evidence))
        if case .captive(let page) = cell.api {
            report.captivePortalAPI = .init(
                url: "https://api.portal.test/", state: .init(isCaptive: true, userPortal: page))
        }
        #expect(report.remarks.map { $0.operatorName ?? ($0.url == nil ? "scripts" : "api") } == cell.remarks)
    }

    @Test(arguments: cells) func `the order of arrival does not change the verdict, however early it is reached`(
        cell: Cell
    ) throws {
        let endpoints = try Self.endpoints(cell)
        var generator = SeededGenerator(seed: 8908)
        for _ in 0..<20 {
            var reducer = Self.reducer(cell, endpoints.map(\.subject))
            var verdict: InternetCheck.Verdict?
            // -1 is the captive portal API.
            let order = (Array(endpoints.indices) + (cell.api == .silent ? [] : [-1])).shuffled(using: &generator)
            for index in order where verdict == nil {
                if index < 0 {
                    reducer.record(cell.api, at: .zero)
                } else {
                    reducer.record(endpoints[index].evidence, of: index, at: .zero)
                }
                if case .verdict(let early) = reducer.decision(at: .zero) { verdict = early }
            }
            #expect(verdict.map(Self.word) == cell.verdict, "\(order)")
        }
    }
}
