// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneHistory
import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone serve` with hooks.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
final class ServeHookTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "dialtone-hooks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ script: String, to name: String, mode: Int = 0o755) throws -> String {
        let file = folder.appending(path: name)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    @Test func `hooks run for each transition, and are counted and logged`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        _ = try write("echo hook $DIALTONE_STATE $DIALTONE_INTERFACE", to: "1")
        _ = try write("exit 3", to: "2")
        let serving = try await lab.serveAtRest(["--hook", folder.path])
        let errors = serving.command.errors
        let online = try await errors.next { $0.hasPrefix("hook online ") }
        let failed = try await errors.next { $0.contains("message=hook") && $0.contains("/2") }
        #expect(
            failed.contains("level=warning") && failed.contains("detail=\"status 3\"")
                && failed.contains("result=failed"), "\(failed)")
        try lab.network.setCable(connected: false)
        #expect(try await errors.next { $0.hasPrefix("hook offline ") } == online.replacing("online", with: "offline"))
        try await eventually {
            let page = try await serving.get("/metrics").body
            return page.contains("dialtone_hook_runs_total{result=\"failed\"} ")
                && page.contains("dialtone_hook_runs_total{result=\"refused\"} 0\n")
                && page.contains("dialtone_hook_runs_total{result=\"skipped\"} 0\n")
        }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `a hook that hangs delays neither the page, nor events, nor the history, nor the end`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let hook = try write("trap '' TERM; echo hangs; while :; do sleep 1; done", to: "hangs")
        let serving = try await lab.serveAtRest(["--hook", hook])
        _ = try await serving.command.errors.next { $0 == "hangs" }
        let events = try await serving.events()
        try lab.network.setCable(connected: false)
        _ = try await events.read(until: "\"connectivity\":\"offline\"")
        #expect(try await serving.get("/api/status").body.contains("\"connectivity\":\"offline\""))
        try await eventually {
            try await HistoryReader(lab.directory).transitions(from: .distantPast, to: .distantFuture)
                .contains { $0.state == .offline }
        }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(30)) == 0)
    }

    @Test func `a path that cannot be used is a usage error, and a reload replaces the hooks`() async throws {
        let unsafe = try write("", to: "unsafe", mode: 0o777)
        let first = try write("echo first $DIALTONE_STATE", to: "first")
        let second = try write("echo second $DIALTONE_STATE", to: "second")
        let refused = try CommandRun(.dialtone, ["serve", "--hook", unsafe])
        #expect(try await refused.exitStatus() == 64)
        #expect(
            refused.errors.values
                == ["dialtone: --hook: cannot run \(unsafe): other users can write to \(unsafe): run chmod go-w"])
        let lab = try await ServeLab()
        try await lab.network.join()
        let settings = folder.appending(path: "config.json")
        func configure(_ hook: String) throws {
            try Data("{\"hooks\": [\"\(hook)\"]}".utf8).write(to: settings)
        }
        try configure(first)
        let serving = try await lab.serveAtRest(["--config", settings.path])
        _ = try await serving.command.errors.next { $0.hasPrefix("first online") }
        try configure(unsafe)
        kill(serving.command.identifier, SIGHUP)
        _ = try await serving.command.errors.next { $0.contains("cannot reload") && $0.contains("other users") }
        try configure(second)
        kill(serving.command.identifier, SIGHUP)
        _ = try await serving.command.errors.next { $0.contains("message=reloaded") }
        try lab.network.setCable(connected: false)
        _ = try await serving.command.errors.next { $0.hasPrefix("second offline") }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }
}
#endif
