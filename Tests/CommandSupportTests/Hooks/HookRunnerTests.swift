// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

@testable import CommandSupport

/// Hooks as real processes.
@Suite(.real)
struct HookRunnerTests {
    private let folder: HookFolder
    private let reports = Recorder<HookRunner.Report>()

    init() throws { folder = try HookFolder() }

    private func runner(_ timeLimit: Duration = .seconds(60)) -> HookRunner {
        HookRunner(.files(HookFiles([folder.path])), timeLimit: timeLimit) { [reports] in reports.record($0) }
    }

    private static func event(_ state: ConnectivityState, _ interface: String = "eth0") -> Transition {
        Transition(state: state, interface: interface, time: .sample)
    }

    /// The processes with the path of a hook in their arguments, which zombies do not have.
    private func processes(of hook: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
            let arguments = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            return Int(process) != nil && arguments?.contains("\(folder.path)/\(hook)") == true
        }
    }

    @Test func `hooks get the transition, few other variables, no input and a clean signal mask`() async throws {
        try folder.write(
            """
            env | sort > "$0.env"
            cat > "$0.input"
            grep -E '^Sig(Blk|Ign)' /proc/self/status > "$0.signals"
            readlink /proc/self/fd/0 > "$0.stdin"
            ls /proc/self/fd > "$0.descriptors"
            ps -o pgid= -p $$ > "$0.group"; echo $$ >> "$0.group"
            """, to: "hook")
        signal(SIGPIPE, SIG_IGN)
        let runner = runner()
        runner.submit(Transition(state: .offline, reason: "No carrier", interface: "eth0", time: .sample))
        #expect(try await reports.next().detail == "status 0")
        let variables = folder.lines(of: "hook.env").map { $0.prefix { $0 != "=" } }
        let known = ["DIALTONE_", "PATH", "HOME", "LANG", "TZ", "PWD", "OLDPWD", "SHLVL", "_"]
        #expect(variables.allSatisfy { name in known.contains { name.hasPrefix($0) } }, "\(variables)")
        #expect(folder.lines(of: "hook.env").contains("DIALTONE_STATE=offline"))
        #expect(folder.lines(of: "hook.env").contains("DIALTONE_REASON=No carrier"))
        #expect(folder.lines(of: "hook.env").contains { $0.hasPrefix("PATH=/usr/local/sbin:") })
        #expect(folder.lines(of: "hook.input").isEmpty)
        #expect(folder.lines(of: "hook.stdin") == ["/dev/null"])
        // The C library keeps 32 and 33 to itself, as they were when this process started.
        let signals = folder.lines(of: "hook.signals").compactMap { UInt64($0.suffix(16), radix: 16) }
        #expect(signals.count == 2 && signals.allSatisfy { $0 & ~0x1_8000_0000 == 0 })
        // The last is the directory, which `ls` opens.
        #expect(folder.lines(of: "hook.descriptors") == ["0", "1", "2", "3"])
        let group = folder.lines(of: "hook.group").map { $0.filter(\.isNumber) }
        #expect(group.count == 2 && group.first == group.last)
        #expect(runner.counts["succeeded"] == 1)
    }

    @Test func `hooks run in order, and never two at once`() async throws {
        for name in ["2", "10", "1"] {
            let script =
                "echo begin \(name) $DIALTONE_STATE >> \(folder.path)/log.txt; sleep 0.05; "
                + "echo end \(name) $DIALTONE_STATE >> \(folder.path)/log.txt"
            try folder.write(script, to: name)
        }
        let runner = runner()
        let states: [ConnectivityState] = [.online, .offline, .online]
        for state in states { runner.submit(Self.event(state)) }
        for _ in 0..<9 { _ = try await reports.next() }
        let expected = states.flatMap { state in
            ["1", "10", "2"].flatMap { ["begin \($0) \(state.rawValue)", "end \($0) \(state.rawValue)"] }
        }
        #expect(folder.lines(of: "log.txt") == expected)
    }

    @Test func `a hook that hangs delays no transition, and only the newest transitions wait for it`() async throws {
        try folder.write("echo > \(folder.path)/began.txt; exec sleep 600", to: "hook")
        let runner = runner()
        runner.submit(Self.event(.unknown))
        try await eventually { FileManager.default.fileExists(atPath: "\(folder.path)/began.txt") }
        // The hook runs until it is stopped: if one of these waited for it, the test would not end.
        for number in 0..<10_000 { runner.submit(Self.event(.online, "eth\(number)")) }
        #expect(reports.values.isEmpty)
        #expect(runner.counts["skipped"].map { $0 >= 9_980 } == true)
        runner.stop()
        #expect(try await reports.next().result == .failed)
    }

    @Test func `after the time limit the whole group ends, even processes that ignore SIGTERM`() async throws {
        try folder.write("(trap '' TERM; exec tail -f \"$0\") & exec tail -f \"$0\"", to: "hangs")
        let runner = runner(.milliseconds(300))
        runner.submit(Self.event(.online))
        #expect(try await reports.next().result == .timedOut)
        #expect(try processes(of: "hangs").isEmpty)
        try folder.write("exit 3", to: "fails")
        runner.reload(.files(HookFiles(["\(folder.path)/fails"])), timeLimit: .seconds(60), shortestOutage: .zero)
        runner.submit(Self.event(.offline))
        let failed = try await reports.next()
        #expect(failed.result == .failed && failed.detail == "status 3")
        #expect(runner.counts == ["succeeded": 0, "failed": 1, "timedOut": 1, "refused": 0, "skipped": 0])
    }

    @Test func `a hook that ignores SIGTERM gets SIGKILL`() async throws {
        try folder.write("trap '' TERM; while :; do sleep 1; done", to: "hook")
        let runner = runner(.milliseconds(100))
        runner.submit(Self.event(.online))
        #expect(try await reports.next(timeout: .seconds(60)).result == .timedOut)
    }

    @Test func `a hook that became unsafe is refused; the others run`() async throws {
        try folder.write("exit 0", to: "1-unsafe", mode: 0o777)
        try folder.write("exit 0", to: "2-safe")
        try folder.write("", to: "3-broken", interpreter: "/nowhere")
        let runner = runner()
        runner.submit(Self.event(.online))
        #expect(try await reports.next().result == .refused)
        #expect(try await reports.next().result == .succeeded)
        #expect(try await reports.next().detail.hasPrefix("cannot be started: "))
        runner.reload(.files(HookFiles(["\(folder.path)/2-safe"])), timeLimit: .seconds(60), shortestOutage: .zero)
        runner.submit(Self.event(.offline))
        #expect(try await reports.next().command.hasSuffix("/2-safe"))
    }

    @Test func `the end of the runner ends the hook`() async throws {
        let began = "\(folder.path)/began.txt"
        try folder.write("trap '' TERM; tail -f \"$0\" & echo > \(began); while :; do wait; done", to: "hook")
        let runner = runner()
        runner.submit(Self.event(.online))
        try await eventually { FileManager.default.fileExists(atPath: began) }
        runner.stop()
        _ = try await reports.next()
        #expect(try processes(of: "hook").isEmpty)
        runner.submit(Self.event(.offline))
        #expect(runner.counts["failed"] == 1)
    }
}
