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

/// Standard output, which may be a terminal, a file, or a pipe whose reader has gone.
enum Console {
    /// The reader of standard output has gone: nothing more can be told, which is no error.
    struct Closed: Error {}

    /// Writes a line at once.
    ///
    /// - Throws: `Closed` when nobody reads any more.
    static func print(_ line: String) throws(Closed) {
        let bytes = Array((line + "\n").utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Closed() }
            offset += count
        }
    }

    /// Writes a line of explanation to standard error.
    ///
    /// Nobody need read it.
    static func explain(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Whether colours are wanted: on a terminal that can show them, unless NO_COLOR is set (no-color.org).
    static var wantsColor: Bool {
        guard isatty(STDOUT_FILENO) == 1 else { return false }
        if let choice = getenv("NO_COLOR"), choice.pointee != 0 { return false }
        return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    /// Makes writing to a closed pipe an error to be handled instead of a signal that kills.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Calls back when the reader of standard output has gone; for a file, never.
    ///
    /// A stream that has nothing to say would otherwise not notice.
    static func whenClosed(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "dialtone.stdout").async {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // POLLERR and POLLHUP are always reported.
            while poll(&output, 1, -1) < 0 && errno == EINTR {}
            body()
        }
    }
}
