//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A command that was started without a shell, with this process's own input, output and terminal.
struct ChildProcess {
    /// How it ended.
    enum End: Hashable, Sendable {
        /// By itself, with a status.
        case exited(Int32)
        /// By a signal.
        case killed(Int32)

        /// As a shell tells it.
        var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let number): 128 + number
            }
        }
    }

    /// It could not be started.
    struct StartError: Error, CustomStringConvertible {
        let command: String
        let number: Int32

        /// 127 for a command that does not exist, 126 for one that cannot be executed, as shells have it.
        var status: Int32 { number == ENOENT || number == ENOTDIR || number == ELOOP ? 127 : 126 }

        var description: String { "\(command): \(String(cString: strerror(number)))" }
    }

    let identifier: pid_t

    /// Starts a command, found by `PATH` if it has no slash.
    ///
    /// It stays in this process's group, so that the keys of a terminal reach both, and the terminal stays theirs.
    ///
    /// - Parameters:
    ///   - arguments: the command and its arguments; not empty.
    ///   - signals: those that this process catches or ignores and did not at first: the command gets them as they were.
    init(_ arguments: [String], restoring signals: [Int32]) throws(StartError) {
        let command = arguments.first ?? ""
        // An empty name is that of no command; some systems would try the folder.
        guard !command.isEmpty else { throw StartError(command: "''", number: ENOENT) }
        var identifier: pid_t = 0
        let result = Self.spawn(&identifier, arguments, restoring: signals, isDetached: false)
        guard result == 0 else { throw StartError(command: command, number: result) }
        self.identifier = identifier
    }

    /// Starts a command that outlives this one: in a session of its own, without this one's input and output, and with every
    /// signal as it is by default.
    ///
    /// - Returns: whether it started.
    static func startDetached(_ arguments: [String]) -> Bool {
        var identifier: pid_t = 0
        let signals = (1..<NSIG).filter { ![SIGKILL, SIGSTOP].contains($0) }
        return spawn(&identifier, arguments, restoring: signals, isDetached: true) == 0
    }

    /// posix_spawnp(3) with no signal blocked: the threads of Dispatch and of Swift, which call it, have all of them blocked.
    private static func spawn(
        _ identifier: inout pid_t, _ arguments: [String], restoring signals: [Int32], isDetached: Bool
    ) -> Int32 {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #else
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var set = sigset_t()
        sigemptyset(&set)
        posix_spawnattr_setsigmask(&attributes, &set)
        for number in signals { sigaddset(&set, number) }
        posix_spawnattr_setsigdefault(&attributes, &set)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        if isDetached {
            flags |= newSession
            for number: Int32 in 0...2 {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var list = arguments.map { strdup($0) } + [nil]
        defer { for text in list { free(text) } }
        return posix_spawnp(&identifier, arguments[0], &actions, &attributes, &list, environ)
    }

    #if canImport(Darwin)
    private static let newSession = Int32(POSIX_SPAWN_SETSID)
    #else
    /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc shows only to GNU sources.
    private static let newSession: Int32 = 0x80
    #endif

    /// Waits until it has ended; its number stays its own until `collect()`, so that no signal can go to another.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "dialtone.child").async {
                var information = siginfo_t()
                while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
                continuation.resume()
            }
        }
    }

    /// Has the kernel keep how children end, which it does not for one who ignores SIGCHLD, and that is inherited.
    static func keepEnds() { signal(SIGCHLD, SIG_DFL) }

    /// How it ended.
    func collect() -> End {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            // What is not known is no success.
            guard errno == EINTR else { return .exited(ExitStatus.internalError.rawValue) }
        }
        let number = status & 0x7F
        return number == 0 ? .exited((status >> 8) & 0xFF) : .killed(number)
    }

    /// Sends it a signal.
    static func send(_ number: Int32, to identifier: pid_t) { kill(identifier, number) }
}

#if canImport(Darwin)
/// The environment of this process, which Apple's C library offers by a function.
var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { _NSGetEnviron().pointee }
#endif
