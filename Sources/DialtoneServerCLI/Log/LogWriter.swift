// SPDX-License-Identifier: Apache-2.0

import CLibrary
import Dispatch
import Logging
import Synchronization

/// Writes the lines of a log on a dedicated queue: the caller never waits for a stopped terminal or a slow reader.
final class LogWriter: Sendable {
    /// The log of this process.
    static let standardError = LogWriter(STDERR_FILENO)

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "dialtone.log")
    private let state: Mutex<State>

    private struct State {
        var backlog: LogBacklog
        var isWriting = false
    }

    /// Creates a writer to a descriptor, with a queue of limited length.
    init(_ descriptor: Int32, limit: Int = 1000) {
        self.descriptor = descriptor
        state = Mutex(State(backlog: LogBacklog(limit: limit)))
    }

    /// Queues a line.
    func add(_ line: String) {
        let isFirst = state.withLock { state in
            state.backlog.add(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { self.work() } }
    }

    /// Waits until the queued lines are written, for at most a second.
    ///
    /// - Returns: whether they were written.
    @discardableResult
    func flush(within seconds: Double = 1) -> Bool {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        return done.wait(timeout: .now() + seconds) == .success
    }

    private func work() {
        while let entry = next() {
            switch entry {
            case .line(let line): put(line)
            case .missing(let count):
                put(LogfmtHandler.line(.warning, "log lines dropped", ["count": "\(count)"]))
            }
        }
    }

    private func next() -> LogBacklog.Entry? {
        state.withLock { state in
            let entry = state.backlog.next()
            state.isWriting = entry != nil
            return entry
        }
    }

    /// Writes a whole line; errors are ignored.
    private func put(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                offset += count
            } else if count < 0 && errno == EAGAIN {
                // Another process has made the shared terminal non-blocking.
                var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&output, 1, -1)
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
