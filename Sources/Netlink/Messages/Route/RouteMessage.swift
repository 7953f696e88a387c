//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A route: `RTM_NEWROUTE`, `RTM_DELROUTE`, and the answer to a lookup (`linux/rtnetlink.h`, rtnetlink(7)).
public struct RouteMessage: Hashable, Sendable {
    /// IPv4 or IPv6 (or another family that the kernel routes).
    public var family: AddressFamily
    /// The destinations; nil means all of the family.
    public var destination: InetPrefix?
    /// The length of the destination prefix; 0 is a default route.
    public var destinationLength: UInt8
    /// The sources that the route is for; nil means all.
    public var source: InetPrefix?
    /// The table.
    public var table: RouteTable
    /// Who made it.
    public var `protocol`: RouteProtocol
    /// How far the destination is.
    public var scope: RouteScope
    /// What it does.
    public var type: RouteType
    /// `rtm_flags`: those of the only next hop, and of the message.
    public var flags: RouteMessageFlags
    /// `RTA_PRIORITY`, the metric: the smaller is preferred; nil is 0.
    public var priority: UInt32?
    /// `RTA_PREFSRC`: the source address to use.
    public var preferredSource: InetAddress?
    /// `RTA_NH_ID`: the nexthop object that it uses.
    public var nextHopID: UInt32?
    /// Where packets go: one next hop, several for multipath, none for a route that discards.
    public var nextHops: [NextHop]
    /// Seconds until the route ends, from `RTA_CACHEINFO`; nil is never.
    ///
    /// May be 0 or negative when that is past.
    public var expires: Double?
    /// Attributes that have no property here.
    public var unknownAttributes: [UnknownAttribute] = []
}

/// `rtm_flags` (`linux/rtnetlink.h`): the low bits are the next hop's, see `NextHopFlags`.
public struct RouteMessageFlags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Makes flags from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `RTM_F_CLONED`: a cache entry made from a route, not a route.
    public static let cloned = Self(rawValue: 0x200)
    /// `RTM_F_LOOKUP_TABLE`, in a lookup: name the table that answered; without it IPv4 always says `main`.
    public static let lookupTable = Self(rawValue: 0x1000)
    /// `RTM_F_FIB_MATCH`, in a lookup: answer with the route that matched rather than with the path to the address.
    public static let fibMatch = Self(rawValue: 0x2000)
}

extension RouteMessage {
    /// Whether packets may leave by a link; also true for a nexthop object that the kernel did not spell out.
    func mayUse(_ interface: Int32) -> Bool {
        nextHops.contains { $0.interface == interface } || nextHops.isEmpty && nextHopID != nil
    }

    /// The size of `struct rtmsg`.
    static let headerSize = 12

    /// `RTA_CACHEINFO` counts in clock ticks, `USER_HZ`, which is 100 on every architecture of today.
    private static let ticksPerSecond = 100.0

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan, keepingUnknown: Bool = true) throws(NetlinkError) {
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
            // Addresses of other families (MPLS, multicast routing) are kept as they are.
            switch Attribute(rawValue: type).flatMap({ family.isInternet || !$0.isAddress ? $0 : nil }) {
            case .destination: destination = InetPrefix(try value.address(family), length: destinationLength)
            case .source: source = InetPrefix(try value.address(family), length: sourceLength)
            case .outgoing: only.interface = try value.exactly(Int32.self)
            case .gateway: only.gateway = try value.address(family)
            case .priority: priority = try value.exactly(UInt32.self)
            case .preferredSource: preferredSource = try value.address(family)
            case .multipath: several = try NextHop.list(value, family: family)
            case .cacheInfo: expires = Self.expiry(try value.integer(at: 8))
            case .table: table = RouteTable(rawValue: try value.exactly(UInt32.self))
            case .via: only.gateway = try NextHop.viaAddress(value)
            case .nextHopID: nextHopID = try value.exactly(UInt32.self)
            case nil: if keepingUnknown { unknownAttributes.append(UnknownAttribute(type: type, value: value)) }
            }
        }
        if !several.isEmpty {
            nextHops = several
        } else if only.interface != nil || only.gateway != nil {
            nextHops = [only]
        }
    }

    /// 0 stands for never.
    private static func expiry(_ ticks: Int32) -> Double? {
        ticks == 0 ? nil : Double(ticks) / ticksPerSecond
    }

    /// The attributes that only requests carry (`RTA_…`).
    enum RequestAttribute {
        static let mark: UInt16 = 16
        static let expires: UInt16 = 23
    }

    /// The attributes that have a property (`RTA_…`).
    enum Attribute: UInt16, CaseIterable {
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
