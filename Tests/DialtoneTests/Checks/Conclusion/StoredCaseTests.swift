// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The conclusions of stored facts.
struct StoredCaseTests {
    @Test(arguments: StoredCase.all) func `the conclusion of stored facts is the right one`(_ stored: StoredCase) {
        #expect(StoredCase.Said(Conclusion(stored.facts)) == stored.said)
    }

    #if !canImport(Darwin)
    @Test(arguments: CaseNetwork.deciding)
    func `a check over a network in memory concludes what its case does`(_ network: CaseNetwork) async throws {
        let stored = try #require(StoredCase.all.first { $0.network == network.testDescription })
        #expect(StoredCase.Said(Conclusion(try await network.facts())) == stored.said)
    }

    @Test(.enabled(if: StoredCase.isWriting)) func `cases are written on request, with what real networks showed`()
        async throws
    {
        var cases = StoredCase.all.map { StoredCase($0.network, $0.facts) }
        for network in CaseNetwork.deciding where !cases.contains(where: { $0.network == network.testDescription }) {
            cases.append(StoredCase(network.testDescription, try await network.facts()))
        }
        try StoredCase.write(cases)
        var gaps = StoredCase.Gaps()
        for network in CaseNetwork.all { gaps.add(try await network.facts(), network.testDescription) }
        try gaps.fill()
        guard let folder = ProcessInfo.processInfo.environment["DIALTONE_FACTS"] else { return }
        struct Entry: Decodable {
            var network: String
            var facts: Facts
        }
        for file in try FileManager.default.contentsOfDirectory(
            at: URL(filePath: folder), includingPropertiesForKeys: nil)
        {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(contentsOf: file))
            gaps.add(entry.facts, entry.network)
        }
        try gaps.fill()
    }
    #endif

    /// Rules that only random facts meet.
    private static let unmet: Set<String> = [
        // Those of a machine that has a path say the same.
        "proxyCredentials offline proxy", "proxyTunnel offline proxy", "proxyName offline proxy",
        "proxyRefused offline proxy",
        "proxySilent offline proxy", "proxyError offline proxy", "proxy offline proxy", "tunnelProxy offline tunnel",
        // Checks whose verdict a program set.
        "unreachable limited none", "timedOut limited none",
        // Mixtures of failures that no network has shown.
        "acceptedInSilence limited nameServers", "timedOut limited nameServers", "certificate limited filter",
        "partial limited endpoints",
        // A link of another type than a tunnel that has no router.
        "tunnelSilent noInternet provider",
    ]

    @Test func `all stored cases can be read`() throws { #expect(try StoredCase.read().count == StoredCase.all.count) }

    /// For each case, the places of all rules that it meets, in order.
    private static let met = StoredCase.all.map { stored in
        (stored, rules: Rule.table.indices.filter { Rule.table[$0].condition(stored.facts) })
    }

    @Test func `taking out a rule changes the conclusion of a case`() {
        let first = Set(Self.met.compactMap(\.rules.first))
        for place in first {
            let isMissed = Self.met.contains { stored, rules in stored.differs(from: rules.first { $0 != place }) }
            #expect(isMissed, "\(Rule.table[place].label)")
        }
        let unmet = Set(Rule.table.indices.filter { !first.contains($0) }.map { Rule.table[$0].label })
        #expect(unmet.subtracting(first.map { Rule.table[$0].label }) == Self.unmet)
    }

    @Test func `the order of two rules that a case meets decides what is said`() {
        let pairs = StoredCase.all.reduce(into: Set<RulePair>()) { $0.formUnion(RulePair.all(of: $1.facts)) }
        print("\(StoredCase.all.count) cases, \(pairs.count) pairs of rules")
        for pair in pairs where pair.first != pair.other {
            var order = Array(Rule.table.indices)
            order.swapAt(pair.first, pair.other)
            let isNoticed = Self.met.contains { stored, rules in
                stored.differs(from: rules.min { order[$0] < order[$1] })
            }
            #expect(isNoticed, "\(pair)")
        }
    }
}

extension StoredCase {
    /// Whether a rule in place of the first one says something else.
    fileprivate func differs(from rule: Int?) -> Bool {
        guard let rule = rule.map({ Rule.table[$0] }) else { return true }
        return rule.state.rawValue != said.state || rule.fault?.rawValue != said.fault
            || rule.cause?.rawValue != said.cause
            || rule.sentence(facts) != said.sentence
    }
}
