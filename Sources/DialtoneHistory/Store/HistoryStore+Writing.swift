//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import GRDB
import Synchronization

/// What happens on the store's queue.
extension HistoryStore {
    /// How many records one transaction takes at most.
    private static let batchSize = 5000
    /// How many seconds there are between two rounds of retention.
    private static let retentionInterval: Double = 3600

    /// Writes what waits.
    ///
    /// - Parameter retrying: whether to try although it failed the last time.
    func write(retrying: Bool) {
        let (isTroubled, isClosed) = state.withLock { state in
            state.isScheduled = false
            return (state.trouble != nil, state.isClosed)
        }
        guard !isClosed, retrying || !isTroubled else {
            state.withLock { $0.pending.trim() }
            return
        }
        writeAll(isEnd: false)
    }

    /// Writes the last sign of life and closes the files.
    func end() {
        writeAll(isEnd: true)
        let opening = state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }
        opening?.close()
    }

    private func writeAll(isEnd: Bool) {
        openIfNeeded()
        guard var database = state.withLock({ $0.opening?.database }) else {
            state.withLock { $0.pending.trim() }
            return
        }
        var written = 0
        do {
            repeat {
                let batch = state.withLock { $0.batch(Self.batchSize, isEnd: isEnd) }
                try database.write(batch)
                written += batch.transitions.count + batch.checks.count
                state.withLock { state in
                    state.opening?.database = database
                    state.wrote(batch)
                }
            } while state.withLock({ $0.pending.count }) > 0
            recovered(written)
            try retainIfNeeded(database)
        } catch {
            failed(DatabaseOpening.trouble(error, in: directory.path(percentEncoded: false)))
        }
    }

    private func openIfNeeded() {
        guard letGoIfNeeded() else { return }
        let opened = DatabaseOpening.open(directory, at: configuration.clock().wall)
        state.withLock { $0.adopt(opened) }
        if let notice = opened.notice { tell(notice) }
        if let trouble = opened.trouble { failed(trouble) }
    }

    /// Closes files that are to be opened anew, and lets go of the directory.
    ///
    /// - Returns: whether there is something to open.
    private func letGoIfNeeded() -> Bool {
        let (opening, trouble) = state.withLock { ($0.opening, $0.trouble) }
        if let opening, opening.database != nil, opening.directory?.hasDatabase == true {
            // A full disk needs no more than room; after anything else the files are looked at anew.
            if trouble == nil || trouble == .diskFull { return false }
        }
        state.withLock { $0.opening = nil }
        opening?.close()
        return true
    }

    private func retainIfNeeded(_ database: HistoryDatabase) throws {
        let now = configuration.clock()
        let (isDue, isBelieved) = state.withLock { state in
            let isBelieved = state.trust.believes(now)
            if let last = state.retained, now.monotonic - last < Self.retentionInterval { return (false, isBelieved) }
            state.retained = now.monotonic
            return (true, isBelieved)
        }
        if isDue { try database.retain(configuration.retention, now: isBelieved ? now.wall : nil) }
    }

    private func failed(_ trouble: HistoryTrouble) {
        let isNew = state.withLock { state in
            defer { state.trouble = trouble }
            state.pending.trim()
            return state.trouble != trouble
        }
        if isNew { tell(.degraded(trouble)) }
    }

    private func recovered(_ written: Int) {
        let wasTroubled = state.withLock { state in
            defer { state.trouble = nil }
            return state.trouble != nil
        }
        if wasTroubled { tell(.recovered(written: written)) }
    }

    private func tell(_ notice: HistoryNotice) {
        state.withLock { $0.tell(notice) }
        configuration.onNotice?(notice)
    }
}

extension HistoryStore.State {
    fileprivate func batch(_ size: Int, isEnd: Bool) -> HistoryDatabase.Batch {
        HistoryDatabase.Batch(
            transitions: Array(pending.transitions.prefix(size)), firstTransition: next.transition,
            checks: Array(pending.checks.prefix(size)), firstCheck: next.check, beat: log.beat(isEnd: isEnd))
    }

    fileprivate mutating func wrote(_ batch: HistoryDatabase.Batch) {
        pending.removeFirst(transitions: batch.transitions.count, checks: batch.checks.count)
        next.transition += Int64(batch.transitions.count)
        next.check += Int64(batch.checks.count)
    }
}

extension DatabaseOpening {
    /// Closes the files and lets go of the directory.
    func close() {
        database?.close()
        if database == nil { try? reader?.close() }
    }
}
