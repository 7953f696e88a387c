// SPDX-License-Identifier: Apache-2.0

#if !os(watchOS)

extension SCNetworkReachabilityFlags {
    /// Whether a connection is possible without user action.
    ///
    /// The classic rule: the target is reachable, and either needs no connection to be made first, or traffic
    /// establishes that connection and no user action is required.
    public var isReachable: Bool {
        contains(.reachable) && (!contains(.connectionRequired) || (isDynamic && !contains(.interventionRequired)))
    }

    /// Whether traffic establishes the connection automatically.
    public var isDynamic: Bool { contains(.connectionOnDemand) || contains(.connectionOnTraffic) }

    /// Whether the route is over a mobile network; always false on a Mac, where this is not reported.
    public var isCellular: Bool { contains(.cellular) }

    /// The bit of `isWWAN`, which has that name on every platform except macOS.
    package static let cellular = SCNetworkReachabilityFlags(rawValue: 1 << 18)
}

#endif
