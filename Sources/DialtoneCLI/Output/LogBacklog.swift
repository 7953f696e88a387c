//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The lines of a log that wait to be written, in bounds.
///
/// Once there are too many, none is taken until all that wait are written; then it is told how many are missing.
struct LogBacklog: Sendable {
    /// What is to be written next.
    enum Entry: Hashable, Sendable {
        case line(String)
        /// So many lines are missing here.
        case missing(Int)
    }

    private let limit: Int
    private var lines: [String] = []
    private var missing = 0

    init(limit: Int) { self.limit = limit }

    /// Takes a line in, or counts it as missing.
    mutating func add(_ line: String) {
        if missing > 0 || lines.count >= limit {
            missing += 1
        } else {
            lines.append(line)
        }
    }

    /// What is to be written next; nil when nothing is.
    mutating func next() -> Entry? {
        guard lines.isEmpty else { return .line(lines.removeFirst()) }
        guard missing > 0 else { return nil }
        defer { missing = 0 }
        return .missing(missing)
    }
}
