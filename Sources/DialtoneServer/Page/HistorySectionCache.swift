// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Caches the rendered history for a moment.
///
/// A day of flapping and many visitors then use no more than a fraction of one core. Concurrent requests share one
/// rendering.
actor HistorySectionCache {
    private struct Entry {
        let html: HTML
        let made: ContinuousClock.Instant
        let took: Duration
        let change: UInt64
    }

    /// The parameters of a rendering: the time window, and whether it shows a problem with the history.
    private struct Key: Hashable {
        let window: TimelineWindow
        let isTroubled: Bool
    }

    private var entries: [Key: Entry] = [:]
    private var making: [Key: Task<Entry, Never>] = [:]
    /// Counts recorded changes.
    private let changes = Atomic<UInt64>(0)

    /// Notes that a change was recorded.
    nonisolated func noteChange() { changes.add(1, ordering: .relaxed) }

    /// Returns the rendered history, and whether it is complete.
    ///
    /// - Parameters:
    ///   - window: the time window.
    ///   - isTroubled: whether the history has a problem, which is shown immediately.
    ///   - make: renders the history.
    func html(
        _ window: TimelineWindow, isTroubled: Bool = false, make: @escaping @Sendable () async -> HTML
    ) async -> (HTML, isComplete: Bool) {
        let key = Key(window: window, isTroubled: isTroubled)
        let change = changes.load(ordering: .relaxed)
        if let entry = entries[key],
            Self.isUsable(age: .now - entry.made, took: entry.took, isUnchanged: entry.change == change)
        {
            return (entry.html, entry.change == change)
        }
        let task =
            making[key]
            ?? Task {
                let start = ContinuousClock.now
                let html = await make()
                return Entry(html: html, made: .now, took: .now - start, change: change)
            }
        making[key] = task
        let entry = await task.value
        making[key] = nil
        entries[key] = entry
        return (entry.html, entry.change == changes.load(ordering: .relaxed))
    }

    /// Whether a cached rendering may be shown again.
    ///
    /// - Parameters:
    ///   - age: the age of the rendering.
    ///   - took: the duration of the rendering.
    ///   - isUnchanged: whether nothing was recorded since.
    static func isUsable(age: Duration, took: Duration, isUnchanged: Bool) -> Bool {
        age < (isUnchanged ? max(.seconds(2), took * 10) : took * 10)
    }
}
