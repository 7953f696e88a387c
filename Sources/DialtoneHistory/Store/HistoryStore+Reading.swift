// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import GRDB
import SystemSupport

extension HistoryStore {
    /// Returns the timeline of a window of time.
    ///
    /// - Parameters:
    ///   - end: the end of the window; future time counts as not watched.
    ///   - maximumSpans: the number of spans to which the timeline is thinned, as `Timeline.thinned` does.
    ///   - maximumOutages: the number of latest outages to include. The summary covers all outages.
    package func timeline(
        from start: Date, to end: Date, maximumSpans: Int = .max, maximumOutages: Int = .max
    ) async throws(HistoryReadingError) -> Timeline {
        var accumulator = try await accumulator(from: start, to: end)
        return accumulator.timeline(maximumSpans: maximumSpans, maximumOutages: maximumOutages)
    }

    /// Returns the overview of a window of time, of bounded size.
    ///
    /// - Parameters:
    ///   - end: the end of the window; future time counts as not watched.
    ///   - columns: the resolution of the drawing.
    ///   - maximumSpans: the number of latest spans to include.
    ///   - maximumOutages: the number of latest outages to include.
    ///   - days: the start of each day to summarize, in order, and the end of the last one.
    package func overview(
        from start: Date, to end: Date, columns: Int, maximumSpans: Int, maximumOutages: Int, days: [Date] = []
    ) async throws(HistoryReadingError) -> TimelineOverview {
        var accumulator = try await accumulator(from: start, to: end)
        return accumulator.overview(
            columns: columns, maximumSpans: maximumSpans, maximumOutages: maximumOutages, days: days)
    }

    /// Reads the transitions of a window, on disk and in memory.
    private func accumulator(from start: Date, to end: Date) async throws(HistoryReadingError) -> TimelineAccumulator {
        let (opening, waiting) = state.withLock { ($0.opening, $0.waitingRecords) }
        var accumulator = TimelineAccumulator(from: start, to: end)
        var written: Int64 = 0
        if let reader = try reader(opening) {
            (accumulator, written) = try await reader.read(in: directory) { db in
                (
                    try Queries.timeline(db, from: start, to: end, waiting: waiting),
                    try Queries.lastRecords(db).transition
                )
            }
        }
        // Records written between the two reads are in both.
        waiting.forEach(after: written) { accumulator.add($0) }
        accumulator.add(HistoryTransition(time: configuration.clock().wall, state: .notWatching, cause: .noRecord))
        return accumulator
    }

    /// Reads records, without those that wait for the disk.
    func records<Record: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> [Record]
    ) async throws(HistoryReadingError) -> [Record] {
        guard let reader = try reader(state.withLock(\.opening)) else { return [] }
        return try await reader.read(in: directory, body)
    }

    /// The connection for queries; nil if there are no readable files.
    ///
    /// - Throws: while the files are being reopened and after they were closed, because the records in memory are not
    ///   the whole history.
    func reader(_ opening: DatabaseOpening?) throws(HistoryReadingError) -> (any DatabaseReader)? {
        guard let opening else {
            throw .unusable(directory.path(percentEncoded: false), reason: "it is being opened or has been closed")
        }
        return opening.reader
    }
}
