// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SystemSupport

#if os(Linux) || os(Android)
import Netlink
package import NetlinkTesting
#endif

/// A run of the `dialtone` command, or another program, as a user would start it, with its output line by line.
///
/// ```swift
/// let watch = try CommandRun(.dialtone, ["watch", "--passive", "--json"])
/// let first = try await watch.output.next()
/// watch.interrupt()
/// #expect(try await watch.exitStatus() == 0)
/// ```
public final class CommandRun: Sendable {
    /// The program to run.
    public struct Program: Sendable {
        /// Its path.
        public let path: String

        /// A program by its path.
        public init(path: String) { self.path = path }

        /// A program of this package, as built for the tests.
        public static func built(_ name: String) -> Program {
            let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            return Program(path: own.deletingLastPathComponent().appendingPathComponent(name).path)
        }

        /// nft(8), which sets rules of the kernel's packet filter.
        public static let nft = Program(path: "/usr/sbin/nft")

        /// The command of this package.
        public static var dialtone: Program { built("dialtone") }
    }

    /// The lines of standard output.
    public let output = Recorder<String>()
    /// The lines of standard error.
    public let errors = Recorder<String>()

    /// The process's number.
    public let identifier: pid_t

    private let ended = Recorder<Int32>()

    /// Starts a program.
    ///
    /// It inherits the network namespace of the calling thread.
    ///
    /// - Parameters:
    ///   - program: what to run.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: variables that are added to this process's own.
    ///   - input: what it reads from standard input; nil for nothing.
    /// - Throws: when the program cannot be started.
    package init(
        _ program: Program, _ arguments: [String], environment: [String: String] = [:], input: Descriptor? = nil
    ) throws {
        let (outputEnd, errorEnd) = (try Descriptor.pipe(0), try Descriptor.pipe(0))
        var spawn = Spawn([program.path] + arguments)
        spawn.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        spawn.streams = [
            input.map { .descriptor($0.number) } ?? .file("/dev/null", O_RDONLY),
            .descriptor(outputEnd.writing.number), .descriptor(errorEnd.writing.number),
        ]
        // The writing ends must stay open until the program has them.
        identifier = try withExtendedLifetime((outputEnd, errorEnd, input)) { try spawn.start(program) }
        // The end is reported once both streams have been read completely, so that no line is missing then.
        let streams = DispatchGroup()
        for (descriptor, lines) in [(outputEnd.reading, output), (errorEnd.reading, errors)] {
            streams.enter()
            Thread.detachNewThread {
                LineSplitter.record(descriptor, into: lines)
                streams.leave()
            }
        }
        Thread.detachNewThread { [identifier, ended] in
            streams.wait()
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
            ended.record(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
        }
    }

    #if os(Linux) || os(Android)
    /// Starts a program in a network namespace.
    package static func start(
        _ program: Program, _ arguments: [String], in namespace: NetworkNamespace, environment: [String: String] = [:],
        input: Descriptor? = nil
    ) async throws -> CommandRun {
        try await namespace.run { try CommandRun(program, arguments, environment: environment, input: input) }
    }
    #endif

    /// Sends SIGINT, as Ctrl-C does.
    public func interrupt() { kill(identifier, SIGINT) }

    /// Sends SIGTERM.
    public func terminate() { kill(identifier, SIGTERM) }

    /// Waits for the end.
    ///
    /// - Returns: the exit status, or 128 plus the signal that ended the program.
    public func exitStatus(timeout: Duration = .seconds(60)) async throws -> Int32 {
        try await ended.next(timeout: timeout)
    }
}

extension Spawn {
    /// Starts the program, with an error that names it.
    func start(_ program: CommandRun.Program) throws -> pid_t {
        do {
            return try start()
        } catch {
            throw CocoaError(.executableLoad, userInfo: ["path": program.path, "errno": error.number])
        }
    }
}

private enum LineSplitter {
    /// Reads to the end, and records each line.
    static func record(_ descriptor: Descriptor, into lines: Recorder<String>) {
        var rest = Data()
        var chunk = [UInt8](repeating: 0, count: 4096)
        while let count = try? SystemCall.read(descriptor.number, into: &chunk), count > 0 {
            rest += chunk[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines.record(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
        }
        if !rest.isEmpty { lines.record(String(decoding: rest, as: UTF8.self)) }
    }
}
