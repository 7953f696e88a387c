// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

import os

/// A value, and the lock that guards it.
///
/// Used like the `Mutex` of Synchronization, which needs macOS 15 and iOS 18.
@usableFromInline package final class Mutex<Value: ~Copyable>: @unchecked Sendable {
    private let lock = OSAllocatedUnfairLock()
    /// Guarded by `lock`.
    private nonisolated(unsafe) var value: Value

    @usableFromInline package init(_ value: consuming sending Value) { unsafe self.value = value }

    /// Calls a closure with the value while holding the lock, which the closure must not lock again.
    @usableFromInline package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try unsafe body(&value)
    }
}

#else

// A file that only Linux compiles may also import Synchronization itself.
@_exported public import Synchronization

#endif
