// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC

/// Standard output, which may be a terminal, a file, or a pipe whose reader has gone.
package enum Console {
    /// The reader of standard output has closed it, which is not an error.
    package struct Closed: Error {}

    /// Standard output cannot be written, for example because the disk is full.
    package struct Failed: Error, CustomStringConvertible {
        let number: Int32
        package var description: String { "standard output cannot be written: \(String(cString: strerror(number)))" }
    }

    /// Writes a line at once.
    ///
    /// - Throws: `Closed` if the reader has closed it, `Failed` if it cannot be written.
    package static func print(_ line: String) throws { try print(line, to: STDOUT_FILENO) }

    /// Writes a line to a descriptor at once.
    ///
    /// - Throws: as `print(_:)`.
    package static func print(_ line: String, to descriptor: Int32) throws {
        let bytes = Array((line + "\n").utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                offset += count
                continue
            }
            switch count == 0 ? EPIPE : errno {
            case EINTR: continue
            case EAGAIN:
                // Another process has made the shared terminal non-blocking.
                var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&output, 1, -1)
            case EPIPE, EIO, EBADF: throw Closed()
            case let number: throw Failed(number: number)
            }
        }
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
    package static func printError(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Whether to print colors: on a terminal that supports them, unless NO_COLOR is set (no-color.org).
    package static var wantsColor: Bool {
        guard isatty(STDOUT_FILENO) == 1 else { return false }
        if let choice = getenv("NO_COLOR"), choice.pointee != 0 { return false }
        return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
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
    package static func whenClosed(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "dialtone.stdout").async {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // POLLERR and POLLHUP are always reported.
            while poll(&output, 1, -1) < 0 && errno == EINTR {}
            body()
        }
    }
}
