// SPDX-License-Identifier: Apache-2.0

extension NetworkPath {
    /// Reads the current path once.
    ///
    /// ```swift
    /// let path = await NetworkPath.current()
    /// guard path.status == .satisfied else { return print(path.diagnosis?.description ?? "not connected") }
    /// ```
    ///
    /// Nothing is watched, and no packet is sent. On Linux the kernel is read on the calling thread, in that thread's
    /// network namespace, which takes less than a millisecond. If NetworkManager runs, it gets at most 0.3 seconds to
    /// report what the links cost. To observe changes, use ``updates(_:)``.
    ///
    /// - Parameter filter: the interfaces that count.
    /// - Returns: the path; if the network cannot be seen, its ``limitation`` says why.
    public static func current(_ filter: PathFilter = PathFilter()) async -> NetworkPath {
        await filter.currentPath()
    }
}
