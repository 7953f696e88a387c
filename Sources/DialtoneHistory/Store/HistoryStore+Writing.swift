// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Dispatch
import GRDB
import SystemSupport

/// The work done on the store's queue.
extension HistoryStore {
    /// The maximum number of records per transaction.
    private static let batchSize = 5000
    /// The number of seconds between two retention rounds.
    private static let retentionInterval: Double = 3600
    /// The number of seconds between a failed retention round and the next.
    private static let retentionPause: Double = 60

    enum WriteReason { case record, tick, request }

    /// Writes the waiting records.
    ///
    /// After a failure, new records do not trigger another attempt, but ticks do.
    func write(_ reason: WriteReason) {
        let isPossible = working { state in
            state.isScheduled = false
            if reason == .tick { state.isTickScheduled = false }
            return !state.isClosed && (reason != .record || state.problem == nil)
        }
        defer { stopWorking() }
        if isPossible { writeAll(isEnd: false, reason) }
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
        state.withLock {
            $0.writingSince = nil
            $0.lastWork = now
        }
    }

    /// Writes the last tick and closes the files.
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

    private func writeAll(isEnd: Bool, _ reason: WriteReason) {
        dispatchPrecondition(condition: .onQueue(queue))
        let now = configuration.clock().monotonic
        // Opening the files checks all of them, which is expensive on a failing disk.
        guard reason == .request || state.withLock({ now >= $0.reopening.after }) else { return }
        openIfNeeded()
        guard var database = state.withLock({ $0.opening?.database }) else { return }
        var written = 0
        do {
            repeat {
                let batch = state.withLock { $0.batch(Self.batchSize, isEnd: isEnd) }
                try database.write(batch)
                written += batch.records.transitions.count + batch.records.checks.count
                let onEvents = state.withLock { state in
                    state.opening?.database = database
                    state.opening?.noteFile()
                    state.didWrite(batch)
                    return state.delivery.onEvents
                }
                if !batch.records.transitions.isEmpty || !batch.records.hosts.reachability.isEmpty { onEvents?() }
            } while state.withLock({ $0.pending.count }) > 0
        } catch {
            failed(DatabaseOpening.problem(error, in: directory.path(percentEncoded: false)))
            return
        }
        recovered(written)
        retainIfNeeded(database)
    }

    private func openIfNeeded() {
        guard closeIfNeeded() else { return }
        let opened = DatabaseOpening.open(
            directory, at: configuration.clock().wall, busyTimeout: configuration.busyTimeout)
        state.withLock { $0.adopt(opened) }
        if let notice = opened.notice { notify(notice) }
        if let problem = opened.problem { failed(problem) }
    }

    /// Closes files that must be reopened, and unlocks the directory.
    ///
    /// - Returns: whether the files need to be opened.
    private func closeIfNeeded() -> Bool {
        let (opening, problem) = state.withLock { ($0.opening, $0.problem) }
        let isReplaced = opening?.isReplaced == true
        if isReplaced, let path = opening?.directory?.database {
            state.withLock { $0.isFileReplaced = true }
            notify(.replaced(path: path, at: configuration.clock().wall))
        }
        if let opening, opening.database != nil, !isReplaced {
            // A full disk only needs free space; after any other failure, the files are inspected again.
            if [nil, .diskFull, .notResponding].contains(problem) { return false }
        }
        // Opening a read-only database may copy all of it, so its reader is kept until writing may succeed.
        if let opening, opening.database == nil, opening.reader != nil, problem == .readOnly, isStillReadOnly {
            return false
        }
        state.withLock { $0.opening = nil }
        opening?.close()
        return true
    }

    /// Whether the directory or the database file still cannot be opened for writing.
    private var isStillReadOnly: Bool {
        do throws(HistoryProblem) {
            try DataDirectory(directory).prepareDatabase()
            return false
        } catch {
            return error == .readOnly
        }
    }

    /// Removes old records, if a round is due.
    ///
    /// After an error, records are still written, and another round follows soon. The files of a damaged database are inspected again.
    private func retainIfNeeded(_ database: HistoryDatabase) {
        let now = configuration.clock()
        let (isDue, isTrusted) = state.withLock { (now.monotonic >= $0.retention.after, $0.trust.trusts(now)) }
        guard isDue else { return }
        defer { state.withLock { $0.opening?.noteFile() } }
        do {
            try database.retain(configuration.retention, now: isTrusted ? now.wall : nil)
            state.withLock { $0.retention = (now.monotonic + Self.retentionInterval, isFailing: false) }
        } catch {
            let isNew = state.withLock { state in
                defer { state.retention = (now.monotonic + Self.retentionPause, isFailing: true) }
                return !state.retention.isFailing
            }
            if let error = error as? DatabaseError, error.isCorruption {
                failed(DatabaseOpening.problem(error, in: directory.path(percentEncoded: false)))
            } else if isNew {
                notify(.retentionFailed(reason: words(of: error)))
            }
        }
    }

    private func failed(_ problem: HistoryProblem) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            state.pending.stopWriting()
            if case .failed = problem {
                state.reopening.pause = min(max(configuration.tickInterval, 2 * state.reopening.pause), 600)
                state.reopening.after = configuration.clock().monotonic + 0.9 * state.reopening.pause
            }
            return state.problem != problem
        }
        if isNew { notify(.degraded(problem)) }
    }

    private func recovered(_ written: Int) {
        let hadProblem = state.withLock { state in
            defer { state.problem = nil }
            state.reopening = (0, 0)
            return state.problem != nil
        }
        if hadProblem { notify(.recovered(written: written)) }
    }

    func notify(_ notice: HistoryNotice) {
        state.withLock { $0.notify(notice) }
        configuration.onNotice?(notice)
    }
}

extension HistoryStore.State {
    /// Whether the disk has not responded for twice the tick interval.
    func isStuck(at now: ClockReading) -> Bool {
        writingSince.map { now.monotonic - $0 > 2 * log.interval } ?? false
    }

    fileprivate mutating func batch(_ size: Int, isEnd: Bool) -> HistoryDatabase.Batch {
        HistoryDatabase.Batch(
            records: pending.startWriting(size), first: next, cursor: delivery.isChanged ? delivery.cursor : nil,
            tick: log.tick(isEnd: isEnd))
    }

    fileprivate mutating func didWrite(_ batch: HistoryDatabase.Batch) {
        pending.didWrite()
        next.transition += Int64(batch.records.transitions.count)
        next.check += Int64(batch.records.checks.count)
        next.host += Int64(batch.records.hosts.reachability.count)
        if batch.cursor == delivery.cursor { delivery.isChanged = false }
    }
}

extension DatabaseOpening {
    /// Closes the files and unlocks the directory.
    func close() {
        database?.close()
        if database == nil { try? reader?.close() }
    }
}

/// The records that are not on disk yet: bounded, in recording order.
struct PendingRecords: Hashable, Sendable {
    /// Records that are written in one transaction.
    struct Batch: Hashable, Sendable {
        var transitions: [HistoryTransition] = []
        var checks: [CheckRecord] = []
        var hosts = PendingHosts()
        var findings = PendingFindings()
    }

    private(set) var transitions: [HistoryTransition] = []
    private(set) var checks: [CheckRecord] = []
    /// The changes to the watched hosts, which are not counted as records.
    var hosts = PendingHosts()
    /// What the heartbeat found, which is not counted as records either; the oldest is dropped.
    var findings = PendingFindings()
    /// The number of records that were discarded.
    private(set) var discarded = 0
    /// The oldest records, which are being written.
    private var writing = Batch()
    private let maximumTransitions: Int
    private let maximumChecks: Int

    init(maximumTransitions: Int = 200_000, maximumChecks: Int = 20_000) {
        self.maximumTransitions = max(2, maximumTransitions)
        self.maximumChecks = max(1, maximumChecks)
    }

    /// The number of records.
    var count: Int { transitions.count + checks.count }

    mutating func append(_ records: [HistoryTransition]) { transitions += records }

    mutating func append(_ check: CheckRecord) { checks.append(check) }

    /// Inserts earlier records at the front.
    mutating func prepend(_ records: [HistoryTransition]) { transitions = records + transitions }

    /// Returns the oldest records, and everything that is not counted, for writing.
    ///
    /// ``trim()`` keeps them until ``didWrite()`` or ``stopWriting()``.
    mutating func startWriting(_ size: Int) -> Batch {
        writing = Batch(
            transitions: Array(transitions.prefix(size)), checks: Array(checks.prefix(size)), hosts: hosts,
            findings: findings)
        hosts = PendingHosts()
        findings = PendingFindings()
        return writing
    }

    /// Ends a failed write: the records stay.
    mutating func stopWriting() {
        findings.merge(earlier: writing.findings)
        hosts.merge(earlier: writing.hosts)
        writing = Batch()
        trim()
    }

    /// Removes the oldest records after they were written.
    mutating func didWrite() {
        transitions.removeFirst(writing.transitions.count)
        checks.removeFirst(writing.checks.count)
        writing = Batch()
    }

    /// Drops the oldest half of the records above the limits; the state during dropped transitions becomes unknown.
    mutating func trim() {
        findings.trim()
        discarded += hosts.trim()
        let firstCheck = writing.checks.count
        if checks.count - firstCheck > maximumChecks {
            let count = checks.count - firstCheck - maximumChecks / 2
            checks.removeSubrange(firstCheck..<(firstCheck + count))
            discarded += count
        }
        let first = writing.transitions.count
        if transitions.count - first > maximumTransitions {
            let count = transitions.count - first - maximumTransitions / 2
            transitions.replaceSubrange(
                first..<(first + count),
                with: [HistoryTransition(time: transitions[first].time, state: .unknown, cause: .discarded)])
            for (index, transition) in transitions.enumerated() where transition.replaced > index {
                transitions[index].replaced = index
            }
            discarded += count
        }
    }
}
