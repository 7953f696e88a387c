// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
public import Foundation
import Netlink
public import NetlinkTesting
import Glibc
import SystemSupport

/// A run of a program on a separate terminal, as a user would start it: its output, and keys to type.
///
/// The program leads the terminal's session and is in its foreground.
public final class TerminalRun: Sendable {
    /// The output, piece by piece.
    public let output = Recorder<String>()
    /// The process's number.
    public let identifier: pid_t

    private let terminal: Descriptor
    private let ended = Recorder<Int32>()

    /// Starts a program.
    ///
    /// It inherits the network namespace of the calling thread.
    ///
    /// - Parameters:
    ///   - program: what to run.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: variables that are added to this process's own.
    ///   - columns: the width of the terminal; by default no line wraps.
    /// - Throws: when no terminal is available, or the program cannot be started.
    public init(
        _ program: CommandRun.Program, _ arguments: [String], environment: [String: String] = [:],
        columns: UInt16 = 1000
    ) throws {
        let (terminal, name) = try Self.open(columns: columns)
        self.terminal = terminal
        // Kept open until the program has opened it; otherwise reading would end before the program starts.
        let held = try Descriptor(opening: name, O_RDWR | O_NOCTTY)
        var spawn = Spawn([program.path] + arguments)
        spawn.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
            .merging(environment) { $1 }
        spawn.streams = [.file(name, O_RDWR), .descriptor(0), .descriptor(0)]
        spawn.group = .session
        identifier = try withExtendedLifetime(held) { try spawn.start(program) }
        // The end is reported once everything has been read, so that no output is missing then.
        let reading = DispatchGroup()
        reading.enter()
        Thread.detachNewThread { [output] in
            defer { reading.leave() }
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(terminal.number, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                // EIO: no process has the terminal open any more.
                guard count > 0 else { return }
                output.record(String(decoding: chunk[..<count], as: UTF8.self))
            }
        }
        Thread.detachNewThread { [identifier, ended] in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
            reading.wait()
            ended.record(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
        }
    }

    /// Starts a program in a network namespace.
    public static func start(
        _ program: CommandRun.Program, _ arguments: [String], in namespace: NetworkNamespace,
        environment: [String: String] = [:], columns: UInt16 = 1000
    ) async throws -> TerminalRun {
        try await namespace.run { try TerminalRun(program, arguments, environment: environment, columns: columns) }
    }

    /// A new terminal, by the calls of ioctl_tty(2), because the C library's functions are not imported.
    ///
    /// - Returns: the terminal emulator's end, and the name of the other end.
    static func open(columns: UInt16 = 1000) throws -> (Descriptor, String) {
        let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
        let terminal = try Descriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY)
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        guard ioctl(terminal.number, unlock, &isLocked) == 0, ioctl(terminal.number, getNumber, &number) == 0 else {
            throw POSIXError(.ENXIO)
        }
        var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.number, UInt(TIOCSWINSZ), &size)
        return (terminal, "/dev/pts/\(number)")
    }

    /// All output so far.
    public var text: String { output.values.joined() }

    /// Waits until a text has appeared on the terminal.
    ///
    /// - Returns: all output until then.
    @discardableResult
    public func wait(for text: String, times: Int = 1) async throws -> String {
        while self.text.components(separatedBy: text).count <= times { _ = try await output.next() }
        return self.text
    }

    /// Types text; `\u{3}` is Ctrl-C, `\u{1A}` Ctrl-Z, `\u{4}` Ctrl-D.
    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(terminal.number, bytes, bytes.count)
    }

    /// The terminal's settings: echo, line mode, keys that send signals.
    public var settings: [UInt32] {
        var settings = termios()
        tcgetattr(terminal.number, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }

    /// The foreground process group, which receives the signals of the terminal's keys.
    public var foreground: pid_t { tcgetpgrp(terminal.number) }

    /// Waits for the end.
    ///
    /// - Returns: the exit status, or 128 plus the signal that ended the program.
    public func exitStatus(timeout: Duration = .seconds(60)) async throws -> Int32 {
        try await ended.next(timeout: timeout)
    }
}

extension Capability {
    /// Pseudo-terminals: `/dev/ptmx`.
    public static let terminals = Capability("pseudo-terminals") {
        let (terminal, name) = try TerminalRun.open()
        try withExtendedLifetime(terminal) {
            guard access(name, R_OK | W_OK) == 0 else { throw POSIXError(.ENXIO) }
        }
    }
}
#endif
