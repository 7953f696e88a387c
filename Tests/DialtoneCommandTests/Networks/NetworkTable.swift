// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The table that `make networks` and `make day` print.
enum NetworkTable {
    /// The folder for it, where all rows run; otherwise only some of them run.
    private static let folder = ProcessInfo.processInfo.environment["DIALTONE_TABLE"]
    /// Part of the names of the rows to run, if not all.
    static let selection = ProcessInfo.processInfo.environment["DIALTONE_TABLE_ONLY"]

    /// Whether the table is made, of all rows or of those that are selected.
    static var isMade: Bool { folder != nil }

    /// The rows to run now.
    static func rows<Row: CustomTestStringConvertible>(_ all: [Row], everyTime: Set<String>) -> [Row] {
        selection == nil && !isMade ? all.filter { everyTime.contains($0.testDescription) } : selected(all)
    }

    /// The rows whose names contain the selection; all without one.
    static func selected<Row: CustomTestStringConvertible>(_ all: [Row]) -> [Row] {
        selection.map { part in all.filter { $0.testDescription.contains(part) } } ?? all
    }

    /// Whether `make day` plays the short home instead of all.
    static let hasOneHome = ProcessInfo.processInfo.environment["DIALTONE_TABLE_HOMES"] == "one"
    /// Whether a row runs one of its tools instead of all.
    static let hasOneTool = ProcessInfo.processInfo.environment["DIALTONE_TABLE_TOOLS"] == "one"

    /// The tools that a row runs.
    ///
    /// The place of the row selects the one, so that it is the same in each run.
    static func tools<Tool>(_ all: [Tool], at place: Int) -> [Tool] {
        hasOneTool ? [all[place % all.count]] : all
    }

    /// The folder for the facts of each network, if `make cases` collects them.
    static let facts = ProcessInfo.processInfo.environment["DIALTONE_FACTS"]

    /// Writes the facts that a report of `check` has.
    static func writeFacts(of report: String, _ network: String, at place: Int) throws {
        guard let facts, let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any] else {
            return
        }
        let entry: [String: Any] = ["network": network, "facts": object["facts"] ?? NSNull()]
        try JSONSerialization.data(withJSONObject: entry, options: .sortedKeys).write(
            to: URL(filePath: facts).appending(path: "\(place).json"))
    }

    static func write(_ row: String, at place: Int) throws {
        try folder.map { try (row + "\n").write(toFile: "\($0)/\(place)", atomically: true, encoding: .utf8) }
    }
}
