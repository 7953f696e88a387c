// SPDX-License-Identifier: Apache-2.0

/// A FIFO of items that one thread at a time delivers, in order, outside the lock that orders them.
///
/// Delivering may wake a task, for which the runtime takes that task's lock. A task that is cancelled at the same
/// moment calls its streams' `onTermination` under that lock, and these need the caller's lock: delivering under it
/// would deadlock.
///
/// ```swift
/// state.withLock { state in
///     state.value = value
///     queue.append(value)
/// }
/// queue.drain(deliver)
/// ```
///
/// `@usableFromInline`, although its access is `package`: otherwise other modules use the unspecialized code, which takes
/// 3,500 instructions more for each change of the path.
@usableFromInline package final class DeliveryQueue<Item: Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var items: [Item] = []
        @usableFromInline var isDraining = false
    }

    @usableFromInline let state = Mutex(State())

    @inlinable package init() {}

    /// Appends an item; called under the lock that decides the order.
    @inlinable package func append(_ item: Item) { state.withLock { $0.items.append(item) } }

    /// Appends items in their order.
    @inlinable package func append(contentsOf items: some Sequence<Item>) { for item in items { append(item) } }

    /// Delivers all items outside every lock; if another thread is already delivering, that thread delivers them.
    @inlinable package func drain(_ deliver: (Item) -> Void) {
        var hasBegun = false
        while true {
            let items = state.withLock { state -> [Item] in
                guard state.isDraining == hasBegun else { return [] }
                defer { state.items = [] }
                state.isDraining = !state.items.isEmpty
                return state.items
            }
            if items.isEmpty { return }
            hasBegun = true
            for item in items { deliver(item) }
        }
    }
}
