// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoredFacts
import Testing

@testable import Dialtone

/// The facts of a check over a network, with the conclusion that is right.
///
/// The files of `Tests/DialtoneTests/Cases` have one in each line, by the name of the cause. Networks in memory or real ones made
/// them. `DIALTONE_WRITE_CASES=1` replaces the conclusions by those of the rules, and adds cases to which a random network leads
/// (`make simulate`); what it changed is then read.
struct StoredCase: Codable, Sendable, CustomTestStringConvertible {
    /// The conclusion.
    struct Said: Codable, Hashable, Sendable {
        var state: String
        var fault: String?
        var cause: String?
        var sentence: String?
        var remarks: [String]

        init(_ conclusion: Conclusion) {
            state = conclusion.state.rawValue
            (fault, cause) = (conclusion.fault?.rawValue, conclusion.cause?.rawValue)
            (sentence, remarks) = (conclusion.reason, conclusion.remarks.map(\.description))
        }
    }

    /// The network, with what is broken in it.
    var network: String
    var said: Said
    var facts: Facts

    init(_ network: String, _ facts: Facts) {
        (self.network, self.facts, said) = (network, facts, Said(Conclusion(facts)))
    }

    var testDescription: String { network }

    static let isWriting = ProcessInfo.processInfo.environment["DIALTONE_WRITE_CASES"] != nil

    static let all: [StoredCase] = (try? read()) ?? []
}

// MARK: - Pairs of rules

/// Two rows of `Rule.all` that hold for the same facts, and say different things: their order decides.
struct RulePair: Hashable, Comparable, Sendable, CustomStringConvertible {
    let first: Int
    /// A later row; the same one if no other holds.
    let other: Int

    static func < (one: RulePair, two: RulePair) -> Bool { (one.first, one.other) < (two.first, two.other) }

    var description: String { "\(first) \(Rule.table[first].label), \(other) \(Rule.table[other].label)" }

    /// The pairs of the rule that facts meet first.
    static func all(of facts: Facts) -> Set<RulePair> {
        guard let first = Rule.table.firstIndex(where: { $0.condition(facts) }) else { return [] }
        let rule = Rule.table[first]
        return Set(
            Rule.table.indices.suffix(from: first).filter { place in
                let other = Rule.table[place]
                return place == first
                    || other.condition(facts)
                        && (other.label != rule.label || other.sentence(facts) != rule.sentence(facts))
            }.map { RulePair(first: first, other: $0) })
    }
}

extension Rule {
    /// `all`, which is made again at each use.
    static let table = all

    var label: String { "\(cause?.rawValue ?? "none") \(state) \(fault?.rawValue ?? "none")" }
}

extension StoredCase {
    /// Pairs of rules that no stored case has, each with a network that has it.
    struct Gaps: Sendable {
        private static let known = StoredCase.all.reduce(into: Set<RulePair>()) {
            $0.formUnion(RulePair.all(of: $1.facts))
        }

        private var found: [RulePair: StoredCase] = [:]

        mutating func add(_ facts: Facts, _ network: @autoclosure () -> String) {
            let pairs = RulePair.all(of: facts).filter { !Self.known.contains($0) && found[$0] == nil }
            guard !pairs.isEmpty else { return }
            let new = StoredCase(network(), facts)
            for pair in pairs { found[pair] = new }
        }

        /// Stores cases with the pairs; without `DIALTONE_WRITE_CASES` it records an issue for each.
        func fill() throws {
            guard StoredCase.isWriting else {
                for (pair, network) in found.sorted(by: { $0.key < $1.key }) {
                    Issue.record(
                        "No stored case has the rules \(pair); DIALTONE_WRITE_CASES=1 adds: \(network.network)")
                }
                return
            }
            // The cases with most pairs first: fewer are needed.
            var left = Set(found.keys)
            var new: [StoredCase] = []
            let candidates = Dictionary(grouping: found.values, by: \.network).compactMap(\.value.first)
                .map { ($0, RulePair.all(of: $0.facts)) }
                .sorted { ($0.1.count, $1.0.network) > ($1.1.count, $0.0.network) }
            for (candidate, pairs) in candidates where !left.isDisjoint(with: pairs) {
                new.append(candidate)
                left.subtract(pairs)
            }
            try StoredCase.write(StoredCase.read() + new)
        }
    }
}

// MARK: - Files

extension StoredCase {
    private static let folder = (0..<3).reduce(URL(filePath: #filePath)) { folder, _ in
        folder.deletingLastPathComponent()
    }
    .appending(path: "Cases")

    static func read() throws -> [StoredCase] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jsonl" }.sorted { $0.path < $1.path }
            .flatMap { try Data(contentsOf: $0).split(separator: UInt8(ascii: "\n")) }
            .map { try JSONDecoder().decode(StoredCase.self, from: $0) }
    }

    static func write(_ cases: [StoredCase]) throws {
        // An unreadable file is not replaced.
        _ = try read()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "jsonl" { try FileManager.default.removeItem(at: file) }
        for (name, cases) in Dictionary(grouping: cases, by: { $0.said.cause ?? "online" }) {
            let lines = try cases.sorted { $0.network < $1.network }.map { try encoder.encode($0) + Data("\n".utf8) }
            try Data(lines.joined()).write(to: folder.appending(path: "\(name).jsonl"))
        }
    }
}
