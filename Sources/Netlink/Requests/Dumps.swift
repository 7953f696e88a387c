// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
extension RouteNetlink {
    /// Every link of the namespace.
    ///
    /// - Throws: `interrupted` when links change faster than they can be read, or the socket's error.
    public mutating func links() throws(NetlinkError) -> [LinkMessage] {
        try socket.dump(.getLink, "RTM_GETLINK") {
            Self.writeLinkHeader(&$0)
            Self.writeNoStatistics(&$0)
        } read: { (payload) throws(NetlinkError) in
            try LinkMessage(payload)
        }
    }

    /// Every address of the namespace, or those of one family.
    public mutating func addresses(_ family: AddressFamily = .unspecified) throws(NetlinkError) -> [AddressMessage] {
        try socket.dump(.getAddress, "RTM_GETADDR") {
            $0.append(family.rawValue)
            $0.append([0, 0, 0])
            $0.append(UInt32(0))
        } read: { (payload) throws(NetlinkError) in
            // "Every family" may include some that are not IP, such as MCTP.
            let found = AddressFamily(rawValue: try payload.integer(at: 0))
            guard found == family || family == .unspecified && found.version != nil else { return nil }
            return try AddressMessage(payload)
        }
    }

    /// Every policy rule of a family, in the order of evaluation.
    public mutating func rules(_ family: AddressFamily = .unspecified) throws(NetlinkError) -> [RuleMessage] {
        try socket.dump(.getRule, "RTM_GETRULE") {
            $0.append(family.rawValue)
            $0.append([UInt8](repeating: 0, count: RuleMessage.headerSize - 1))
        } read: { (payload) throws(NetlinkError) in
            try RuleMessage(payload)
        }
    }

    /// The settings of a family, for a link or for all links.
    ///
    /// - Throws: `kernel` with `notSupported` where the kernel has no such request.
    public mutating func configuration(
        _ family: AddressFamily, of index: Int32 = ConfigurationMessage.allLinks
    ) throws(NetlinkError) -> ConfigurationMessage {
        var found: ConfigurationMessage?
        try socket.exchange(.getConfiguration, [], operation: "RTM_GETNETCONF \(family)") {
            $0.append(family.rawValue)
            $0.append([0, 0, 0])
            $0.attribute(ConfigurationMessage.Attribute.index.rawValue, index)
        } read: { (header, payload) throws(NetlinkError) in
            if header.type == .newConfiguration { found = try ConfigurationMessage(payload) }
        }
        guard let found else { throw .malformed("an answer without settings") }
        return found
    }

    /// Every neighbour of a family.
    public mutating func neighbors(_ family: AddressFamily = .unspecified) throws(NetlinkError) -> [NeighborMessage] {
        try socket.dump(.getNeighbor, "RTM_GETNEIGH") {
            $0.append(family.rawValue)
            $0.append([UInt8](repeating: 0, count: NeighborMessage.headerSize - 1))
        } read: { (payload) throws(NetlinkError) in
            try NeighborMessage(payload)
        }
    }

    /// The neighbour with an address on a link; nil if the kernel has no entry for it.
    package mutating func neighbor(
        _ address: NetworkAddress, on index: Int32
    ) throws(NetlinkError) -> NeighborMessage? {
        var found: NeighborMessage?
        do throws(NetlinkError) {
            try socket.exchange(.getNeighbor, [], operation: "RTM_GETNEIGH \(address)") {
                $0.append(address.family.rawValue)
                $0.append([0, 0, 0])
                $0.append(UInt32(bitPattern: index))
                $0.append(UInt32(0))
                $0.attribute(NeighborMessage.Attribute.destination.rawValue, address)
            } read: { (header, payload) throws(NetlinkError) in
                if header.type == .newNeighbor { found = try NeighborMessage(payload) }
            }
        } catch {
            guard error.code == .kernel else { throw error }
            switch error.errno {
            case .noSuchEntry: return nil
            // Linux before 5.0 has only the dump.
            case .notSupported:
                found = try neighbors(address.family).first { $0.address == address && $0.index == index }
            default: throw error
            }
        }
        return found
    }

    /// Asks the kernel to omit statistics, which it would have to sum up, of IPv6 and of virtual functions.
    package static func writeNoStatistics(_ writer: inout MessageWriter) {
        writer.attribute(LinkMessage.RequestAttribute.extraMask, LinkMessage.RequestAttribute.skipStatistics)
    }

    /// `struct ifinfomsg`.
    package static func writeLinkHeader(
        _ writer: inout MessageWriter, index: Int32 = 0, flags: LinkFlags = [], mask: LinkFlags = []
    ) {
        writer.append(UInt8(0))
        writer.append(UInt8(0))
        writer.append(UInt16(0))
        writer.append(index)
        writer.append(flags.rawValue)
        writer.append(mask.rawValue)
    }

    /// `struct rtmsg` of a request.
    package static func writeRouteHeader(
        _ writer: inout MessageWriter, family: AddressFamily, destinationLength: UInt8 = 0, sourceLength: UInt8 = 0,
        table: RouteTable = .unspecified, protocol: RouteProtocol = .unspecified, scope: RouteScope = .universe,
        type: UInt8 = 0, flags: UInt32 = 0
    ) {
        writer.append(family.rawValue)
        writer.append(destinationLength)
        writer.append(sourceLength)
        writer.append(UInt8(0))
        writer.append(UInt8(table.rawValue < 256 ? table.rawValue : 0))
        writer.append(`protocol`.rawValue)
        writer.append(scope.rawValue)
        writer.append(type)
        writer.append(flags)
    }
}
#endif
