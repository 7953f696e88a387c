// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

#if os(Linux)
import Netlink
#endif

/// The files shipped for a fleet.
enum FleetFile {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func url(_ path: String) -> URL { root.appending(path: "Fleet").appending(path: path) }

    static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    /// The queries of the dashboard, with its variables filled in.
    static func dashboardQueries() throws -> [String] {
        struct Dashboard: Decodable { let panels: [Panel] }
        struct Panel: Decodable { let targets: [Target] }
        struct Target: Decodable { let expr: String }
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: url("grafana/dialtone.json")))
        return dashboard.panels.flatMap(\.targets).map {
            $0.expr.replacing("$__range", with: "1h").replacing("$job", with: ".*").replacing("$instance", with: ".*")
        }
    }
}

/// Runs system programs and waits for them to exit.
enum Tool {
    /// The result of a program: its status and its output.
    struct Outcome {
        let status: Int32
        let text: String
    }

    static func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    static func run(_ arguments: [String]) async throws -> Outcome {
        try await outcome(of: CommandRun(env, arguments))
    }

    #if os(Linux)
    /// Runs a program in a network namespace.
    static func run(_ arguments: [String], in namespace: NetworkNamespace) async throws -> Outcome {
        try await outcome(of: CommandRun.start(env, arguments, in: namespace))
    }
    #endif

    static let env = CommandRun.Program(path: "/usr/bin/env")

    private static func outcome(of run: CommandRun) async throws -> Outcome {
        let status = try await run.exitStatus(timeout: .seconds(120))
        return Outcome(status: status, text: (run.output.values + run.errors.values).joined(separator: "\n"))
    }
}

extension Capability {
    /// A program in the search path.
    static func program(_ name: String) -> Capability {
        Capability("program \(name)") {
            let probe = Process()
            probe.executableURL = URL(filePath: "/bin/sh")
            probe.arguments = ["-c", "command -v \(name) >/dev/null"]
            try probe.run()
            probe.waitUntilExit()
            if probe.terminationStatus != 0 { throw CocoaError(.fileNoSuchFile) }
        }
    }
}

/// A directory that is removed with its contents.
final class Workplace: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "dialtone-fleet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and returns its path.
    func write(_ text: String, _ name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
