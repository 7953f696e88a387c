// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// Caches the rendered history for a moment.
///
/// A day of flapping and many visitors then use no more than a fraction of one core. Concurrent requests share one
/// rendering.
actor HistorySectionCache {
    struct Entry {
        let html: HTML
        let made: ContinuousClock.Instant
        let took: Duration
        let change: UInt64
    }

    /// The parameters of a rendering.
    struct Key: Hashable {
        var period: HistoryPeriod
        /// Whether it shows a problem with the history, which appears immediately.
        var isTroubled = false
    }

    /// The maximum number of cached renderings, and of concurrent ones of parts that visitors chose: there are as many
    /// parts as a client cares to request.
    private static let maximumEntries = 32
    private static let maximumParts = 2

    private(set) var entries: [Key: Entry] = [:]
    private var making: [Key: Task<Entry, Never>] = [:]
    private let limit: Duration
    private let time: TimeSource
    /// Counts recorded changes.
    private let changes = Mutex<UInt64>(0)

    /// - Parameter limit: how long a request waits for a rendering.
    init(limit: Duration = ServerLimits().historyTime, time: TimeSource = .system) {
        self.limit = limit
        self.time = time
    }

    /// Notes that a change was recorded.
    nonisolated func noteChange() { changes.withLock { $0 += 1 } }

    /// Returns the rendered history, and whether it is complete.
    ///
    /// A rendering that takes longer than the limit continues, for later requests.
    func html(_ key: Key, make: @escaping @Sendable () async -> HTML) async -> (HTML, isComplete: Bool) {
        let change = changes.withLock { $0 }
        if let entry = entries[key],
            Self.isUsable(age: time.now - entry.made, took: entry.took, isUnchanged: entry.change == change)
        {
            return (entry.html, entry.change == change)
        }
        if making[key] == nil, key.period.part != nil,
            making.keys.count(where: { $0.period.part != nil }) >= Self.maximumParts
        {
            return ("<p class=\"notice\" role=\"alert\">The history is busy. Try again shortly.</p>", false)
        }
        let task =
            making[key]
            ?? Task {
                let start = time.now
                let html = await make()
                let made = time.now
                let entry = Entry(html: html, made: made, took: made - start, change: change)
                making[key] = nil
                // One that took too long shows an old state.
                if entry.took < limit { keep(entry, for: key) }
                return entry
            }
        making[key] = task
        let rendered: Entry? = await firstAnswer(until: time.now + limit, on: time, late: nil, cancelled: nil) {
            await task.value
        }
        guard let entry = rendered else {
            return ("<p class=\"notice\" role=\"alert\">The history could not be read in time.</p>", false)
        }
        return (entry.html, entry.change == changes.withLock { $0 })
    }

    /// Caches a rendering in place of the oldest one.
    private func keep(_ entry: Entry, for key: Key) {
        if entries[key] == nil, entries.count >= Self.maximumEntries,
            let oldest = entries.min(by: { $0.value.made < $1.value.made })
        {
            entries[oldest.key] = nil
        }
        entries[key] = entry
    }

    /// Whether a cached rendering may be shown again.
    ///
    /// - Parameter isUnchanged: whether nothing was recorded since.
    static func isUsable(age: Duration, took: Duration, isUnchanged: Bool) -> Bool {
        age < (isUnchanged ? max(.seconds(2), took * 10) : took * 10)
    }
}
