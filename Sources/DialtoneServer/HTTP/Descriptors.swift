// SPDX-License-Identifier: Apache-2.0

import CLibrary

/// The operations on descriptors that the socket library does not provide.
enum Descriptors {
    /// Shuts a connection down in both directions, which wakes all operations waiting on it.
    ///
    /// The descriptor stays open.
    static func shutDown(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Prevents child processes from inheriting a descriptor.
    static func markPrivate(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    /// Creates two connected sockets that child processes do not inherit.
    static func makePair() throws(ServerError) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        #else
        let result = socketpair(AF_UNIX, Int32(SOCK_STREAM), 0, &ends)
        #endif
        guard result == 0 else { throw ServerError(.system, "socketpair: \(String(cString: strerror(errno)))") }
        for end in ends { markPrivate(end) }
        return ends
    }

    /// Sends small responses immediately (TCP_NODELAY).
    static func sendAtOnce(_ descriptor: Int32) {
        var yes: Int32 = 1
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Limits the kernel's send buffer for a peer that does not read, in bytes.
    static func boundSending(_ descriptor: Int32, to bytes: Int32) {
        var bytes = bytes
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Raises this process's limit on descriptors as far as the system allows, up to 65,536.
    ///
    /// - Returns: the limit now in effect.
    @discardableResult
    static func raiseLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        let current = limit.rlim_cur
        limit.rlim_cur = raised(soft: current, hard: limit.rlim_max)
        if limit.rlim_cur != current, setrlimit(resource, &limit) != 0 { limit.rlim_cur = current }
        return Int(clamping: limit.rlim_cur)
    }

    /// The soft limit to set; never lower than the current one.
    static func raised(soft: rlim_t, hard: rlim_t) -> rlim_t { max(soft, min(hard, 65_536)) }

    /// The maximum number of connections for a limit on descriptors: the monitor, its checks and the history need the
    /// rest.
    static func connections(_ wanted: Int, ofDescriptors limit: Int) -> Int {
        max(1, min(wanted, limit - min(128, limit / 2)))
    }
}
