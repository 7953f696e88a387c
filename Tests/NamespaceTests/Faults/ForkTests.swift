// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// A process that watches the path and forks without `exec`: the child has none of the parent's threads.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(2)))
struct ForkTests {
    private let lab: RoutedLab

    init() async throws {
        lab = try RoutedLab()
        try await lab.join()
    }

    private func start(_ means: String) async throws -> CommandRun {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = CommandRun.Program(
            path: own.deletingLastPathComponent().appendingPathComponent("ForkedChild").path)
        return try await CommandRun.start(program, [means], in: lab.client)
    }

    @Test(arguments: [("read", "satisfied"), ("flags", "reachable")])
    func `a child reads the path and the flags`(means: String, expected: String) async throws {
        let child = try await start(means)
        #expect(try await child.output.next() == expected)
        #expect(try await child.exitStatus() == 0)
    }

    @Test func `the current path of a child's monitor follows the network`() async throws {
        let child = try await start("current")
        #expect(try await child.output.next() == "satisfied")
        try await lab.setCable(connected: false)
        #expect(try await child.output.next() == "unsatisfied")
        #expect(try await child.exitStatus() == 0)
    }

    @Test func `a child's handler on the main queue gets each change`() async throws {
        let child = try await start("handler")
        #expect(try await child.output.next() == "satisfied")
        try await lab.setCable(connected: false)
        #expect(try await child.output.next() == "unsatisfied")
        child.terminate()
        _ = try await child.exitStatus()
    }
}
#endif
