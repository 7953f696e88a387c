// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Homes with one fault after the other: the history of `dialtone serve` contains each as it was, by another clock.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .timeLimit(.minutes(75)))
struct DayTests {
    private static let homes: [Home] = {
        guard NetworkTable.isMade, !NetworkTable.hasOneHome else { return [.everyTime] }
        guard let selection = NetworkTable.selection else { return Home.all }
        return Home.all.map { home in
            home.with { $0.rows.removeAll { !"\($0.name), \(home.testDescription)".contains(selection) } }
        }.filter { !$0.rows.isEmpty }
    }()

    @Test(arguments: homes) func `the history contains each fault as it was`(home: Home) async throws {
        let place = Self.homes.firstIndex { $0.testDescription == home.testDescription } ?? 0
        func write(_ lines: [String]) throws { try NetworkTable.write(lines.joined(separator: "\n"), at: 1000 + place) }
        let lines: [DayLine]
        do {
            lines = try await home.play(tolerance: NetworkTable.isMade ? 0 : 4)
        } catch {
            try write(["FAIL  \(home.testDescription): \(error)"])
            throw error
        }
        try write(lines.map(\.text))
        for line in lines { #expect(line.isRight, "\(line.text)") }
    }
}
