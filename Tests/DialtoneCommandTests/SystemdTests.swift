// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// The units in `Packaging/systemd` and `Examples/systemd`, as systemd reads them.
struct SystemdTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let units = ["backup.service", "backup.timer", "dialtone.service", "dialtone-wait-online.service"]
    private static func file(_ unit: String) -> URL {
        root.appending(path: "\(unit.hasPrefix("dialtone") ? "Packaging" : "Examples")/systemd/\(unit)")
    }
    private static let analyzer = "/usr/bin/systemd-analyze"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: analyzer)))
    func `systemd accepts every unit`() async throws {
        let copies = FileManager.default.temporaryDirectory.appending(path: "dialtone-units-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: copies) }
        var paths: [String] = []
        for unit in Self.units {
            let copy = copies.appending(path: unit)
            // systemd-analyze looks for the command, which is not installed here.
            let text = try String(contentsOf: Self.file(unit), encoding: .utf8)
                .replacingOccurrences(of: "/usr/local/bin/dialtone", with: CommandRun.Program.dialtone.path)
            try text.write(to: copy, atomically: true, encoding: .utf8)
            paths.append(copy.path)
        }
        let run = try CommandRun(
            CommandRun.Program(path: Self.analyzer), ["verify", "--man=no", "--recursive-errors=no"] + paths)
        #expect(try await run.exitStatus() == 0)
        let complaints = (run.output.values + run.errors.values).filter { line in
            Self.units.contains { line.contains($0) }
        }
        #expect(complaints == [])
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer)),
        arguments: ["backup.service", "dialtone.service", "dialtone-wait-online.service"])
    func `systemd rates every service as safe`(unit: String) async throws {
        // In tenths: below 3 of 10, which systemd calls "OK".
        let run = try CommandRun(
            CommandRun.Program(path: Self.analyzer),
            ["security", "--no-pager", "--offline=true", "--threshold=29", Self.file(unit).path])
        #expect(try await run.exitStatus() == 0, "\(run.output.values.suffix(2))")
    }

    @Test(
        .requires(.networkNamespaces), arguments: [("backup.service", "run"), ("dialtone-wait-online.service", "wait")])
    func `the command accepts the arguments of the units, and exits in time`(unit: String, subcommand: String)
        async throws
    {
        let text = try String(contentsOf: Self.file(unit), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let words = line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["/usr/local/bin/dialtone", subcommand])
        // Without any network, after a fifth of a second instead of the unit's time.
        let arguments = words.dropFirst().map { Int($0) == nil ? $0 : "0.2" }
        let run = try await CommandRun.start(.dialtone, arguments, in: NetworkNamespace())
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 124)
    }

    @Test func `the documentation contains the units`() throws {
        let documentation = try String(
            contentsOf: Self.root.appending(path: "docs/waiting.md"), encoding: .utf8)
        let unit = try String(contentsOf: Self.file("backup.service"), encoding: .utf8)
        let settings = unit.split(separator: "\n").filter {
            $0.hasPrefix("ExecStart=") || $0.hasPrefix("TimeoutStartSec=")
        }
        #expect(settings.count == 2)
        for setting in settings { #expect(documentation.contains(setting)) }
    }
}
