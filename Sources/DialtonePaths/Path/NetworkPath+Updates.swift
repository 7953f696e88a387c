// SPDX-License-Identifier: Apache-2.0

extension NetworkPath {
    /// The paths of this machine: the current one first, then each change; a slow loop gets only the newest.
    ///
    /// The sequence ends with the task.
    ///
    /// ```swift
    /// for await path in NetworkPath.updates() {
    ///     print(path.diagnosis?.description ?? "connected")
    /// }
    /// ```
    public static func updates(_ filter: PathFilter = PathFilter()) -> some AsyncSequence<NetworkPath, Never> & Sendable
    {
        filter.makeMonitor().map { filter.path($0) }
    }
}
