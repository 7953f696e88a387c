// SPDX-License-Identifier: Apache-2.0

import Logging
import TestSupport

/// Records log lines.
struct RecordingLog: LogHandler {
    let lines: Recorder<String>
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    init(_ lines: Recorder<String>) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).map { "\($0)=\($1)" }.joined(separator: " ")
        lines.record("\(event.message) \(values)")
    }
}
