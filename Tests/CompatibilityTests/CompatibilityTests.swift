// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import Testing

struct `COMPATIBILITY.md` {
    private struct Row {
        var symbol: String
        var answer: String
        var note: String
    }

    @Test(arguments: [
        ("## Network", NetworkProbe.uses.map(\.symbol)),
        ("## SystemConfiguration", SystemConfigurationProbe.uses.map(\.symbol)),
    ])
    func `lists exactly the symbols that exist`(section: String, symbols: [String]) throws {
        let rows = try Self.rows(of: section)
        let listed = rows.filter { $0.answer != "no" }.map(\.symbol)
        #expect(Set(listed).subtracting(symbols).sorted() == [], "listed as available, but not used by the probe")
        #expect(Set(symbols).subtracting(listed).sorted() == [], "used by the probe, but not listed as available")
        #expect(Set(rows.map(\.symbol)).count == rows.count, "said twice")
        #expect(Set(symbols).count == symbols.count, "used twice")
    }

    #if Publishers
    @Test func `lists exactly the Combine operators that exist`() throws {
        try `lists exactly the symbols that exist`(section: "## Combine", symbols: CombineProbe.uses.map(\.symbol))
    }

    @Test func `gives a reason or a workaround for each missing operator`() throws {
        let missing = try Self.rows(of: "## Combine").filter { $0.answer == "no" }
        #expect(missing.count == 1)
        #expect(missing.allSatisfy { !$0.note.isEmpty })
    }
    #endif

    @Test(arguments: ["## Network", "## SystemConfiguration"])
    func `answers yes, partly or no, and explains every difference`(section: String) throws {
        let rows = try Self.rows(of: section)
        #expect(rows.count > 50)
        for row in rows {
            #expect(["yes", "partly", "no"].contains(row.answer), "\(row.symbol)")
            #expect(row.answer == "yes" || !row.note.isEmpty, "\(row.symbol)")
        }
    }

    private static func rows(of section: String) throws -> [Row] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "COMPATIBILITY.md"), encoding: .utf8)
        let lines = text.split(separator: "\n").drop { $0 != section }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return lines.compactMap { line in
            guard line.hasPrefix("| `") else { return nil }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2 else { return nil }
            return Row(
                symbol: cells[0].trimmingCharacters(in: ["`"]), answer: cells[1], note: cells.count > 2 ? cells[2] : "")
        }
    }
}

#endif
