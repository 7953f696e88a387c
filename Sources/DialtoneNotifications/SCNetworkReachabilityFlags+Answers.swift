//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension SCNetworkReachabilityFlags {
    /// Whether a connection can be had without anybody's help.
    ///
    /// The classic rule: the target is reachable, and either needs no connection to be made first, or it is made by the
    /// traffic itself and no person must do anything for it.
    public var isReachable: Bool {
        contains(.reachable) && (!contains(.connectionRequired) || (isDynamic && !contains(.interventionRequired)))
    }

    /// Whether the traffic itself makes the connection.
    public var isDynamic: Bool { contains(.connectionOnDemand) || contains(.connectionOnTraffic) }

    /// Whether the way leads over a mobile network; never on a Mac, which does not tell.
    public var isCellular: Bool {
        #if os(macOS)
        false
        #else
        contains(.isWWAN)
        #endif
    }
}
