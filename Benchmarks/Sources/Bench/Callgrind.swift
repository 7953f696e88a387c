// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Counts user-space instructions with valgrind's callgrind.
enum Callgrind {
    static let isInstalled = access("/usr/bin/valgrind", X_OK) == 0

    /// Runs a contender, and returns the instructions that it executed until it exited.
    ///
    /// - Parameter events: runs meanwhile, and then the contender is asked to exit; nil for one that exits by itself.
    /// - Returns: nil without valgrind.
    static func count(_ contender: Contender, _ events: ((RunningContender) throws -> Void)? = nil) throws -> Double? {
        guard isInstalled else { return nil }
        let log = "/tmp/dialtone-instructions.\(getpid())"
        defer { unlink(log) }
        var counted = contender
        counted.command =
            ["/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)"]
            + contender.command
        let running = try RunningContender(counted)
        defer { running.end() }
        if let events {
            try events(running)
            kill(running.process, SIGTERM)
        }
        guard running.waitForExit() == 0 || events != nil else { throw BenchError("\(contender.name) fails") }
        let lines = Usage.text(log).split(separator: "\n")
        return lines.first { $0.contains("Collected : ") }?.split(separator: " ").last.flatMap { Double($0) }
    }
}
