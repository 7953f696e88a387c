// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import CommandSupport

/// Programs that this process starts.
@Suite(.real, .timeLimit(.minutes(5)))
struct ChildProcessTests {
    private let folder: HookFolder

    init() throws { folder = try HookFolder() }

    private static func name(_ descriptor: Descriptor) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor.number)")
    }

    @Test func `no program inherits a pipe or a connection that another thread opens when it starts`() async throws {
        let loopback = NetworkAddress(127, 0, 0, 1)
        let listener = try Sockets.openSocket(.ipv4, .stream)
        try Sockets.bindSocket(listener, to: loopback, port: 0)
        try Sockets.startListening(listener, backlog: 16)
        let port = try Sockets.port(listener)
        let isOver = Recorder<Void>()
        // Not on a thread of the runtime, which it would keep from all others.
        async let opening = ThreadStarter.system.run("test.opening") {
            Result {
                var opened: Set<String> = []
                while isOver.values.isEmpty {
                    let client = try Sockets.openSocket(.ipv4, .stream)
                    Sockets.resetOnClose(client)
                    try Sockets.startConnecting(client, to: loopback, port: port)
                    let (pipe, pair) = (try Descriptor.pipe(), try Sockets.connectedPair())
                    let accepted = try Sockets.acceptConnection(listener)
                    let all = [client, accepted, pipe.reading, pipe.writing, pair.0, pair.1]
                    for descriptor in all.compactMap(\.self) { opened.insert(try Self.name(descriptor)) }
                }
                return opened
            }
        }
        defer { isOver.record(()) }
        for number in 1...100 {
            // It gets all descriptors of this process that are not closed on exec.
            let child = try ChildProcess(
                ["sh", "-c", "ls -l /proc/self/fd > \"$0\"", "\(folder.path)/\(number)"], restoring: [])
            await child.waitUntilEnded()
            #expect(child.collect() == .exited(0))
        }
        isOver.record(())
        let opened = try await opening.get()
        #expect(opened.count > 100)
        var inherited: Set<String> = []
        for number in 1...100 {
            for line in folder.lines(of: "\(number)") { inherited.insert(line.components(separatedBy: " ").last ?? "") }
        }
        #expect(!inherited.isEmpty)
        #expect(opened.isDisjoint(with: inherited))
    }

    @Test func `a limited program gets standard input, output and error, and no other descriptor`() async throws {
        // Not closed on exec, as a library may open one.
        let leaked = open("/dev/null", O_RDWR)
        defer { close(leaked) }
        let child = try ChildProcess(
            groupOf: ["/bin/sh", "-c", "ls /proc/self/fd > \"$0\"", "\(folder.path)/list"],
            environment: ["PATH": "/usr/bin:/bin"])
        await child.waitUntilEnded()
        #expect(child.collect() == .exited(0))
        // The last is the directory, which `ls` opens.
        #expect(folder.lines(of: "list") == ["0", "1", "2", "3"])
    }

    @Test func `the end of a group is that of its last process, even if its parent has ended before`() async throws {
        let child = try ChildProcess(
            groupOf: ["/bin/sh", "-c", "sleep 600 & exit 7"], environment: ["PATH": "/usr/bin:/bin"])
        await child.waitUntilEnded()
        let group = child.identifier
        #expect(child.collect() == .exited(7))
        #expect(!child.blockUntilGroupEnded(within: .milliseconds(50)))
        kill(-group, SIGKILL)
        #expect(child.blockUntilGroupEnded(within: .seconds(60)))
        #expect(kill(-group, 0) == -1 && errno == ESRCH)
    }
}
