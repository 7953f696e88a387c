// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import Dispatch
import Foundation
import LibC
import Logging
import SystemSupport

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
        var level = Logger.Level.info
        var format = LogFormat.text
    }

    /// Creates a writer to a descriptor, with a queue of limited length.
    init(_ descriptor: Int32, limit: Int = 1000) {
        self.descriptor = descriptor
        state = Mutex(State(backlog: LogBacklog(limit: limit)))
    }

    /// The least severe messages to log.
    var level: Logger.Level { state.withLock { $0.level } }

    var format: LogFormat { state.withLock { $0.format } }

    /// Sets the level and the format from now on.
    func configure(_ level: Logger.Level, _ format: LogFormat) {
        state.withLock {
            $0.level = level
            $0.format = format
        }
    }

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
        // clock: the calling thread blocks until the queue has written.
        return done.wait(timeout: .now() + seconds) == .success
    }

    private func work() {
        while let entry = next() {
            switch entry {
            case .line(let line): put(line)
            case .missing(let count):
                put(LogLine(.warning, "log lines dropped", ["count": "\(count)"]).text(in: format))
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
    private func put(_ line: String) { try? Console.print(line, to: descriptor) }
}

/// A bounded queue of log lines to write.
///
/// When the backlog is full, lines are dropped until it has been written; then their number is logged.
struct LogBacklog: Sendable {
    /// The next lines to write.
    enum Entry: Hashable, Sendable {
        case line(String)
        /// This number of lines was dropped here.
        case missing(Int)
    }

    private let limit: Int
    private var lines: [String] = []
    private var missing = 0

    init(limit: Int) { self.limit = limit }

    /// Adds a line, or counts it as dropped.
    mutating func add(_ line: String) {
        if missing > 0 || lines.count >= limit {
            missing += 1
        } else {
            lines.append(line)
        }
    }

    /// The next lines to write; nil if the queue is empty.
    mutating func next() -> Entry? {
        guard lines.isEmpty else { return .line(lines.removeFirst()) }
        guard missing > 0 else { return nil }
        defer { missing = 0 }
        return .missing(missing)
    }
}

/// Writes a log to standard error without blocking, one line per entry.
struct LogLineHandler: LogHandler {
    /// The level of this logger; nil for that of the whole log, which a reload can change.
    private var ownLevel: Logger.Level?
    private let writer = LogWriter.standardError
    var metadata = Logger.Metadata()

    var logLevel: Logger.Level {
        get { ownLevel ?? writer.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let line = LogLine(event.level, "\(event.message)", all.mapValues { "\($0)" })
        writer.add(line.text(in: writer.format))
    }
}

struct LogLine {
    private let fields: [(name: String, value: String)]

    /// Creates an entry with the current time.
    init(_ level: Logger.Level, _ message: String, _ values: [String: String]) {
        let own: [(name: String, value: String)] = [
            ("time", TimeSource.system.moment.realtime.iso8601), ("level", level.rawValue), ("message", message),
        ]
        // In JSON, a name must not occur twice.
        let others = values.filter { name, _ in !own.contains { $0.name == name } }.sorted { $0.key < $1.key }
        fields = own + others.map { (name: $0.key, value: $0.value) }
    }

    /// The entry as one line, which untrusted text in it cannot end.
    func text(in format: LogFormat) -> String {
        switch format {
        case .text: fields.map { "\($0.name)=\(Self.word($0.value))" }.joined(separator: " ")
        case .json:
            "{" + fields.map { "\(OneLineJSON.string($0.name)):\(OneLineJSON.string($0.value))" }.joined(separator: ",")
                + "}"
        }
    }

    /// A word unchanged, anything else in quotes and escaped, so that it cannot start another line or move a cursor.
    static func word(_ text: String) -> String {
        let text = Printable.text(text)
        let isWord = !text.isEmpty && text.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "=" && $0 != "\\" }
        guard !isWord else { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
