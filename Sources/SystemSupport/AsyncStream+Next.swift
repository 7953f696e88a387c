// SPDX-License-Identifier: Apache-2.0

extension AsyncStream.Iterator {
    /// Returns the next element without leaving the caller's actor, where the system supports that.
    package mutating func nextElement(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { return await next(isolation: actor) }
        // Used by one task at a time: the caller has exclusive access to `self` until this returns.
        nonisolated(unsafe) var iterator = self
        defer { unsafe self = iterator }
        return await unsafe iterator.next()
    }
}
