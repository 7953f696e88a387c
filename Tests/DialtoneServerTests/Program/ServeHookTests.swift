// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneHistory
import Foundation
import Netlink
import SystemSupport
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
        let file = folder.appending(path: name).path
        try writeScript(script, to: file, mode: mode)
        return file
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
        try await lab.network.setCable(connected: false)
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

    @Test func `without a port hooks run and the history is recorded`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let hook = try write("echo hook $DIALTONE_STATE >&2", to: "hook")
        let directory = ["--data-dir", lab.directory.path]
        // A socket in the file system: abstract names belong to a network namespace.
        try FileManager.default.createDirectory(
            at: lab.directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let notifications = lab.directory.appending(path: "notify").path
        let manager = try Sockets.openDatagramSocket(atUnixName: Array(notifications.utf8))
        let server = try await CommandRun.start(
            .dialtone, ServeLab.arguments + directory + ["--listen", "none", "--hook", hook], in: lab.network.client,
            environment: ["NOTIFY_SOCKET": notifications])
        #expect(try await server.output.next() == "Watching without a port")
        _ = try await server.errors.next { $0 == "hook online" }
        func notification() -> String {
            _ = PollSet.wait(readable: [manager.number], until: TimeSource.system.now + .seconds(60), nil)
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = (try? Sockets.receiveBytes(manager, into: &buffer)) ?? 0
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        #expect(notification() == "READY=1\nSTATUS=Watching without a port")
        // Nothing of the HTTP server has started.
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.identifier)/task")
        let threads = tasks.compactMap {
            try? String(contentsOfFile: "/proc/\(server.identifier)/task/\($0)/comm", encoding: .utf8)
        }
        #expect(!threads.isEmpty && !threads.contains { $0.hasPrefix("NIO") }, "\(threads)")
        try await lab.network.setCable(connected: false)
        _ = try await server.errors.next { $0 == "hook offline" }
        let sockets = try await lab.network.client.run {
            try String(contentsOfFile: "/proc/thread-self/net/tcp", encoding: .utf8)
        }
        #expect(!sockets.contains(" 0A "), "a listening socket: \(sockets)")
        server.terminate()
        #expect(try await server.exitStatus() == 0)
        #expect(notification() == "STOPPING=1")
        let history = try await CommandRun.start(
            .dialtone, ["history"] + directory, in: lab.network.client)
        #expect(try await history.exitStatus() == 0)
        let lines = history.output.values.joined(separator: "\n")
        #expect(lines.contains("by fault: machine"), "\(lines)")
    }

    @Test func `a hook has standard input, output and error, and none of the server's descriptors`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let hook = try write("ls /proc/self/fd | sed 's/^/open /' >&2; echo all", to: "hook")
        let serving = try await lab.serveAtRest(["--hook", hook])
        let lines = try await serving.command.errors.values { $0 == "all" }.filter { $0.hasPrefix("open ") }
        // The last is the directory, which `ls` opens.
        #expect(lines == ["open 0", "open 1", "open 2", "open 3"])
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `what is wrong in a directory of hooks is logged, and the others run`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "1").path, withDestinationPath: "/nowhere")
        _ = try write("echo unsafe", to: "2", mode: 0o777)
        _ = try write("echo runs", to: "3")
        let serving = try await lab.serveAtRest(["--hook", folder.path])
        let problems = ["/nowhere: No such file or directory", "run chmod go-w \(folder.path)/2"]
        // The hook itself writes its line, and the server's log those of the others.
        try await eventually {
            let lines = serving.command.errors.values
            return lines.contains("runs")
                && problems.allSatisfy { problem in
                    lines.contains { $0.contains("result=refused") && $0.contains(problem) }
                }
        }
        #expect(!serving.command.errors.values.contains("unsafe"))
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
        try await lab.network.setCable(connected: false)
        _ = try await events.read(until: "\"connectivity\":\"offline\"")
        #expect(try await serving.get("/api/status").body.contains("\"connectivity\":\"offline\""))
        try await eventually {
            try await HistoryReader(lab.directory).transitions()
                .contains { $0.state == .offline }
        }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `a path that cannot be used is a usage error, and a reload replaces the hooks`() async throws {
        let unsafe = try write("", to: "unsafe", mode: 0o777)
        let first = try write("echo first $DIALTONE_STATE", to: "first")
        let second = try write("echo second $DIALTONE_STATE", to: "second")
        let refused = try CommandRun(.dialtone, ["serve", "--hook", unsafe])
        #expect(try await refused.exitStatus() == 64)
        #expect(
            refused.errors.values
                == [
                    "dialtone: --hook: cannot run \(unsafe): other users can write to \(unsafe): run chmod go-w \(unsafe)"
                ])
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
        try await lab.network.setCable(connected: false)
        _ = try await serving.command.errors.next { $0.hasPrefix("second offline") }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }
}
#endif
