//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension NetworkPath {
    /// The path of this moment, for a program that asks once.
    ///
    /// ```swift
    /// let path = await NetworkPath.current()
    /// guard path.status == .satisfied else { return print(path.diagnosis?.description ?? "There is no way out.") }
    /// ```
    ///
    /// Nothing is watched, and no packet is sent. On Linux the kernel is read on the calling thread, in that thread's network
    /// namespace, which takes less than a millisecond; where NetworkManager runs it is given 0.3 seconds at most to say
    /// what the links cost. To hear of changes, use ``updates(_:)``.
    ///
    /// - Parameter filter: which interfaces count.
    /// - Returns: the path; one whose ``limitation`` says why, where the network cannot be seen.
    public static func current(_ filter: PathFilter = PathFilter()) async -> NetworkPath {
        await filter.currentPath()
    }
}
