// SPDX-License-Identifier: Apache-2.0

import LibC

/// The process's limit on descriptors, and the part of it for connections.
enum Descriptors {
    /// Raises this process's limit on descriptors as far as the system allows, up to 65,536.
    ///
    /// - Returns: the limit now in effect.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        let current = limit.rlim_cur
        limit.rlim_cur = raised(soft: current, hard: limit.rlim_max)
        if limit.rlim_cur != current, unsafe setrlimit(resource, &limit) != 0 { limit.rlim_cur = current }
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
