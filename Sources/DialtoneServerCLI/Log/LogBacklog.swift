// SPDX-License-Identifier: Apache-2.0

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
