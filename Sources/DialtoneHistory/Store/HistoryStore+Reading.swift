//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials
import GRDB
import Synchronization

extension HistoryStore {
    /// What was the case in a window of time.
    ///
    /// - Parameters:
    ///   - start: when it starts.
    ///   - end: when it ends; what lies in the future is not watched.
    /// - Throws: ``HistoryReadingError`` when what was kept cannot be read.
    public func timeline(from start: Date, to end: Date) async throws(HistoryReadingError) -> Timeline {
        let transitions = try await recorded(from: start, to: end)
        let future = HistoryTransition(time: configuration.clock().wall, state: .notWatching, cause: .noRecord)
        return Timeline(from: start, to: end, transitions: transitions + [future])
    }

    /// The outages of a window of time.
    ///
    /// - Throws: ``HistoryReadingError`` when what was kept cannot be read.
    public func outages(from start: Date, to end: Date) async throws(HistoryReadingError) -> [Outage] {
        try await timeline(from: start, to: end).outages
    }

    /// The transitions in a window of time, in the order in which they were recorded, each with the state before it.
    ///
    /// - Throws: ``HistoryReadingError`` when what was kept cannot be read.
    public func transitions(
        from start: Date, to end: Date
    ) async throws(HistoryReadingError) -> [HistoryTransition] {
        HistoryTransition.within(start, end, of: try await recorded(from: start, to: end))
    }

    /// What the checks in a window of time came to, as at most so many summaries.
    ///
    /// - Throws: ``HistoryReadingError`` when what was kept cannot be read.
    public func checks(
        from start: Date, to end: Date, maximum: Int = 500
    ) async throws(HistoryReadingError) -> [CheckSummary] {
        let (opening, pending, next) = state.withLock { ($0.opening, $0.pending.checks, $0.next.check) }
        let reader = try reader(opening)
        var checks: [CheckSummary] = []
        var written: Int64 = 0
        if let reader {
            (checks, written) = try await read(reader) { db in
                (try Queries.checks(db, from: start, to: end), try Queries.lastRecords(db).check)
            }
        }
        let waiting = pending.dropFirst(Int(max(0, written - next + 1)))
            .filter { $0.time >= start && $0.time < end }
        return CheckSummary.thinned(
            checks + waiting.map(CheckSummary.init), from: start, to: end, maximum: maximum)
    }

    /// What was recorded, on disk and in memory.
    private func recorded(from start: Date, to end: Date) async throws(HistoryReadingError) -> [HistoryTransition] {
        let (opening, pending, next) = state.withLock { ($0.opening, $0.pending.transitions, $0.next.transition) }
        guard let reader = try reader(opening) else { return pending }
        let (kept, written) = try await read(reader) { db in
            (
                try Queries.transitions(db, from: start, to: end, waiting: pending),
                try Queries.lastRecords(db).transition
            )
        }
        // What was written between the two looks is in both.
        return kept + pending.dropFirst(Int(max(0, written - next + 1)))
    }

    /// What reads the files; nil when there are none that could be read.
    ///
    /// - Throws: while they are opened anew, and after they were closed: what is in memory is not the whole history.
    private func reader(_ opening: DatabaseOpening?) throws(HistoryReadingError) -> (any DatabaseReader)? {
        guard let opening else {
            throw .unusable(directory.path(percentEncoded: false), reason: "it is being opened or has been closed")
        }
        return opening.reader
    }

    private func read<Value: Sendable>(
        _ reader: any DatabaseReader, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HistoryReadingError) -> Value {
        do {
            return try await reader.read(body)
        } catch {
            throw .unusable(
                directory.path(percentEncoded: false),
                reason: (error as? DatabaseError)?.message ?? "\(error)")
        }
    }
}

extension HistoryTransition {
    /// Those of a window, each with the state before it.
    static func within(
        _ start: Date, _ end: Date, of transitions: [HistoryTransition]
    ) -> [HistoryTransition] {
        var previous: HistoryState?
        var result: [HistoryTransition] = []
        for var transition in transitions {
            transition.previous = previous
            previous = transition.state
            if transition.time >= start && transition.time < end { result.append(transition) }
        }
        return result
    }
}
