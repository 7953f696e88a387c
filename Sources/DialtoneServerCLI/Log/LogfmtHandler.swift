// SPDX-License-Identifier: Apache-2.0

import DialtoneCommandLine
import Foundation
import Logging

/// Writes a log to standard error without blocking, one line per entry:
/// `time=… level=info message=listening address=127.0.0.1:4780`.
struct LogfmtHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata = Logger.Metadata()

    init(level: Logger.Level) { logLevel = level }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        LogWriter.standardError.add(Self.line(event.level, "\(event.message)", all.mapValues { "\($0)" }))
    }

    /// One entry, with the current time.
    static func line(_ level: Logger.Level, _ message: String, _ values: [String: String]) -> String {
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var line = "time=\(time) level=\(level) message=\(value(message))"
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.value(value))" }
        return line
    }

    /// A word unchanged, anything else in quotes and escaped, so that it cannot start another line or move a cursor.
    static func value(_ text: String) -> String {
        let text = Printable.text(text)
        let isWord = !text.isEmpty && text.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "=" && $0 != "\\" }
        guard !isWord else { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
