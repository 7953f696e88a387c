//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How the store is.
public struct HistoryStatus: Codable, Hashable, Sendable {
    /// Whether records reach the disk.
    public enum Health: Codable, Hashable, Sendable {
        /// They do.
        case healthy
        /// They do not: new ones are kept in memory, and written as soon as that is possible.
        case degraded(HistoryTrouble)
    }

    /// Whether records reach the disk.
    public var health: Health
    /// How many records wait in memory.
    public var waiting: Int
    /// How many records were given up, because memory is bounded too.
    public var discarded: Int
    /// What happened since the store was opened, oldest first; at most the last 100.
    public var notices: [HistoryNotice]

    /// Makes a status.
    public init(health: Health, waiting: Int = 0, discarded: Int = 0, notices: [HistoryNotice] = []) {
        self.health = health
        self.waiting = waiting
        self.discarded = discarded
        self.notices = notices
    }

    /// Whether records reach the disk.
    public var isHealthy: Bool { health == .healthy }
}

/// Why records do not reach the disk.
public enum HistoryTrouble: Error, Codable, Hashable, Sendable {
    /// The disk, or what this program may use of it, is full.
    case diskFull
    /// The directory or the file cannot be written to.
    case readOnly
    /// Another process keeps a history in the directory.
    case inUse
    /// The system or the database refused, in these words.
    case failed(String)
}

extension HistoryTrouble: CustomStringConvertible {
    /// What is wrong, and what helps, in words.
    public var description: String {
        switch self {
        case .diskFull: "The disk is full: make room, and the history is written."
        case .readOnly: "The data directory cannot be written to: is it read-only, or another user's?"
        case .inUse: "Another dialtone keeps its history in this directory: choose another, or stop it."
        case .failed(let text): "The history cannot be written: \(text)"
        }
    }
}

/// Something that happened to the store.
public enum HistoryNotice: Codable, Hashable, Sendable {
    /// Records no longer reach the disk.
    case degraded(HistoryTrouble)
    /// Records reach the disk again, these among them.
    case recovered(written: Int)
    /// A file that could not be used was kept under another name, and a new history was begun.
    case keptAside(path: String, reason: String)
}

extension HistoryNotice: CustomStringConvertible {
    /// What happened, in words.
    public var description: String {
        switch self {
        case .degraded(let trouble): "\(trouble) Until then it is kept in memory."
        case .recovered(let written): "The history is written again; \(written) records had waited."
        case .keptAside(let path, let reason):
            "The history could not be used (\(reason)); it was kept as \(path), and a new one begun."
        }
    }
}
