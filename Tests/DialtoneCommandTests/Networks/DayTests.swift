// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Homes with one fault after the other: the history of `dialtone serve` contains each as it was, by another clock.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .timeLimit(.minutes(10)))
struct DayTests {
    /// The folder for the table, where `make day` plays all rows; otherwise only some of them are played.
    private static let folder = ProcessInfo.processInfo.environment["DIALTONE_TABLE"]

    private static let homes: [Home] = {
        guard folder != nil else { return [.everyTime] }
        guard let selection = ProcessInfo.processInfo.environment["DIALTONE_TABLE_ONLY"] else { return Home.all }
        return Home.all.map { home in
            home.with { $0.rows.removeAll { !"\($0.name), \(home.testDescription)".contains(selection) } }
        }.filter { !$0.rows.isEmpty }
    }()

    @Test(arguments: homes) func `the history contains each fault as it was`(home: Home) async throws {
        let place = Self.homes.firstIndex { $0.testDescription == home.testDescription } ?? 0
        func write(_ lines: [String]) throws {
            guard let folder = Self.folder else { return }
            let text = lines.map { $0 + "\n" }.joined()
            try text.write(toFile: "\(folder)/\(1000 + place)", atomically: true, encoding: .utf8)
        }
        let lines: [DayLine]
        do {
            lines = try await home.play(tolerance: Self.folder == nil ? 4 : 0)
        } catch {
            try write(["FAIL  \(home.testDescription): \(error)"])
            throw error
        }
        try write(lines.map(\.text))
        for line in lines { #expect(line.isRight, "\(line.text)") }
    }
}
