// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoredFacts
import Testing

@testable import Dialtone

/// The table of rules, on random facts and as its documentation.
struct ConclusionRuleTests {
    /// Random facts; the same in each run.
    private static let facts: [Facts] = (0..<20_000 as Range<UInt64>).map { seed in
        var random = RandomReport(seed: seed)
        let path = random.path()
        return Facts(path, seed % 20 == 0 ? nil : random.report())
    }

    /// Random facts by the place of the first rule that they meet.
    private static let factsByRule: [Int: [Facts]] = Dictionary(grouping: facts) { facts in
        Rule.table.firstIndex { $0.condition(facts) } ?? -1
    }

    @Test func `every rule is the first match of some facts, and no facts are without one`() {
        let unmet = Rule.table.indices.filter { Self.factsByRule[$0] == nil }
        #expect(unmet.isEmpty, "\(unmet.map { Rule.table[$0].label })")
        #expect(Self.factsByRule[-1] == nil)
    }

    @Test func `without a rule, facts that met it are given another conclusion`() {
        for (place, rule) in Rule.table.enumerated() {
            let isMissed = (Self.factsByRule[place] ?? []).contains { facts in
                guard let next = Rule.table[(place + 1)...].first(where: { $0.condition(facts) }) else { return true }
                return next.label != rule.label || next.sentence(facts) != rule.sentence(facts)
            }
            #expect(isMissed, "\(rule.label)")
        }
    }

    @Test func `a conclusion says the same after its facts were stored`() throws {
        for facts in Self.facts.prefix(2000) {
            let stored = try JSONEncoder().encode(facts)
            let read = try JSONDecoder().decode(Facts.self, from: stored)
            #expect(Conclusion(read) == Conclusion(facts))
        }
    }

    @Test func `stored facts have no password and no query`() throws {
        var evidence = InternetCheck.Evidence(
            url: "https://ann:secret@portal.example/check?token=hidden#part",
            .portal(try #require(URL(string: "http://a:secret@b.example/?id=hidden"))))
        evidence.proxy = "http://proxy.example:3128"
        let report = InternetCheck.Report(
            verdict: .captivePortal(try #require(URL(string: "http://b.example/login?id=hidden"))),
            checkedAt: .distantPast,
            endpoints: [evidence],
            captivePortalAPI: .init(
                url: "https://api.example/?key=hidden",
                state: .init(isCaptive: true, userPortal: URL(string: "https://b.example/?id=hidden"))))
        let link = NetworkPath.Interface(name: "wlan0", index: 3, type: .wifi, networkName: "hidden network")
        let facts = Facts(NetworkPath(status: .satisfied, interfaces: [link]), report)
        let text = String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
        #expect(!text.contains("secret") && !text.contains("hidden") && text.contains("portal.example"))
        #expect(Conclusion(try JSONDecoder().decode(Facts.self, from: Data(text.utf8))).state == .captivePortal)
    }

    @Test func `a sentence ends once, and a cause has one spelling`() {
        for (place, met) in Self.factsByRule {
            let rule = Rule.table[place]
            for facts in met {
                guard let reason = rule.sentence(facts) else {
                    #expect(rule.state == .online && rule.cause == nil)
                    continue
                }
                #expect(rule.cause != nil)
                #expect([".", "?"].contains(reason.last) && !reason.hasSuffix(".."), "\(reason)")
            }
        }
    }

    @Test func `docs/causes.md lists the table`() throws {
        let file = (0..<5).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
            .appending(path: "docs/causes.md")
        let document = try String(contentsOf: file, encoding: .utf8)
        let table = Self.table
        guard let start = document.range(of: "| Cause |"), !document.contains(table) else {
            return #expect(document.contains(table))
        }
        if ProcessInfo.processInfo.environment["DIALTONE_WRITE_CAUSES"] != nil {
            try (document[..<start.lowerBound] + table).write(to: file, atomically: true, encoding: .utf8)
        }
        Issue.record("docs/causes.md is not what the rules say: run this test with DIALTONE_WRITE_CAUSES=1")
    }

    /// The rows of the documentation: one for each cause, state and fault, with a sentence as an example.
    private static var table: String {
        var rows = "| Cause | State | Fault | Recognized by | Says, for example |\n| --- | --- | --- | --- | --- |\n"
        var seen: Set<String> = []
        for (place, rule) in Rule.table.enumerated()
        where rule.cause != nil && seen.insert(rule.label + rule.sign).inserted {
            let sentence = factsByRule[place]?.first.flatMap(rule.sentence) ?? ""
            rows +=
                "| `\(rule.cause?.rawValue ?? "")` | `\(rule.state)` | \(rule.fault.map { "`\($0)`" } ?? "not known") | \(rule.sign) | \(sentence) |\n"
        }
        return rows
    }
}
