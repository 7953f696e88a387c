//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The few calls on descriptors that the socket library has no words for.
enum Descriptors {
    /// Ends a connection in both directions; whoever waits on it hears its end.
    ///
    /// The descriptor stays open.
    static func shutDown(_ descriptor: Int32) {
        #if canImport(Glibc)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        #else
        _ = shutdown(descriptor, SHUT_RDWR)
        #endif
    }

    /// Keeps a descriptor from programs that this one starts.
    static func markPrivate(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    /// Sends small answers at once (TCP_NODELAY).
    static func sendAtOnce(_ descriptor: Int32) {
        var yes: Int32 = 1
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bounds what the kernel keeps for a peer that does not read, in bytes.
    static func boundSending(_ descriptor: Int32, to bytes: Int32) {
        var bytes = bytes
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Allows this process as many descriptors as the system lets it have.
    static func raiseLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = setrlimit(resource, &limit)
    }
}
