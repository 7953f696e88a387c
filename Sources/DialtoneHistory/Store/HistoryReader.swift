// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import GRDB
import SystemSupport

/// Reads the history in a directory without changing it, even while another process records it.
package struct HistoryReader: Sendable {
    private let reading: ReadOnlyDatabase
    private let directory: URL
    private let clock: @Sendable () -> ClockReading

    /// Opens the history in a directory.
    ///
    /// - Parameter clock: reads the host's clocks; tests replace it.
    package init(
        _ directory: URL, clock: @escaping @Sendable () -> ClockReading = ClockReading.now
    ) throws(HistoryReadingError) {
        reading = try ReadOnlyDatabase(directory)
        self.directory = directory
        self.clock = clock
    }

    /// Returns the timeline of a window of time.
    ///
    /// If the last tick is overdue, the time since then counts as not watched.
    package func timeline(from start: Date, to end: Date) async throws(HistoryReadingError) -> Timeline {
        var (accumulator, tick) = try await reading.queue.read(in: directory) { db in
            (try Queries.timeline(db, from: start, to: end), try Queries.tick(db))
        }
        let lock = directory.appending(path: HistoryLocation.lockName).path(percentEncoded: false)
        let locked = (try? FileStatus(lock)).map { Date(milliseconds: $0.modified / 1_000_000) }
        for transition in Self.ending(after: tick, at: clock(), locked: locked) { accumulator.add(transition) }
        return accumulator.timeline()
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HistoryReadingError) -> Value {
        try await reading.queue.read(in: directory, body)
    }

    /// The transitions that follow the last tick.
    ///
    /// - Parameter locked: when a process has last locked the directory to record; if this is recent, it has not written yet.
    static func ending(after tick: Tick?, at now: ClockReading, locked: Date? = nil) -> [HistoryTransition] {
        let future = HistoryTransition(time: now.wall, state: .notWatching, cause: .noRecord)
        guard let tick, !tick.isAlive(at: now) else { return [future] }
        guard let locked, locked > tick.reading.wall, locked <= now.wall,
            now.wall.timeIntervalSince(locked) <= GapRules.overdue(tick.interval)
        else { return GapRules.gap(after: tick, until: now) + [future] }
        return GapRules.gap(after: tick, until: now.earlier(at: locked))
            + [HistoryTransition(time: locked, state: .unknown, cause: .started), future]
    }
}

extension DatabaseReader {
    /// Reads the database of a directory.
    func read<Value: Sendable>(
        in directory: URL, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HistoryReadingError) -> Value {
        do {
            return try await read(body)
        } catch {
            throw .unusable(directory.path(percentEncoded: false), reason: words(of: error))
        }
    }
}
