// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import Testing

@testable import Dialtone

/// Checks over random networks, with none, one or two faults: what is healthy is not blamed, and what is broken is named or not known.
struct RandomNetworkTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// `DIALTONE_SIMULATIONS` is the number of networks; `DIALTONE_SEEDS=100..<200` selects others.
    ///
    /// One alone is printed, and stored as a case with `DIALTONE_WRITE_CASES=1`.
    private static let seeds: Range<UInt64> = {
        let bounds = (environment["DIALTONE_SEEDS"] ?? "").split(separator: "..<").compactMap { UInt64($0) }
        if bounds.count == 2, bounds[0] < bounds[1] { return bounds[0]..<bounds[1] }
        return 0..<(environment["DIALTONE_SIMULATIONS"].flatMap { UInt64($0) } ?? 1000)
    }()

    /// The results of all networks of a run.
    private struct Summary: Sendable {
        /// Networks with one fault, by its kind and how they were concluded.
        var shares: [NetworkFault.Kind: [Simulation.Result: Int]] = [:]
        /// The networks of each class of wrong conclusions that is not known: their number, and the first ones.
        var wrong: [String: (count: Int, reports: [String])] = [:]
        /// The number of networks of each known class.
        var known: [String: Int] = [:]
        /// Networks whose conclusion the order of two rules decides, if no stored case has these rules.
        var cases = StoredCase.Gaps()

        mutating func add(_ simulation: Simulation) {
            let faults = simulation.network.faults
            if simulation.problems.isEmpty, simulation.network.seed < 20_000 {
                cases.add(simulation.facts, "\(simulation.network)")
            }
            if faults.count == 1 { shares[faults[0].kind, default: [:]][simulation.result, default: 0] += 1 }
            for problem in simulation.problems {
                if let entry = KnownWrongConclusion.all.first(where: { $0.allows(problem, in: simulation.network) }) {
                    known[entry.description, default: 0] += 1
                    continue
                }
                let kinds = faults.map(\.kind.rawValue).sorted().joined(separator: " + ")
                wrong["\(kinds): \(problem)", default: (0, [])].count += 1
                if wrong["\(kinds): \(problem)"]?.count ?? 0 <= 2 {
                    wrong["\(kinds): \(problem)"]?.reports.append(simulation.report)
                }
            }
        }

        /// How the networks with one fault were concluded, in percent.
        var table: String {
            let columns = Simulation.Result.allCases
            let header = "| fault | networks | " + columns.map(\.rawValue).joined(separator: " | ") + " |"
            let rows = NetworkFault.Kind.allCases.compactMap { kind -> String? in
                guard let counts = shares[kind] else { return nil }
                let all = counts.values.reduce(0, +)
                let cells = columns.map { "\(Double(1000 * (counts[$0] ?? 0) / all) / 10)" }
                return "| \(kind.rawValue) | \(all) | \(cells.joined(separator: " | ")) |"
            }
            return ([header] + rows).joined(separator: "\n")
        }
    }

    @Test func `a healthy part is not blamed, and what is broken is named as often as before`() async throws {
        let seeds = Self.seeds
        var summary = Summary()
        try await withThrowingTaskGroup(of: Simulation.self) { group in
            var next = seeds.lowerBound
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount where next < seeds.upperBound {
                group.addTask { [next] in try await Simulation(seed: next) }
                next += 1
            }
            while let simulation = try await group.next() {
                if seeds.count == 1 {
                    print(simulation.report)
                    if StoredCase.isWriting {
                        try StoredCase.write(
                            StoredCase.read() + [StoredCase("\(simulation.network)", simulation.facts)])
                    }
                }
                summary.add(simulation)
                guard next < seeds.upperBound else { continue }
                group.addTask { [next] in try await Simulation(seed: next) }
                next += 1
            }
        }
        print(summary.table)
        for (name, count) in summary.known.sorted(by: { $0.value > $1.value }) { print("known, \(count): \(name)") }
        for (name, wrong) in summary.wrong.sorted(by: { $0.value.count > $1.value.count }) {
            Issue.record("\(wrong.count) of \(seeds.count): \(name)\n\(wrong.reports.joined(separator: "\n"))")
        }
        try summary.cases.fill()
        #expect(seeds.count < 1000 || summary.shares.count == NetworkFault.Kind.allCases.count)
        for (kind, counts) in summary.shares {
            let (all, named) = (Double(counts.values.reduce(0, +)), Double(counts[.named] ?? 0))
            let least = NamedShares.least[kind] ?? 0
            // Fewer networks are a sample: three standard deviations.
            let margin = 3 * (all * least * (1 - least)).squareRoot()
            #expect(
                named >= all * least - margin, "\(kind.rawValue): \(named) of \(all) are named, at least \(least) were")
        }
    }

    @Test(arguments: KnownWrongConclusion.all)
    func `a known wrong conclusion is still drawn`(_ known: KnownWrongConclusion) async throws {
        let simulation = try await Simulation(seed: known.seed)
        #expect(
            simulation.problems.contains { known.allows($0, in: simulation.network) },
            "Remove this entry, or give it another seed.\n\(simulation.report)")
    }
}
#endif
