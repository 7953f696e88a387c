//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Keeps the drawn past for a moment, so that a day of flapping and many visitors do not cost more than a part of one core.
///
/// It is made once for everybody who asks at the same time.
actor PastCache {
    private struct Entry {
        let html: HTML
        let made: ContinuousClock.Instant
        let took: Duration
        let change: UInt64
    }

    /// What is drawn: how much of the past, and whether it says that the history is in trouble.
    private struct Key: Hashable {
        let window: TimelineWindow
        let isTroubled: Bool
    }

    private var entries: [Key: Entry] = [:]
    private var making: [Key: Task<Entry, Never>] = [:]
    /// Counts what was recorded.
    private let changes = Atomic<UInt64>(0)

    /// Says that there is news.
    nonisolated func noteChange() { changes.add(1, ordering: .relaxed) }

    /// The past, and whether that is all of it.
    ///
    /// - Parameters:
    ///   - window: how much of it.
    ///   - isTroubled: whether the history is in trouble, which is told at once.
    ///   - make: draws it.
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

    /// Whether what was drawn may be shown once more.
    ///
    /// - Parameters:
    ///   - age: how old it is.
    ///   - took: how long it took to draw.
    ///   - isUnchanged: whether nothing was recorded since.
    static func isUsable(age: Duration, took: Duration, isUnchanged: Bool) -> Bool {
        age < (isUnchanged ? max(.seconds(2), took * 10) : took * 10)
    }
}
