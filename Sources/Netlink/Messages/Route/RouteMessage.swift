// SPDX-License-Identifier: Apache-2.0

/// A route: `RTM_NEWROUTE`, `RTM_DELROUTE`, and the answer to a lookup (`linux/rtnetlink.h`, rtnetlink(7)).
public struct RouteMessage: Hashable, Sendable {
    /// IPv4 or IPv6 (or another family that the kernel routes).
    public var family: AddressFamily
    /// The destinations; nil means all of the family.
    public var destination: NetworkPrefix?
    /// The length of the destination prefix; 0 is a default route.
    public var destinationLength: UInt8
    /// The sources that the route applies to; nil means all.
    public var source: NetworkPrefix?
    /// The table.
    public var table: RouteTable
    /// The origin of the route.
    public var `protocol`: RouteProtocol
    /// The distance of the destination.
    public var scope: RouteScope
    /// The action for packets.
    public var type: RouteType
    /// `rtm_flags`: the flags of a single next hop, and of the message.
    public var flags: RouteMessageFlags
    /// `RTA_PRIORITY`, the metric: smaller values are preferred; nil is 0.
    public var priority: UInt32?
    /// `RTA_PREFSRC`: the source address to use.
    public var preferredSource: NetworkAddress?
    /// `RTA_NH_ID`: the nexthop object that the route uses.
    public var nextHopID: UInt32?
    /// The next hops: one, several for multipath, none for a route that discards packets.
    public var nextHops: [NextHop]
    /// The number of seconds until the route expires, from `RTA_CACHEINFO`; nil is never.
    ///
    /// May be 0 or negative for a route that has expired.
    public var expires: Double?
}

/// `rtm_flags` (`linux/rtnetlink.h`); the low bits are the next hop's, see `NextHopFlags`.
public struct RouteMessageFlags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Creates flags from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `RTM_F_LOOKUP_TABLE`, in a lookup: return the table that matched; without it IPv4 always returns `main`.
    public static let lookupTable = Self(rawValue: 0x1000)
    /// `RTM_F_FIB_MATCH`, in a lookup: return the route that matched instead of the path to the address.
    public static let fibMatch = Self(rawValue: 0x2000)
}

extension RouteMessage {
    /// The family of a route's message, without parsing the rest; nil if the message is empty.
    package static func family(_ payload: RawSpan) -> AddressFamily? {
        (try? payload.integer(at: 0)).map { AddressFamily(rawValue: $0) }
    }

    /// The size of `struct rtmsg`.
    static let headerSize = 12

    /// `RTA_CACHEINFO` counts in clock ticks, `USER_HZ`, which is 100 on every current architecture.
    private static let ticksPerSecond = 100.0

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        let family = AddressFamily(rawValue: try payload.integer(at: 0))
        self.family = family
        let destinationLength: UInt8 = try payload.integer(at: 1)
        self.destinationLength = destinationLength
        let sourceLength: UInt8 = try payload.integer(at: 2)
        table = RouteTable(rawValue: UInt32(try payload.integer(at: 4, as: UInt8.self)))
        `protocol` = RouteProtocol(rawValue: try payload.integer(at: 5))
        scope = RouteScope(rawValue: try payload.integer(at: 6))
        type = RouteType(rawValue: try payload.integer(at: 7))
        let flags: UInt32 = try payload.integer(at: 8)
        self.flags = RouteMessageFlags(rawValue: flags)
        nextHops = []
        var only = NextHop(flags: NextHopFlags(rawValue: flags & 0xFF))
        var several: [NextHop] = []
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            // Addresses of other families (MPLS, multicast routing) are skipped.
            switch Attribute(rawValue: type).flatMap({ family.version != nil || !$0.isAddress ? $0 : nil }) {
            case .destination: destination = NetworkPrefix(try value.address(family), length: destinationLength)
            case .source: source = NetworkPrefix(try value.address(family), length: sourceLength)
            case .outgoing: only.interface = try value.exactly(Int32.self)
            case .gateway: only.gateway = try value.address(family)
            case .priority: priority = try value.exactly(UInt32.self)
            case .preferredSource: preferredSource = try value.address(family)
            case .multipath: several = try NextHop.list(value, family: family)
            case .cacheInfo: expires = Self.expiry(try value.integer(at: 8))
            case .table: table = RouteTable(rawValue: try value.exactly(UInt32.self))
            case .via: only.gateway = try NextHop.viaAddress(value)
            case .nextHopID: nextHopID = try value.exactly(UInt32.self)
            case nil: break
            }
        }
        if !several.isEmpty {
            nextHops = several
        } else if only.interface != nil || only.gateway != nil {
            nextHops = [only]
        }
    }

    /// 0 means never.
    private static func expiry(_ ticks: Int32) -> Double? {
        ticks == 0 ? nil : Double(ticks) / ticksPerSecond
    }

    /// The attributes that only requests carry (`RTA_…`).
    enum RequestAttribute {
        static let mark: UInt16 = 16
    }

    /// The attributes that have a property (`RTA_…`).
    package enum Attribute: UInt16, CaseIterable {
        case destination = 1
        case source = 2
        case outgoing = 4
        case gateway = 5
        case priority = 6
        case preferredSource = 7
        case multipath = 9
        case cacheInfo = 12
        case table = 15
        case via = 18
        case nextHopID = 30

        var isAddress: Bool {
            switch self {
            case .destination, .source, .gateway, .preferredSource, .multipath: true
            default: false
            }
        }
    }
}
