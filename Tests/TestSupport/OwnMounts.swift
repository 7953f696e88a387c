// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Mounts that only selected programs see, as long as this object exists.
///
/// ```swift
/// let mounts = try await OwnMounts("mount -t tmpfs -o size=2m tmpfs \"$1\"", [folder.path])
/// let run = try CommandRun(mounts.program, mounts.arguments(.dialtone, ["history"]))
/// ```
public final class OwnMounts: Sendable {
    private let holder: CommandRun

    /// Creates the mounts with a shell script.
    ///
    /// - Throws: when the script fails.
    public init(_ script: String, _ arguments: [String]) async throws {
        holder = try CommandRun.Program.amongOwnMounts(script + "\necho made; exec sleep infinity", arguments)
        _ = try await holder.output.next(timeout: .seconds(60)) { $0 == "made" }
    }

    /// Creates mounts whose programs query one name server, once a second.
    public convenience init(nameServer: String) async throws {
        try await self.init(
            """
            mount -t tmpfs tmpfs /mnt
            printf "nameserver $1\noptions timeout:1 attempts:1\n" > /mnt/resolv.conf
            mount --bind /mnt/resolv.conf /etc/resolv.conf
            """, [nameServer])
    }

    deinit { kill(holder.identifier, SIGKILL) }

    /// A program that starts other programs inside the mount namespace; it becomes the started program.
    public let program = CommandRun.Program(path: "/usr/bin/env")

    /// The arguments that start a program inside the mount namespace.
    public func arguments(_ program: CommandRun.Program, _ arguments: [String]) -> [String] {
        // Without --root, it would see the files outside of a changed root, where nothing is mounted.
        [
            "nsenter", "--mount=/proc/\(holder.identifier)/ns/mnt", "--root=/proc/\(holder.identifier)/root", "--",
            program.path,
        ]
            + arguments
    }

    /// The path of a file inside the mounts, for programs outside the mount namespace.
    public func place(of file: URL) -> URL {
        URL(filePath: "/proc/\(holder.identifier)/root").appending(path: file.path)
    }

    /// Runs a shell script inside the mount namespace.
    ///
    /// - Throws: when it fails.
    public func run(_ script: String, _ arguments: [String]) async throws {
        let run = try CommandRun(program, self.arguments(.init(path: "/bin/sh"), ["-ec", script, "sh"] + arguments))
        guard try await run.exitStatus() == 0 else {
            throw CocoaError(.featureUnsupported, userInfo: ["errors": run.errors.values])
        }
    }
}

extension CommandRun.Program {
    /// Runs a shell script in a separate mount namespace.
    public static func amongOwnMounts(_ script: String, _ arguments: [String]) throws -> CommandRun {
        try CommandRun(.init(path: "/usr/bin/env"), ["unshare", "--mount", "sh", "-ec", script, "sh"] + arguments)
    }
}

extension Capability {
    /// Private mounts: `CAP_SYS_ADMIN`, or a user namespace.
    public static let mounts = Capability("mounts") {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        probe.arguments = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        try probe.run()
        probe.waitUntilExit()
        if probe.terminationStatus != 0 { throw CocoaError(.featureUnsupported) }
    }
}
