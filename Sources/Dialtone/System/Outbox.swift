//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is handed over one at a time and in order, but outside the lock that guards this value.
///
/// Handing over may wake a task, for which the runtime takes a lock of that task. One that is cancelled at the same moment
/// calls its streams' `onTermination` under that lock, and these want ours: under both, everybody would wait for ever.
///
/// Who puts something in asks under the same lock whether to empty it, and does so after it: item by item, each taken under the
/// lock and handed over outside.
struct Outbox<Item> {
    private var items: [Item] = []
    private var isBeingEmptied = false

    mutating func put(_ item: Item) { items.append(item) }

    /// Whether the caller must empty it: there is something in it, and nobody else is at it.
    mutating func mustBeEmptied() -> Bool {
        guard !isBeingEmptied, !items.isEmpty else { return false }
        isBeingEmptied = true
        return true
    }

    /// The next item; nil when it is empty, and others may be at it again.
    mutating func next() -> Item? {
        guard !items.isEmpty else {
            isBeingEmptied = false
            return nil
        }
        return items.removeFirst()
    }
}
