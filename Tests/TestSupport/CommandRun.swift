// SPDX-License-Identifier: Apache-2.0

import CTestSupport
public import Foundation
import SystemSupport

#if os(Linux) || os(Android)
public import Netlink
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

        /// The command of this package, as built for the tests.
        public static var dialtone: Program {
            let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            return Program(path: own.deletingLastPathComponent().appendingPathComponent("dialtone").path)
        }
    }

    /// The lines of standard output.
    public let output = Recorder<String>()
    /// The lines of standard error.
    public let errors = Recorder<String>()

    /// The process's number.
    public let identifier: pid_t

    private let ended = Recorder<Int32>()
    private static let starting = Mutex(())

    /// Starts a program.
    ///
    /// It inherits the network namespace of the calling thread.
    ///
    /// - Parameters:
    ///   - program: what to run.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: variables that are added to this process's own.
    /// - Throws: when the program cannot be started.
    public init(_ program: Program, _ arguments: [String], environment: [String: String] = [:]) throws {
        let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // One start at a time: another program must not inherit a pipe before it is marked close-on-exec, and keep it open.
        let (identifier, outputEnd, errorEnd) = try Self.starting.withLock { _ in
            let (outputEnd, errorEnd) = (try PipeEnds(), try PipeEnds())
            let identifier = try Self.spawn(
                [program.path] + arguments, environment, output: outputEnd.writing, errors: errorEnd.writing)
            close(outputEnd.writing)
            close(errorEnd.writing)
            return (identifier, outputEnd, errorEnd)
        }
        self.identifier = identifier
        // The end is reported once both streams have been read completely, so that no line is missing then.
        let streams = DispatchGroup()
        for (number, lines) in [(outputEnd.reading, output), (errorEnd.reading, errors)] {
            streams.enter()
            Thread.detachNewThread {
                LineSplitter.record(number, into: lines)
                streams.leave()
            }
        }
        Thread.detachNewThread { [ended] in
            streams.wait()
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
            ended.record(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
        }
    }

    /// posix_spawn(3), with signal handling as a shell sets it, and empty input.
    private static func spawn(
        _ arguments: [String], _ environment: [String: String], output: Int32, errors: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        #if os(Linux)
        // The program must not inherit descriptors of other tests, which would stay open with it.
        CTest_addCloseFrom(&actions, 3)
        #endif

        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var argumentList = arguments.map { strdup($0) } + [nil]
        var environmentList = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argumentList + environmentList { free(text) } }
        var identifier: pid_t = 0
        let result = posix_spawn(
            &identifier, arguments[0], &actions, &attributes, &argumentList, &environmentList)
        guard result == 0 else { throw CocoaError(.executableLoad, userInfo: ["path": arguments[0], "errno": result]) }
        return identifier
    }

    #if os(Linux) || os(Android)
    /// Starts a program in a network namespace.
    public static func start(
        _ program: Program, _ arguments: [String], in namespace: NetworkNamespace, environment: [String: String] = [:]
    ) async throws -> CommandRun {
        try await namespace.run { try CommandRun(program, arguments, environment: environment) }
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

/// The two ends of a pipe, not inherited by other programs that are started at the same time.
private struct PipeEnds {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}

private enum LineSplitter {
    /// Reads to the end and records each line; then closes.
    static func record(_ number: Int32, into lines: Recorder<String>) {
        defer { close(number) }
        var rest = Data()
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(number, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            rest += chunk[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines.record(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
        }
        if !rest.isEmpty { lines.record(String(decoding: rest, as: UTF8.self)) }
    }
}
