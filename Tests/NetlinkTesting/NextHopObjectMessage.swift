// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// A nexthop object that routes may share: `RTM_NEWNEXTHOP`, `RTM_DELNEXTHOP` (`linux/nexthop.h`, ip-nexthop(8)).
public struct NextHopObjectMessage: Hashable, Sendable {
    /// The object's ID.
    public var id: UInt32
    /// The family of its gateway.
    public var family: AddressFamily
    /// The next hop; nil for a group or a blackhole.
    public var hop: NextHop?
    /// Whether it discards packets.
    public var isBlackhole: Bool
    /// The objects of a group with their weights; empty for a single object.
    public var group: [Member] = []

    /// A member of a group.
    public struct Member: Hashable, Sendable {
        /// The member's ID.
        public var id: UInt32
        /// Its share of flows, 1 to 256.
        public var weight: UInt16

        /// Creates a member.
        public init(id: UInt32, weight: UInt16 = 1) {
            self.id = id
            self.weight = weight
        }
    }

    /// Creates an object to add.
    public init(id: UInt32, family: AddressFamily, hop: NextHop? = nil, isBlackhole: Bool = false, group: [Member] = [])
    {
        self.id = id
        self.family = family
        self.hop = hop
        self.isBlackhole = isBlackhole
        self.group = group
    }
}

extension NextHopObjectMessage {
    /// The size of `struct nhmsg`.
    package static let headerSize = 8

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        let family = AddressFamily(rawValue: try payload.integer(at: 0))
        self.init(id: 0, family: family)
        var single = NextHop(flags: NextHopFlags(rawValue: try payload.integer(at: 4)))
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            case .id: id = try value.exactly(UInt32.self)
            case .group:
                for offset in stride(from: 0, to: value.byteCount - 7, by: 8) {
                    // The weight less one: a low byte, and since Linux 6.13 a high one that was zero before.
                    let weight = try value.integer(at: offset + 4, as: UInt16.self).addingReportingOverflow(1)
                    group.append(
                        Member(
                            id: try value.integer(at: offset), weight: weight.overflow ? .max : weight.partialValue))
                }
            case .blackhole: isBlackhole = true
            case .outgoing: single.interface = try value.exactly(Int32.self)
            case .gateway: single.gateway = try value.address(family)
            case nil: break
            }
        }
        if single.interface != nil || single.gateway != nil { hop = single }
    }

    package func write(to writer: inout MessageWriter) {
        writer.append(family.rawValue)
        writer.append(UInt8(0))
        writer.append(RouteProtocol.static.rawValue)
        writer.append(UInt8(0))
        writer.append((hop?.flags ?? []).rawValue)
        writer.attribute(Attribute.id.rawValue, id)
        if isBlackhole { writer.attribute(Attribute.blackhole.rawValue) }
        if let interface = hop?.interface { writer.attribute(Attribute.outgoing.rawValue, interface) }
        if let gateway = hop?.gateway { writer.attribute(Attribute.gateway.rawValue, gateway) }
        if !group.isEmpty {
            var members = MessageWriter.raw()
            for member in group {
                members.append(member.id)
                members.append(max(member.weight, 1) - 1)
                members.append([0, 0])
            }
            writer.attribute(Attribute.group.rawValue, members.bytes)
        }
    }

    /// The attributes that have a property (`NHA_…`).
    package enum Attribute: UInt16, CaseIterable {
        case id = 1
        case group = 2
        case blackhole = 4
        case outgoing = 5
        case gateway = 6
    }
}
