// SPDX-License-Identifier: Apache-2.0

/// A flag that is set once, by one of several threads.
package final class OnceFlag: Sendable {
    private let value = Mutex(false)

    package init() {}

    package var isSet: Bool { value.withLock { $0 } }

    /// Sets the flag.
    ///
    /// - Returns: whether this call is the first.
    package func set() -> Bool {
        value.withLock { value in
            defer { value = true }
            return !value
        }
    }
}
