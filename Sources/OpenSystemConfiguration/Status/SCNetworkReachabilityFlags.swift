// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// The reachability of a target, as a set of flags.
///
/// Source: Apple's documentation of `SCNetworkReachabilityFlags`; configd for the values.
public struct SCNetworkReachabilityFlags: OptionSet, Hashable, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The route uses a connection that comes and goes: dialed, cellular, or a VPN.
    public static let transientConnection = Self(rawValue: 1 << 0)
    /// The target can be reached, possibly after a connection is made.
    public static let reachable = Self(rawValue: 1 << 1)
    /// A connection must be made first.
    public static let connectionRequired = Self(rawValue: 1 << 2)
    /// Traffic to the target establishes the connection.
    public static let connectionOnTraffic = Self(rawValue: 1 << 3)
    /// A person must act before the connection can be made.
    public static let interventionRequired = Self(rawValue: 1 << 4)
    /// Apple's own programming interfaces establish the connection; never set on Linux.
    public static let connectionOnDemand = Self(rawValue: 1 << 5)
    /// The target is an address of this host.
    public static let isLocalAddress = Self(rawValue: 1 << 16)
    /// There is no router on the route to the target.
    public static let isDirect = Self(rawValue: 1 << 17)
    /// The route uses a mobile network.
    public static let isWWAN = Self(rawValue: 1 << 18)
    /// The older name of `connectionOnTraffic`.
    public static let connectionAutomatic = connectionOnTraffic
}

/// Flags of the functions that preceded `SCNetworkReachability`.
public typealias SCNetworkConnectionFlags = UInt32

/// `SCNetworkReachabilityFlags.transientConnection`, by its older name.
public let kSCNetworkFlagsTransientConnection: Int = 1 << 0
/// `SCNetworkReachabilityFlags.reachable`, by its older name.
public let kSCNetworkFlagsReachable: Int = 1 << 1
/// `SCNetworkReachabilityFlags.connectionRequired`, by its older name.
public let kSCNetworkFlagsConnectionRequired: Int = 1 << 2
/// `SCNetworkReachabilityFlags.connectionAutomatic`, by its older name.
public let kSCNetworkFlagsConnectionAutomatic: Int = 1 << 3
/// `SCNetworkReachabilityFlags.interventionRequired`, by its older name.
public let kSCNetworkFlagsInterventionRequired: Int = 1 << 4
/// `SCNetworkReachabilityFlags.isLocalAddress`, by its older name.
public let kSCNetworkFlagsIsLocalAddress: Int = 1 << 16
/// `SCNetworkReachabilityFlags.isDirect`, by its older name.
public let kSCNetworkFlagsIsDirect: Int = 1 << 17

#endif
