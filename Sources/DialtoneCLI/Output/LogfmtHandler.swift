//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Logging

/// Writes a log to standard error, one line an entry: `time=… level=info message=listening address=127.0.0.1:4780`.
struct LogfmtHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata = Logger.Metadata()

    init(level: Logger.Level) { logLevel = level }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var line = "time=\(time) level=\(event.level) message=\(Self.value("\(event.message)"))"
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.value("\(value)"))" }
        Console.explain(line)
    }

    /// A word as it is, anything else in quotes; nothing in it can begin another line or move a cursor.
    static func value(_ text: String) -> String {
        let text = Printable.text(text)
        let isWord = !text.isEmpty && text.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "=" && $0 != "\\" }
        guard !isWord else { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
