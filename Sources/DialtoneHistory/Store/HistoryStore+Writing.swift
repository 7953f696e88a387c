//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneSupport
import GRDB
import Synchronization

/// The work done on the store's queue.
extension HistoryStore {
    /// The maximum number of records per transaction.
    private static let batchSize = 5000
    /// The number of seconds between two retention rounds.
    private static let retentionInterval: Double = 3600

    /// The reason for a write.
    enum Occasion { case record, heartbeat, request }

    /// Writes the waiting records.
    ///
    /// After a failure, new records do not trigger another attempt, but heartbeats do.
    func write(_ occasion: Occasion) {
        let isPossible = working { state in
            state.isScheduled = false
            if occasion == .heartbeat { state.isHeartbeatScheduled = false }
            return !state.isClosed && (occasion != .record || state.trouble == nil)
        }
        defer { stopWorking() }
        if isPossible { writeAll(isEnd: false, occasion) }
    }

    /// Notes that the queue may block on the disk from now on.
    private func working<Value>(_ body: (inout State) -> Value) -> Value where Value: Sendable {
        let now = configuration.clock().monotonic
        return state.withLock { state in
            state.writingSince = now
            return body(&state)
        }
    }

    private func stopWorking() {
        let now = configuration.clock().monotonic
        state.withLock { ($0.writingSince, $0.lastWork) = (nil, now) }
    }

    /// Writes the last heartbeat and closes the files.
    func end() {
        working { _ in }
        defer { stopWorking() }
        writeAll(isEnd: true, .request)
        let opening = state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }
        opening?.close()
    }

    private func writeAll(isEnd: Bool, _ occasion: Occasion) {
        let now = configuration.clock().monotonic
        // Opening the files checks all of them, which is expensive on a failing disk.
        guard occasion == .request || state.withLock({ now >= $0.reopening.after }) else { return }
        openIfNeeded()
        guard var database = state.withLock({ $0.opening?.database }) else { return }
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

    /// Closes files that must be reopened, and unlocks the directory.
    ///
    /// - Returns: whether the files need to be opened.
    private func letGoIfNeeded() -> Bool {
        let (opening, trouble) = state.withLock { ($0.opening, $0.trouble) }
        if let opening, opening.database != nil, opening.directory?.hasDatabase == true {
            // A full disk only needs free space; after any other failure, the files are inspected again.
            if [nil, .diskFull, .notResponding].contains(trouble) { return false }
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
            state.pending.stopWriting()
            if case .failed = trouble {
                state.reopening.pause = min(max(configuration.heartbeatInterval, 2 * state.reopening.pause), 600)
                state.reopening.after = configuration.clock().monotonic + 0.9 * state.reopening.pause
            }
            return state.trouble != trouble
        }
        if isNew { tell(.degraded(trouble)) }
    }

    private func recovered(_ written: Int) {
        let wasTroubled = state.withLock { state in
            defer { state.trouble = nil }
            state.reopening = (0, 0)
            return state.trouble != nil
        }
        if wasTroubled { tell(.recovered(written: written)) }
    }

    func tell(_ notice: HistoryNotice) {
        state.withLock { $0.tell(notice) }
        configuration.onNotice?(notice)
    }
}

extension HistoryStore.State {
    /// Whether the disk has not responded for twice the heartbeat interval.
    func hangs(at now: ClockReading) -> Bool {
        writingSince.map { now.monotonic - $0 > 2 * log.interval } ?? false
    }

    fileprivate mutating func batch(_ size: Int, isEnd: Bool) -> HistoryDatabase.Batch {
        let (transitions, checks) = pending.startWriting(size)
        return HistoryDatabase.Batch(
            transitions: transitions, firstTransition: next.transition, checks: checks, firstCheck: next.check,
            beat: log.beat(isEnd: isEnd))
    }

    fileprivate mutating func wrote(_ batch: HistoryDatabase.Batch) {
        pending.removeFirst(transitions: batch.transitions.count, checks: batch.checks.count)
        next.transition += Int64(batch.transitions.count)
        next.check += Int64(batch.checks.count)
    }
}

extension DatabaseOpening {
    /// Closes the files and unlocks the directory.
    func close() {
        database?.close()
        if database == nil { try? reader?.close() }
    }
}
