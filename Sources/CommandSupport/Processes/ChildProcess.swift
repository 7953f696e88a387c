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

        /// The exit status, as in shells: 127 for a command that does not exist, 126 for a file that is not executable.
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
        var spawn = Spawn(arguments)
        spawn.defaultSignals = signals
        try self.init(spawn)
    }

    /// Starts a command that this process limits: in a new process group, without input, with this process's standard
    /// error as its output, and with the default handling of every signal.
    ///
    /// - Parameter arguments: the command and its arguments; not empty.
    init(groupOf arguments: [String], environment: [String: String]) throws(StartError) {
        var spawn = Spawn(arguments)
        spawn.environment = environment
        spawn.streams = [.file("/dev/null", O_RDONLY), .descriptor(STDERR_FILENO), .descriptor(STDERR_FILENO)]
        spawn.group = .own
        try self.init(spawn)
    }

    private init(_ spawn: Spawn) throws(StartError) {
        let command = spawn.arguments.first ?? ""
        // No command has an empty name, but some systems would try to execute the current directory.
        guard !command.isEmpty else { throw StartError(command: "''", number: ENOENT) }
        do {
            identifier = try spawn.start()
        } catch {
            throw StartError(command: command, number: error.number)
        }
    }

    /// Starts a command that outlives this one: in a new session, without this command's input and output, and with the
    /// default handling of every signal.
    ///
    /// - Returns: whether it started.
    package static func startDetached(_ arguments: [String]) -> Bool {
        var spawn = Spawn(arguments)
        spawn.streams = [.file("/dev/null", O_RDONLY), .file("/dev/null", O_WRONLY), .file("/dev/null", O_WRONLY)]
        spawn.group = .session
        return (try? spawn.start()) != nil
    }

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
    func blockUntilEnded() {
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
    static func send(_ number: Int32, toGroupOf identifier: Int32) { kill(-identifier, number) }

    /// Waits, on this thread, until the last process of the command's group has ended; must follow `collect()`.
    ///
    /// A process ends some time after SIGKILL, and never while it waits for a disk that does not respond. As long as the group has a
    /// process, the kernel does not use its number again.
    ///
    /// - Returns: whether all have ended.
    func blockUntilGroupEnded(within limit: Duration) -> Bool {
        let time = TimeSource.system
        let end = time.now + limit
        while true {
            // The first process of a container becomes the parent of those whose parent has ended.
            while waitpid(-identifier, nil, WNOHANG) > 0 {}
            if kill(-identifier, 0) != 0, errno == ESRCH { return true }
            if time.now >= end { return false }
            // clock: the kernel reports only the end of children, so this thread looks again and again.
            usleep(1000)
        }
    }
}
