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

#if canImport(Darwin)
import Dispatch
#else
import OpenNetwork
#endif

extension NetworkPath {
    /// Reads the current path once, on the calling thread, for code that cannot use `await`.
    ///
    /// ```swift
    /// let path = NetworkPath.read()
    /// print(path.status == .satisfied ? "There is a path." : path.diagnosis?.description ?? "There is no path.")
    /// ```
    ///
    /// It reads the same path as ``current(_:)``, and sends no packet. On Linux that takes less than a millisecond, and
    /// up to 0.3 seconds if NetworkManager is slow to report what the links cost. On Apple platforms it waits at most a
    /// second for the first update of a path monitor.
    ///
    /// - Parameter filter: the interfaces that count.
    /// - Returns: the path; if the network cannot be seen, its ``limitation`` gives the reason.
    public static func read(_ filter: PathFilter = PathFilter()) -> NetworkPath {
        #if canImport(Darwin)
        let monitor = filter.makeMonitor()
        let arrival = DispatchSemaphore(value: 0)
        monitor.pathUpdateHandler = { _ in arrival.signal() }
        monitor.start(queue: DispatchQueue(label: "dialtone.path"))
        _ = arrival.wait(timeout: .now() + 1)
        monitor.cancel()
        // The monitor sets it before it calls the handler.
        return filter.path(monitor.currentPath)
        #else
        return NetworkPath(NWPath.current(filter, awaitingCosts: 0.3))
        #endif
    }

    /// Whether there is a path at present, read on the calling thread; see ``read(_:)``.
    ///
    /// No packet is sent: whether the Internet answers is the question of `ConnectivityMonitor` and `InternetCheck`. Do
    /// not make a request depend on this value. Send the request, and use its outcome.
    public static var isReachable: Bool { read().status == .satisfied }
}

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
