// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct DescriptorLimitTests {
    @Test func `visitors that use all connections do not use up the monitor's descriptors`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let command = try await CommandRun.start(
            CommandRun.Program(path: "/bin/sh"),
            [
                "-c", "ulimit -n 160; exec \"$0\" \"$@\"", CommandRun.Program.dialtone.path, "serve", "--listen",
                "127.0.0.1:0", "--passive", "--data-dir", lab.directory.path,
            ], in: lab.network.client)
        let line = try await command.output.next(timeout: .seconds(60)) { $0.hasPrefix("Serving on ") }
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) })
        _ = try await command.errors.next(timeout: .seconds(60)) { $0.contains("message=connectivity") }
        let crowd = try await lab.network.client.run { try (0..<300).map { _ in try RawClient(port) } }
        for client in crowd.prefix(100) { try? client.send(RawClient.text(port, "GET", "/events")) }
        // An idle connection is closed to make room for this one.
        let client = try await lab.network.client.run { try RawClient(port) }
        try client.send(RawClient.text(port, "GET", "/healthz", ["Connection": "close"]))
        #expect(Reply(try await client.readToEnd()).status == 200)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(command.identifier)/fd").count
        #expect(open < 140, "\(open)")
        try await lab.network.setCable(connected: false)
        _ = try await command.errors.next(timeout: .seconds(60)) { $0.contains("state=offline") }
        withExtendedLifetime(crowd) {}
        command.terminate()
        #expect(try await command.exitStatus() == 0)
    }
}
#endif
