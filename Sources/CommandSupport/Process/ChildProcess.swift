// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC
import SystemSupport

/// A program that this process started.
package struct ChildProcess: Sendable {
    /// The result of the program.
    package enum End: Hashable, Sendable {
        /// It exited with a status.
        case exited(Int32)
        /// A signal ended it.
        case killed(Int32)

        /// The exit status by the convention of shells.
        package var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let number): 128 + number
            }
        }
    }

    /// A command that could not be started.
    package struct StartError: Error, CustomStringConvertible {
        let command: String
        let number: Int32

        /// The exit status, as in shells: 127 for a command that does not exist, 126 for one that cannot be executed.
        package var status: Int32 { number == ENOENT || number == ENOTDIR || number == ELOOP ? 127 : 126 }

        package var description: String { "\(command): \(SystemError(number))" }
    }

    package let identifier: Int32

    /// Starts a command, found by `PATH` if it has no slash.
    ///
    /// It stays in this process's group, so that signals from a terminal's keys reach both, and both may use the
    /// terminal.
    ///
    /// - Parameters:
    ///   - arguments: the command and its arguments; not empty.
    ///   - signals: the signals whose handling this process has changed; the command gets their original handling.
    package init(_ arguments: [String], restoring signals: [Int32]) throws(StartError) {
        try self.init(arguments, restoring: signals, .attached)
    }

    /// Starts a command that this process limits: in a process group of its own, without input, with this process's standard
    /// error as its output, and with the default handling of every signal.
    ///
    /// - Parameters:
    ///   - arguments: the command and its arguments; not empty.
    ///   - environment: all variables of the command.
    package init(groupOf arguments: [String], environment: [String: String]) throws(StartError) {
        try self.init(arguments, restoring: Self.allSignals, .group(environment))
    }

    private init(_ arguments: [String], restoring signals: [Int32], _ place: Place) throws(StartError) {
        let command = arguments.first ?? ""
        // No command has an empty name, but some systems would try to execute the current directory.
        guard !command.isEmpty else { throw StartError(command: "''", number: ENOENT) }
        var identifier: Int32 = 0
        let result = Self.spawn(&identifier, arguments, restoring: signals, place)
        guard result == 0 else { throw StartError(command: command, number: result) }
        self.identifier = identifier
    }

    /// Starts a command that outlives this one: in a new session, without this command's input and output, and with the
    /// default handling of every signal.
    ///
    /// - Returns: whether it started.
    package static func startDetached(_ arguments: [String]) -> Bool {
        var identifier: Int32 = 0
        return spawn(&identifier, arguments, restoring: allSignals, .session) == 0
    }

    private static let allSignals = (1..<NSIG).filter { ![SIGKILL, SIGSTOP].contains($0) }

    /// What a command shares with this process.
    private enum Place {
        /// The process group, the terminal, the input and output, and the environment.
        case attached
        /// Only the environment.
        case session
        /// Only standard error.
        case group([String: String])
    }

    /// posix_spawnp(3) with no signal blocked: the threads of Dispatch and of Swift, which call it, block all of them.
    private static func spawn(
        _ identifier: inout pid_t, _ arguments: [String], restoring signals: [Int32], _ place: Place
    ) -> Int32 {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #else
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe posix_spawnattr_setsigmask(&attributes, &set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &set)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        var variables: [String]?
        switch place {
        case .attached: break
        case .session:
            flags |= newSession
            for number: Int32 in 0...2 {
                unsafe posix_spawn_file_actions_addopen(
                    &actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        case .group(let environment):
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
            // Some libraries open descriptors, such as NIO's epoll instances, that programs inherit.
            for number in openDescriptors where number > STDERR_FILENO {
                unsafe posix_spawn_file_actions_addclose(&actions, number)
            }
            variables = environment.map { "\($0)=\($1)" }
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var list = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variableList = unsafe (variables ?? []).map { unsafe strdup($0) } + [nil]
        defer { unsafe (list + variableList).forEach { unsafe free($0) } }
        guard variables != nil else {
            return unsafe posix_spawnp(&identifier, arguments[0], &actions, &attributes, &list, environ)
        }
        return unsafe posix_spawnp(&identifier, arguments[0], &actions, &attributes, &list, &variableList)
    }

    /// The descriptors of this process, and perhaps some that were closed since.
    private static var openDescriptors: [Int32] {
        #if canImport(Darwin)
        let folder = "/dev/fd"
        #else
        let folder = "/proc/self/fd"
        #endif
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int32($0) }
    }

    #if canImport(Darwin)
    private static let newSession = Int32(POSIX_SPAWN_SETSID)
    #else
    /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc shows only to GNU sources.
    private static let newSession: Int32 = 0x80
    #endif

    /// Waits until it has ended; its process ID stays reserved until `collect()`, so that no signal can reach another
    /// process.
    package func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "dialtone.child").async {
                blockUntilEnded()
                continuation.resume()
            }
        }
    }

    /// Does the same on this thread, which it blocks.
    package func blockUntilEnded() {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    }

    /// Makes the kernel keep the status of children, which it discards if SIGCHLD is ignored; that setting is
    /// inherited.
    package static func keepChildStatus() { signal(SIGCHLD, SIG_DFL) }

    /// The result of the command.
    package func collect() -> End {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0 {
            // An unknown result is a failure.
            guard errno == EINTR else { return .exited(ExitStatus.internalError.rawValue) }
        }
        let number = status & 0x7F
        return number == 0 ? .exited((status >> 8) & 0xFF) : .killed(number)
    }

    /// Sends the command a signal.
    package static func send(_ number: Int32, to identifier: Int32) { kill(identifier, number) }

    /// Sends a signal to all processes of the group of a command, which must not have been collected.
    package static func send(_ number: Int32, toGroupOf identifier: Int32) { kill(-identifier, number) }
}

#if canImport(Darwin)
/// The environment of this process, which Apple's C library offers by a function.
var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { unsafe _NSGetEnviron().pointee }
#endif
