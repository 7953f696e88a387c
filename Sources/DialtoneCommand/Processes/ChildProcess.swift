// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dispatch
import LibC
import SystemSupport

/// A command that was started without a shell, with this process's own input, output and terminal.
struct ChildProcess {
    /// The result of the command.
    enum End: Hashable, Sendable {
        /// It exited with a status.
        case exited(Int32)
        /// A signal ended it.
        case killed(Int32)

        /// The exit status by the convention of shells.
        var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let number): 128 + number
            }
        }
    }

    /// A command that could not be started.
    struct StartError: Error, CustomStringConvertible {
        let command: String
        let number: Int32

        /// The exit status, as in shells: 127 for a command that does not exist, 126 for one that cannot be executed.
        var status: Int32 { number == ENOENT || number == ENOTDIR || number == ELOOP ? 127 : 126 }

        var description: String { "\(command): \(SystemError(number))" }
    }

    let identifier: pid_t

    /// Starts a command, found by `PATH` if it has no slash.
    ///
    /// It stays in this process's group, so that signals from a terminal's keys reach both, and both may use the
    /// terminal.
    ///
    /// - Parameters:
    ///   - arguments: the command and its arguments; not empty.
    ///   - signals: the signals whose handling this process has changed; the command gets their original handling.
    init(_ arguments: [String], restoring signals: [Int32]) throws(StartError) {
        let command = arguments.first ?? ""
        // No command has an empty name, but some systems would try to execute the current directory.
        guard !command.isEmpty else { throw StartError(command: "''", number: ENOENT) }
        var identifier: pid_t = 0
        let result = Self.spawn(&identifier, arguments, restoring: signals, isDetached: false)
        guard result == 0 else { throw StartError(command: command, number: result) }
        self.identifier = identifier
    }

    /// Starts a command that outlives this one: in a new session, without this command's input and output, and with the
    /// default handling of every signal.
    ///
    /// - Returns: whether it started.
    static func startDetached(_ arguments: [String]) -> Bool {
        var identifier: pid_t = 0
        let signals = (1..<NSIG).filter { ![SIGKILL, SIGSTOP].contains($0) }
        return spawn(&identifier, arguments, restoring: signals, isDetached: true) == 0
    }

    /// posix_spawnp(3) with no signal blocked: the threads of Dispatch and of Swift, which call it, block all of them.
    private static func spawn(
        _ identifier: inout pid_t, _ arguments: [String], restoring signals: [Int32], isDetached: Bool
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
        if isDetached {
            flags |= newSession
            for number: Int32 in 0...2 {
                unsafe posix_spawn_file_actions_addopen(
                    &actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var list = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe list.forEach { unsafe free($0) } }
        return unsafe posix_spawnp(&identifier, arguments[0], &actions, &attributes, &list, environ)
    }

    #if canImport(Darwin)
    private static let newSession = Int32(POSIX_SPAWN_SETSID)
    #else
    /// POSIX_SPAWN_SETSID of <spawn.h>, which glibc shows only to GNU sources.
    private static let newSession: Int32 = 0x80
    #endif

    /// Waits until it has ended; its process ID stays reserved until `collect()`, so that no signal can reach another
    /// process.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "dialtone.child").async {
                var information = unsafe siginfo_t()
                while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
                continuation.resume()
            }
        }
    }

    /// Makes the kernel keep the status of children, which it discards if SIGCHLD is ignored; that setting is
    /// inherited.
    static func keepChildStatus() { signal(SIGCHLD, SIG_DFL) }

    /// The result of the command.
    func collect() -> End {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0 {
            // An unknown result is a failure.
            guard errno == EINTR else { return .exited(ExitStatus.internalError.rawValue) }
        }
        let number = status & 0x7F
        return number == 0 ? .exited((status >> 8) & 0xFF) : .killed(number)
    }

    /// Sends the command a signal.
    static func send(_ number: Int32, to identifier: pid_t) { kill(identifier, number) }
}

#if canImport(Darwin)
/// The environment of this process, which Apple's C library offers by a function.
var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { unsafe _NSGetEnviron().pointee }
#endif
