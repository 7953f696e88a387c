// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// The tests' own server leaves nothing behind.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct TestServerTests {
    /// No other test has a server on this port, whose thread is named after it.
    private static let port: UInt16 = 4099

    private var threads: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "accept \(Self.port)\n"
        }
    }

    /// The sockets of a namespace, in any state.
    private func sockets(_ namespace: NetworkNamespace) throws -> String {
        try namespace.run {
            let text = try String(contentsOfFile: "/proc/thread-self/net/sockstat", encoding: .utf8)
            return text.split(separator: "\n").first.map(String.init) ?? ""
        }
    }

    @Test func `a released server ends its thread and closes its socket`() async throws {
        let namespace = try NetworkNamespace()
        let before = try sockets(namespace)
        for _ in 0..<20 {
            let server = try TestServer(in: namespace, port: Self.port) { _ in .hold }
            #expect(try sockets(namespace) != before)
            withExtendedLifetime(server) {}
        }
        // Each thread ends soon after its server.
        // clock: the kernel does not report that it has ended.
        while try threads > 0 || sockets(namespace) != before { try await Task.sleep(for: .milliseconds(10)) }
    }
}
#endif
