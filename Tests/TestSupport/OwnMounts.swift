//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// Mounts that only some programs see, for as long as the value lives.
///
/// ```swift
/// let mounts = try await OwnMounts("mount -t tmpfs -o size=2m tmpfs \"$1\"", [folder.path])
/// let run = try CommandRun(mounts.program, mounts.arguments(.dialtone, ["history"]))
/// ```
public final class OwnMounts: Sendable {
    private let holder: CommandRun

    /// Makes them by lines of a shell.
    ///
    /// - Throws: when the lines fail.
    public init(_ script: String, _ arguments: [String]) async throws {
        holder = try CommandRun.Program.amongOwnMounts(script + "\necho made; exec sleep infinity", arguments)
        _ = try await holder.output.next(timeout: .seconds(60)) { $0 == "made" }
    }

    deinit { kill(holder.identifier, SIGKILL) }

    /// What starts other programs among the mounts; the process is then that of the program.
    public let program = CommandRun.Program(path: "/usr/bin/env")

    /// The arguments for a program that is to see the mounts.
    public func arguments(_ program: CommandRun.Program, _ arguments: [String]) -> [String] {
        ["nsenter", "--mount=/proc/\(holder.identifier)/ns/mnt", "--", program.path] + arguments
    }

    /// The place of a file among the mounts, for those who do not see them.
    public func place(of file: URL) -> URL {
        URL(filePath: "/proc/\(holder.identifier)/root").appending(path: file.path)
    }

    /// Runs lines of a shell among the mounts.
    ///
    /// - Throws: when they fail.
    public func run(_ script: String, _ arguments: [String]) async throws {
        let run = try CommandRun(program, self.arguments(.init(path: "/bin/sh"), ["-ec", script, "sh"] + arguments))
        guard try await run.exitStatus() == 0 else {
            throw CocoaError(.featureUnsupported, userInfo: ["errors": run.errors.values])
        }
    }
}

extension CommandRun.Program {
    /// Runs shell lines among mounts of their own.
    public static func amongOwnMounts(_ script: String, _ arguments: [String]) throws -> CommandRun {
        try CommandRun(.init(path: "/usr/bin/env"), ["unshare", "--mount", "sh", "-ec", script, "sh"] + arguments)
    }
}

extension Capability {
    /// Mounts of one's own: `CAP_SYS_ADMIN`, or a user namespace.
    public static let mounts = Capability("mounts") {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        probe.arguments = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        try probe.run()
        probe.waitUntilExit()
        if probe.terminationStatus != 0 { throw CocoaError(.featureUnsupported) }
    }
}
