// SPDX-License-Identifier: Apache-2.0

package import Dialtone

package struct HistoryStatus: Hashable, Sendable {
    /// Why new records are kept in memory until writing is possible again; nil while they are written to disk.
    package var problem: HistoryProblem?
    /// The number of records waiting in memory.
    package var waiting = 0
    /// The number of records discarded to limit memory use.
    package var discarded = 0
    /// The notices since the store was opened, oldest first; at most the last 100.
    package var notices: [HistoryNotice] = []

    /// Whether records are written to disk.
    package var isHealthy: Bool { problem == nil }

    /// The latest notice about a file that is no longer the history; nil without any.
    package var loss: HistoryNotice? {
        notices.last {
            switch $0 {
            case .replaced, .quarantined: true
            default: false
            }
        }
    }
}

/// The reason why records are not written to disk.
package enum HistoryProblem: Error, Hashable, Sendable {
    /// The disk, or this program's quota, is full.
    case diskFull
    /// The directory or the file is not writable.
    case readOnly
    /// Another process is recording a history in the directory.
    case inUse
    /// The disk does not respond: a write takes longer than twice the tick interval.
    case notResponding
    /// Another user could replace the directory or its files, so nothing is read or written there.
    case refused(String)
    /// The system or the database reported another error, with this message.
    case failed(String)
}

extension HistoryProblem: CustomStringConvertible {
    /// A description of the problem and its remedy.
    package var description: String {
        switch self {
        case .diskFull: "The disk is full: free some space, and recording will resume."
        case .readOnly: "The data directory is not writable: check its owner, and that it is not read-only."
        case .inUse: "Another dialtone records its history in this directory: choose another directory, or stop it."
        case .notResponding: "The disk does not respond."
        case .refused(let text): "The data directory is not used: \(text)."
        case .failed(let text): "The history cannot be written: \(text)."
        }
    }
}

/// An event in the life of the store.
package enum HistoryNotice: Hashable, Sendable {
    /// Records are no longer written to disk.
    case degraded(HistoryProblem)
    /// Records are written to disk again, including this number of waiting ones.
    case recovered(written: Int)
    /// An unusable file was renamed, and a new history was started.
    case quarantined(path: String, reason: String)
    /// Another program replaced, removed or truncated the file; recording continues in the one that is there now.
    case replaced(path: String, at: Date)
    /// Old records were not removed; new ones are written.
    case retentionFailed(reason: String)
}

extension HistoryNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .degraded(let problem): "\(problem) Until then, new records stay in memory."
        case .recovered(let written): "Recording resumed; \(written) queued records were written."
        case .quarantined(let path, let reason):
            "The history is unusable (\(reason)); it was renamed to \(path), and a new one was started."
        case .replaced(let path, let time):
            """
            Another program replaced, removed or truncated \(path) before \(LocalTime.text(time, .second)): what it held may be \
            missing. Recording continues in the file that is there now, or in a new one.
            """
        case .retentionFailed(let reason):
            "Old records could not be removed from the history (\(reason)); another attempt follows in a minute."
        }
    }
}
