// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// How `dialtone` finds and starts `dialtone-server`, here a script in its place.
struct ServerProgramTests {
    /// An installed command: `bin/dialtone`, and the directories in which it looks for the server.
    private final class Installation {
        let root = FileManager.default.temporaryDirectory.appending(path: "dialtone-installed-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        var bin: URL { root.appending(path: "bin") }
        var libexec: URL { root.appending(path: "libexec/dialtone") }
        var command: CommandRun.Program { .init(path: bin.appending(path: "dialtone").path) }

        init() throws {
            for folder in [bin, libexec] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            // By another process: a child that a concurrent test forks meanwhile would inherit the open copy, which
            // could then not be executed (ETXTBSY).
            let copy = try Process.run(
                URL(filePath: "/bin/cp"), arguments: [CommandRun.Program.dialtone.path, command.path])
            copy.waitUntilExit()
            try #require(copy.terminationStatus == 0)
        }

        deinit { try? FileManager.default.removeItem(at: root) }

        /// Puts a script in the place of the server.
        func add(_ script: String, in folder: URL, mode: Int = 0o755, interpreter: String = "/bin/sh") throws {
            let path = folder.appending(path: "dialtone-server").path
            try writeScript(script, to: path, mode: mode, interpreter: interpreter)
        }
    }

    @Test(arguments: ["serve", "history"])
    func `it gets the arguments, the process ID and the signal mask`(command: String) async throws {
        let installation = try Installation()
        try installation.add(
            "echo \"$$ $*\"; grep -E '^Sig(Blk|Ign):' /proc/self/status; exit 7", in: installation.bin)
        let run = try CommandRun(installation.command, [command, "--data-dir", "a b"])
        #expect(try await run.exitStatus() == 7)
        #expect(run.output.values.first == "\(run.identifier) \(command) --data-dir a b")
        // posix_spawn(3) of glibc ignores its own two signals, 32 and 33, in every program that it starts.
        let masks = run.output.values.dropFirst().map { line in
            UInt64(line.split(separator: "\t").last ?? "", radix: 16).map { $0 & 0x7FFF_FFFF }
        }
        #expect(masks == [0, 0], "\(run.output.values)")
    }

    @Test func `it is found beside the command first, then in libexec, through symbolic links`() async throws {
        let installation = try Installation()
        let link = installation.root.appending(path: "link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: installation.command.path)
        for folder in [installation.libexec, installation.bin] {
            try installation.add("echo \"$0\"", in: folder)
            for program in [installation.command, .init(path: link.path)] {
                let run = try CommandRun(program, ["history"])
                #expect(try await run.exitStatus() == 0)
                #expect(run.output.values == [folder.appending(path: "dialtone-server").path])
            }
        }
    }

    @Test func `PATH and the working directory do not count`() async throws {
        let installation = try Installation()
        let other = installation.root.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try installation.add("echo found", in: other)
        let run = try CommandRun(
            .init(path: "/bin/sh"),
            ["-c", "cd \"$1\" && PATH=\"$1:$PATH\" exec \"$0\" serve", installation.command.path, other.path])
        #expect(try await run.exitStatus() == 70)
        #expect(run.output.values == [])
        let message = try #require(run.errors.values.first)
        for words in [
            "dialtone: cannot find dialtone-server", "\(installation.bin.path)/dialtone-server",
            "\(installation.libexec.path)/dialtone-server", "Scripts/swift build --product dialtone-server",
        ] { #expect(message.contains(words), "\(message)") }
    }

    @Test func `a server that cannot be run is reported, and the next place is not tried`() async throws {
        let installation = try Installation()
        try installation.add("echo found", in: installation.bin, mode: 0o644)
        try installation.add("echo found", in: installation.libexec)
        let run = try CommandRun(installation.command, ["serve"])
        #expect(try await run.exitStatus() == 70)
        #expect(
            run.errors.values == ["dialtone: cannot run \(installation.bin.path)/dialtone-server: Permission denied"])
    }

    @Test func `a server whose interpreter is missing is reported, and the next place is not tried`() async throws {
        let installation = try Installation()
        try installation.add("echo found", in: installation.bin, interpreter: "/nowhere/interpreter")
        try installation.add("echo found", in: installation.libexec)
        let run = try CommandRun(installation.command, ["serve"])
        #expect(try await run.exitStatus() == 70)
        #expect(run.output.values == [])
        let message = try #require(run.errors.values.first)
        #expect(message.hasPrefix("dialtone: cannot run \(installation.bin.path)/dialtone-server: the file exists"))
        #expect(message.contains("interpreter"), "\(message)")
    }

    @Test func `the server gets the version of the command, and refuses another one`() async throws {
        let installation = try Installation()
        try installation.add("echo \"$DIALTONE_STARTED_BY_VERSION\"", in: installation.bin)
        let run = try CommandRun(installation.command, ["serve"])
        #expect(try await run.exitStatus() == 0)
        let version = try CommandRun(.dialtone, ["--version"])
        #expect(try await version.exitStatus() == 0)
        #expect(run.output.values == version.output.values && !run.output.values.isEmpty)

        let folder = URL(filePath: CommandRun.Program.dialtone.path).deletingLastPathComponent()
        let server = CommandRun.Program(path: folder.appending(path: "dialtone-server").path)
        let own = try #require(version.output.values.first)
        for (caller, status) in [("9.9.9", Int32(70)), (own, 0), (nil, 0)] {
            let environment = caller.map { ["DIALTONE_STARTED_BY_VERSION": $0] } ?? [:]
            let run = try CommandRun(server, ["history", "--help"], environment: environment)
            #expect(try await run.exitStatus() == status)
            guard status != 0 else { continue }
            let message = try #require(run.errors.values.first)
            for words in ["dialtone-server is version \(own)", "dialtone is version 9.9.9", "install both"] {
                #expect(message.contains(words), "\(message)")
            }
        }
    }

    @Test func `the command loads neither the database nor all of Foundation`() async throws {
        let libraries = ["libsqlite3.so", "libFoundation.so", "lib_FoundationICU.so"]
        var loaded: [[String]] = []
        for name in ["dialtone", "dialtone-server"] {
            let program = URL(filePath: CommandRun.Program.dialtone.path).deletingLastPathComponent().appending(
                path: name)
            // The loader would load this also for another library.
            let run = try CommandRun(.init(path: "/usr/bin/ldd"), [program.path])
            #expect(try await run.exitStatus() == 0)
            loaded.append(libraries.filter { library in run.output.values.contains { $0.contains(library) } })
        }
        #expect(loaded == [[], libraries])
    }

    @Test(arguments: [["serve", "--help"], ["help", "history"], ["history", "--json", "--csv"], ["serve", "x"]])
    func `help and usage errors need no server`(arguments: [String]) async throws {
        let installation = try Installation()
        let run = try CommandRun(installation.command, arguments)
        let complete = try CommandRun(.dialtone, arguments)
        #expect(try await run.exitStatus() == complete.exitStatus())
        #expect(run.output.values + run.errors.values == complete.output.values + complete.errors.values)
        #expect(!(run.output.values + run.errors.values).isEmpty)
    }
}
#endif
