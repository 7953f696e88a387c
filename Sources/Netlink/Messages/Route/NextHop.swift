// SPDX-License-Identifier: Apache-2.0

/// The next hop of a route: a gateway, a link, or both.
public struct NextHop: Hashable, Sendable {
    /// The outgoing link.
    public var interface: Int32?
    /// The router; its family may differ from the route's (`RTA_VIA`, RFC 5549).
    ///
    /// Nil when the destination is on the link.
    public var gateway: NetworkAddress?
    /// `RTNH_F_…`.
    public var flags: NextHopFlags
    /// The share of flows in a multipath route, 1 to 256.
    public var weight: UInt16

    /// Creates a next hop.
    public init(interface: Int32? = nil, gateway: NetworkAddress? = nil, flags: NextHopFlags = [], weight: UInt16 = 1) {
        self.interface = interface
        self.gateway = gateway
        self.flags = flags
        self.weight = weight
    }
}

extension NextHop {
    /// Reads `RTA_MULTIPATH`: a list of `struct rtnexthop`, each with its own attributes.
    static func list(_ bytes: RawSpan, family: AddressFamily) throws(NetlinkError) -> [NextHop] {
        var hops: [NextHop] = []
        var offset = 0
        while bytes.byteCount - offset >= 8 {
            let length = Int(try bytes.integer(at: offset, as: UInt16.self))
            guard length >= 8, length <= bytes.byteCount - offset else {
                throw .malformed("a next hop of \(length) bytes where \(bytes.byteCount - offset) are left")
            }
            var hop = NextHop(
                interface: try bytes.integer(at: offset + 4),
                flags: NextHopFlags(rawValue: UInt32(try bytes.integer(at: offset + 2, as: UInt8.self))),
                weight: UInt16(try bytes.integer(at: offset + 3, as: UInt8.self)) + 1
            )
            try bytes.extracting(offset..<offset + length).forEachAttribute(from: 8) {
                (type, value) throws(NetlinkError) in
                switch RouteMessage.Attribute(rawValue: type) {
                case .gateway: hop.gateway = try value.address(family)
                case .via: hop.gateway = try viaAddress(value)
                default: break
                }
            }
            hops.append(hop)
            offset += aligned(length)
        }
        return hops
    }

    /// Reads `struct rtvia`: a family, then an address of that family.
    ///
    /// Returns nil for families other than IP.
    static func viaAddress(_ bytes: RawSpan) throws(NetlinkError) -> NetworkAddress? {
        let family = AddressFamily(rawValue: UInt8(truncatingIfNeeded: try bytes.integer(at: 0, as: UInt16.self)))
        guard family == .ipv4 || family == .ipv6 else { return nil }
        guard bytes.byteCount > 2 else { throw .truncated("a gateway's address", available: bytes.byteCount) }
        return try bytes.extracting(2..<bytes.byteCount).address(family)
    }
}
