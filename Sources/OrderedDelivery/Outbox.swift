//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is handed over in order, by one thread at a time, but outside the lock that guards this value.
///
/// Handing over may wake a task, for which the runtime takes a lock of that task. One that is cancelled at the same moment
/// calls its streams' `onTermination` under that lock, and these want ours: under both, everybody would wait for ever.
///
/// Who puts something in asks under the same lock whether to empty it, and does so after it:
///
/// ```swift
/// let mustDeliver = state.withLock { state in
///     state.outbox.put(item)
///     return state.outbox.mustBeEmptied()
/// }
/// guard mustDeliver else { return }
/// while let items = state.withLock({ $0.outbox.takeAll() }) { items.forEach(deliver) }
/// ```
package struct Outbox<Item> {
    private var items: [Item] = []
    private var isBeingEmptied = false

    package init() {}

    package mutating func put(_ item: Item) { items.append(item) }

    package mutating func put(contentsOf more: some Sequence<Item>) { items += more }

    /// Whether the caller must empty it: there is something in it, and nobody else is at it.
    package mutating func mustBeEmptied() -> Bool {
        guard !isBeingEmptied, !items.isEmpty else { return false }
        isBeingEmptied = true
        return true
    }

    /// All that is in it; nil when it is empty, and others may be at it again.
    package mutating func takeAll() -> [Item]? {
        guard !items.isEmpty else {
            isBeingEmptied = false
            return nil
        }
        defer { items = [] }
        return items
    }
}

extension Outbox: Sendable where Item: Sendable {}
