// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// A program that is stopped while the network changes, as by a debugger, a frozen cgroup or a swapping machine.
@Suite(.requires(.networkNamespaces), .requires(.linkKind("veth")), .timeLimit(.minutes(5)))
struct StoppedTests {
    @Test func `after SIGSTOP during many changes only the current state is reported`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await CommandRun.start(.dialtone, ["watch", "--passive", "--json"], in: lab.namespace)
        _ = try await watch.output.next { $0.contains(#""status":"satisfied""#) }
        try await eventually { try threads(of: watch) == Self.resting }
        let before = try descriptors(of: watch)

        kill(watch.identifier, SIGSTOP)
        // More than its socket's buffer holds, so events are lost while the program is stopped.
        try await lab.namespace.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "up0").index
            let gateway = NetworkAddress(192, 0, 2, 9)
            for _ in 0..<20_000 {
                let route = NewRoute(.all(.ipv4), via: gateway, interface: index, priority: 900)
                try kernel.addRoute(route)
                try kernel.deleteRoute(route)
            }
        }
        try await lab.loseCarrier()
        #expect(try drops(in: lab.namespace) > 0)
        kill(watch.identifier, SIGCONT)

        let line = try await watch.output.next { $0.contains(#""status":"unsatisfied""#) }
        #expect(line.contains(#""reason":"noCarrier""#))
        // One line for all changes together.
        #expect(watch.output.values.count == 2)
        try lab.plugCable()
        _ = try await watch.output.next { $0.contains(#""status":"satisfied""#) }
        try await eventually { try threads(of: watch) == Self.resting }
        // At the start there may have been a timer, which also watches the clocks.
        #expect(try descriptors(of: watch) <= before)
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
    }

    /// The threads that watch the kernel; others read its state, and end.
    private static let resting = ["dialtone.kernel\n"]

    /// The names of the program's own threads: those of Dispatch's pool come and go.
    private func threads(of run: CommandRun) throws -> [String] {
        let tasks = "/proc/\(run.identifier)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
            try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)
        }.filter { $0.hasPrefix("dialtone.") }.sorted()
    }

    private func descriptors(of run: CommandRun) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.identifier)/fd").count
    }

    /// The number of messages that the sockets of a namespace have lost: the second-last column of /proc/net/netlink.
    private func drops(in namespace: NetworkNamespace) throws -> Int {
        let table = try namespace.run { try String(contentsOfFile: "/proc/thread-self/net/netlink", encoding: .utf8) }
        return table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ")
            return columns.count >= 9 ? Int(columns[8]) : nil
        }.max() ?? 0
    }
}
#endif
