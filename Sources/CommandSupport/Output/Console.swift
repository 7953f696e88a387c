// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC
import SystemSupport

/// Standard output, which may be a terminal, a file, or a pipe whose reader has gone.
package enum Console {
    /// The reader of standard output has closed it, which is not an error.
    package struct Closed: Error {}

    /// Standard output cannot be written, for example because the disk is full.
    package struct Failed: Error, CustomStringConvertible {
        let reason: SystemError
        package var description: String { "standard output cannot be written: \(reason)" }
    }

    /// Writes a line at once.
    ///
    /// - Throws: `Closed` if the reader has closed it, `Failed` if it cannot be written.
    package static func print(_ line: String, to descriptor: Int32 = STDOUT_FILENO) throws {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            do throws(SystemError) {
                let count = try SystemCall.write(rest, to: descriptor)
                if count == 0 { throw SystemError(EPIPE) }
                rest = rest.dropFirst(count)
            } catch {
                switch error.number {
                case EAGAIN:
                    // Another process has made the shared terminal non-blocking.
                    var output = PollSet(readable: [], writable: [descriptor])
                    output.wait(seconds: nil)
                case EPIPE, EIO, EBADF: throw Closed()
                default: throw Failed(reason: error)
                }
            }
        }
    }

    /// The line as it is printed: on a terminal, with line breaks between words, indented below the first line.
    package static func wrapped(_ line: String, indent: Int) -> String {
        line.wrapped(to: width, indent: indent)
    }

    /// Runs a closure that prints an answer, and ignores the error if the reader has closed standard output.
    ///
    /// - Throws: `Failed`.
    package static func answer(_ body: () throws -> Void) throws {
        do { try body() } catch is Closed {}
    }

    /// Writes a line of explanation to standard error.
    ///
    /// Errors are ignored.
    package static func printError(_ line: String) { StatusTerminal.write(line + "\n") }

    /// Whether to print colors: on a terminal that supports them, unless NO_COLOR is set (no-color.org).
    package static var wantsColor: Bool {
        guard isatty(STDOUT_FILENO) == 1 else { return false }
        if let choice = ProcessEnvironment.value("NO_COLOR"), !choice.isEmpty { return false }
        return ProcessEnvironment.value("TERM").map { $0 != "dumb" } ?? false
    }

    /// The width of the terminal in columns; nil if standard output is no terminal, and `Int.max` if its width is unknown.
    package static var width: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }

    /// Ignores SIGPIPE, so that writing to a closed pipe returns an error.
    ///
    /// - Returns: whether it was already ignored.
    @discardableResult
    package static func ignoreBrokenPipes() -> Bool {
        let wasIgnored = InheritedSignals.isIgnored(SIGPIPE)
        signal(SIGPIPE, SIG_IGN)
        return wasIgnored
    }

    /// Calls back when the reader has closed standard output; for a file, never.
    ///
    /// A stream without changes would otherwise not notice.
    static func whenClosed(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "dialtone.stdout").async {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // POLLERR and POLLHUP are always reported.
            while unsafe poll(&output, 1, -1) < 0 && errno == EINTR {}
            body()
        }
    }
}
