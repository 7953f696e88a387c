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
        let before = try holdings(of: watch)

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
        let after = try holdings(of: watch)
        // At the start there may have been a timer, which also watches the clocks.
        #expect(after.descriptors <= before.descriptors)
        #expect(after.threads == before.threads)
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
    }

    /// The number of descriptors, and the names of the program's own threads: those of Dispatch's pool come and go.
    private func holdings(of run: CommandRun) throws -> (descriptors: Int, threads: [String]) {
        let process = "/proc/\(run.identifier)"
        let threads = try FileManager.default.contentsOfDirectory(atPath: "\(process)/task").compactMap { thread in
            try? String(contentsOfFile: "\(process)/task/\(thread)/comm", encoding: .utf8)
        }.filter { $0.hasPrefix("dialtone.") }
        return (try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").count, threads.sorted())
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
