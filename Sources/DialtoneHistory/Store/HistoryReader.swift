//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials
import GRDB

/// Reads the history in a directory, also while another process keeps it; changes nothing.
public struct HistoryReader: Sendable {
    private let reading: ReadingPlace
    private let path: String
    private let clock: @Sendable () -> ClockReading

    /// Opens the history in a directory.
    ///
    /// - Parameters:
    ///   - directory: where it is kept.
    ///   - clock: tells what the clocks of the host say; to be replaced by tests.
    /// - Throws: ``HistoryReadingError``.
    public init(
        _ directory: URL, clock: @escaping @Sendable () -> ClockReading = ClockReading.now
    ) throws(HistoryReadingError) {
        reading = try ReadingPlace(directory)
        path = directory.path(percentEncoded: false)
        self.clock = clock
    }

    /// What was the case in a window of time.
    ///
    /// When the one who watches has not been heard of for longer than it should be, nobody watched since.
    ///
    /// - Throws: ``HistoryReadingError``.
    public func timeline(from start: Date, to end: Date) async throws(HistoryReadingError) -> Timeline {
        let (kept, beat) = try await read { db in
            (try Queries.transitions(db, from: start, to: end), try Queries.beat(db))
        }
        return Timeline(from: start, to: end, transitions: kept + Self.ending(after: beat, at: clock()))
    }

    /// What the checks in a window of time came to, as at most so many summaries.
    ///
    /// - Throws: ``HistoryReadingError``.
    public func checks(
        from start: Date, to end: Date, maximum: Int = 500
    ) async throws(HistoryReadingError) -> [CheckSummary] {
        let checks = try await read { try Queries.checks($0, from: start, to: end) }
        return CheckSummary.thinned(checks, from: start, to: end, maximum: maximum)
    }

    /// The transitions in a window of time, in the order in which they were recorded, each with the state before it.
    ///
    /// - Throws: ``HistoryReadingError``.
    public func transitions(
        from start: Date, to end: Date
    ) async throws(HistoryReadingError) -> [HistoryTransition] {
        HistoryTransition.within(
            start, end, of: try await read { try Queries.transitions($0, from: start, to: end) })
    }

    /// What was the case after the last sign of life.
    static func ending(after beat: Beat?, at now: ClockReading) -> [HistoryTransition] {
        let future = HistoryTransition(time: now.wall, state: .notWatching, cause: .noRecord)
        guard let beat, !beat.isAlive(at: now) else { return [future] }
        return GapRules.gap(after: beat, until: now) + [future]
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HistoryReadingError) -> Value {
        do {
            return try await reading.queue.read(body)
        } catch {
            throw .unusable(path, reason: (error as? DatabaseError)?.message ?? "\(error)")
        }
    }
}
