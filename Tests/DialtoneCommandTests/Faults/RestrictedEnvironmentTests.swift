// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// The built command in restricted environments: it works, or reports what it cannot read.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct RestrictedEnvironmentTests {
    private static let dialtone = CommandRun.Program.dialtone.path

    private func uplink() async throws -> Uplink {
        let lab = try Uplink()
        try await lab.connect()
        return lab
    }

    /// Runs it from a shell in a separate mount namespace.
    private func run(_ lab: Uplink, after setup: String, _ arguments: String) async throws -> CommandRun {
        let script = "mount --make-rprivate / && \(setup) && exec \"$0\" \(arguments)"
        return try await CommandRun.start(
            .init(path: "/usr/bin/unshare"), ["--mount", "/bin/sh", "-c", script, Self.dialtone], in: lab.namespace)
    }

    private func object(_ line: String?) throws -> [String: Any] {
        let line = try #require(line)
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// A check of all operators has dozens of them open at once.
    @Test(.requires(.tunnels), .requires(.ownResolverFile), arguments: [16, 20, 24, 32, 40])
    func `a check without enough descriptors passes, or names their lack`(limit: Int) async throws {
        let lab = try await FaultLab()
        try await lab.join()
        let run = try await lab.served.run(
            ["--nofile=\(limit):\(limit)", Self.dialtone, "check", "--json"], program: .init(path: "/usr/bin/prlimit"))
        _ = try await run.exitStatus(timeout: .seconds(120))
        let report = try object(run.output.values.first)
        let isOnline = report["connectivity"] as? String == "online"
        #expect(isOnline ? report["fault"] is NSNull : report["cause"] as? String == "noResources", "\(report)")
    }

    @Test func `without any capability it watches`() async throws {
        let lab = try await uplink()
        let poor = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", Self.dialtone]
        let watch = try await CommandRun.start(
            .init(path: "/usr/bin/setpriv"), poor + ["watch", "--passive", "--json"], in: lab.namespace)
        _ = try await watch.output.next { $0.contains(#""status":"satisfied""#) }
        #expect(try capabilities(of: watch) == "0000000000000000")
        try lab.pullCable()
        let line = try await watch.output.next { $0.contains(#""status":"unsatisfied""#) }
        #expect(line.contains(#""reason":"noCarrier""#))
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
    }

    private func capabilities(of run: CommandRun) throws -> String {
        let status = try String(contentsOfFile: "/proc/\(run.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("CapEff:") })
        return String(try #require(line.split(separator: "\t").last))
    }

    @Test(.requires(.sandbox)) func `if subscriptions are refused it polls for changes`() async throws {
        let lab = try await uplink()
        let watch = try await lab.namespace.run {
            try Sandbox.refuse(.multicast)
            return try CommandRun(.dialtone, ["watch", "--passive", "--json"])
        }
        let first = try await watch.output.next { $0.contains(#""status":"satisfied""#) }
        let path = try #require(try object(first)["path"] as? [String: Any])
        #expect(path["limitation"] as? String != nil, "\(first)")
        try lab.pullCable()
        _ = try await watch.output.next { $0.contains(#""status":"unsatisfied""#) }
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
    }

    @Test(.requires(.sandbox)) func `without netlink the state is unknown, with the reason`() async throws {
        let lab = try await uplink()
        let run = try await lab.namespace.run {
            try Sandbox.refuse(.sockets)
            return try CommandRun(.dialtone, ["status", "--passive", "--json"])
        }
        #expect(try await run.exitStatus() == 4)
        let path = try #require(try object(run.output.values.first)["path"] as? [String: Any])
        #expect((path["limitation"] as? String)?.isEmpty == false, "\(run.output.values)")
    }

    @Test(.requires(.sandbox), arguments: ["check", "status"])
    func `without any socket the sandbox is the reason, and not the network`(command: String) async throws {
        let lab = try await uplink()
        let run = try await lab.namespace.run {
            try Sandbox.refuse(.allSockets)
            return try CommandRun(.dialtone, [command])
        }
        _ = try await run.exitStatus()
        let text = (run.output.values + run.errors.values).joined(separator: "\n")
        #expect(text.contains("A sandbox forbids network sockets: allow AF_INET and AF_INET6"), "\(text)")
        #expect(!text.contains("DNS") && !text.contains("router"), "\(text)")
    }

    @Test(.requires(.mounts)) func `without /sys the report is the same`() async throws {
        let lab = try await uplink()
        let run = try await run(lab, after: "mount -t tmpfs none /sys", "status --passive --json")
        #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        let path = try #require(try object(run.output.values.first)["path"] as? [String: Any])
        #expect(path["status"] as? String == "satisfied")
        let interface = try #require((path["interfaces"] as? [[String: Any]])?.first)
        #expect(interface["type"] as? String == "wiredEthernet")
    }

    @Test(.requires(.mounts)) func `without the kernel's settings under /proc/sys the report is the same`() async throws
    {
        let lab = try await uplink()
        let run = try await run(lab, after: "mount -t tmpfs none /proc/sys", "status --passive --json")
        #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        let path = try #require(try object(run.output.values.first)["path"] as? [String: Any])
        #expect(path["status"] as? String == "satisfied")
    }

    // Swift reads the arguments from /proc. If `--passive` is not readable, the command must not run a check that sends
    // packets. A sanitizer with its own allocator prints more messages.
    @Test(.requires(.allocatorFigures), .requires(.mounts)) func `without /proc it fails with the reason`() async throws
    {
        let lab = try await uplink()
        let run = try await run(lab, after: "mount -t tmpfs none /proc", "status --passive --json")
        #expect(try await run.exitStatus() == 70, "\(run.output.values)")
        #expect(run.output.values.isEmpty)
        #expect(run.errors.values == ["dialtone: the arguments cannot be read, because /proc is not mounted here"])
    }
}
#endif
