//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestSupport

extension CommandRun.Program {
    /// The program that keeps a history for the tests, as their own build made it.
    static var historyWriter: CommandRun.Program {
        let dialtone = URL(fileURLWithPath: CommandRun.Program.dialtone.path)
        return .init(path: dialtone.deletingLastPathComponent().appendingPathComponent("HistoryWriter").path)
    }

    /// Runs shell lines among mounts of their own.
    static func amongOwnMounts(_ script: String, _ arguments: [String]) throws -> CommandRun {
        try CommandRun(.init(path: "/usr/bin/env"), ["unshare", "--mount", "sh", "-ec", script, "sh"] + arguments)
    }
}

extension Capability {
    /// Mounts of one's own: `CAP_SYS_ADMIN`, or a user namespace.
    static let mounts = Capability("mounts") {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        probe.arguments = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        try probe.run()
        probe.waitUntilExit()
        if probe.terminationStatus != 0 { throw CocoaError(.featureUnsupported) }
    }
}
