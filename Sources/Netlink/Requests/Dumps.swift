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

    /// The link with a name.
    ///
    /// - Throws: `kernel` with `noSuchDevice`.
    public mutating func link(named name: String) throws(NetlinkError) -> LinkMessage {
        try Self.check(name: name)
        return try link("RTM_GETLINK \(name)") {
            Self.writeLinkHeader(&$0)
            $0.attribute(LinkMessage.Attribute.name.rawValue, name)
            Self.writeNoStatistics(&$0)
        }
    }

    /// The link with an index.
    ///
    /// - Throws: `kernel` with `noSuchDevice`.
    public mutating func link(index: Int32) throws(NetlinkError) -> LinkMessage {
        try link("RTM_GETLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            Self.writeNoStatistics(&$0)
        }
    }

    private mutating func link(
        _ operation: String, write: (inout MessageWriter) -> Void
    ) throws(NetlinkError) -> LinkMessage {
        var found: LinkMessage?
        try socket.exchange(.getLink, [], operation: operation, write: write) {
            (header, payload) throws(NetlinkError) in
            if header.type == .newLink { found = try LinkMessage(payload) }
        }
        guard let found else { throw .malformed("\(operation): an answer without a link") }
        return found
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

    /// The routes of a family, filtered by the kernel where it can (Linux 4.20).
    ///
    /// A router's table may contain a million routes: a monitor uses `route(to:)` instead.
    ///
    /// - Parameters:
    ///   - family: IPv4 or IPv6.
    ///   - table: only this table; `unspecified` is all.
    ///   - interface: only routes over this link.
    public mutating func routes(
        _ family: AddressFamily, table: RouteTable = .unspecified, interface: Int32? = nil
    ) throws(NetlinkError) -> [RouteMessage] {
        do {
            let all = try socket.dump(.getRoute, "RTM_GETROUTE") {
                Self.writeRouteHeader(&$0, family: family, table: table)
                if table != .unspecified { $0.attribute(RouteMessage.Attribute.table.rawValue, table.rawValue) }
                if let interface { $0.attribute(RouteMessage.Attribute.outgoing.rawValue, interface) }
            } read: { (payload) throws(NetlinkError) in
                try RouteMessage(payload)
            }
            // An older kernel ignores the filter, and one without the family returns all that it has.
            return all.filter { route in
                route.family == family && (table == .unspecified || route.table == table)
                    && interface.map(route.mayUse) ?? true
            }
        } catch let error where error.code == .kernel && error.errno == .noSuchEntry {
            // The kernel's error for a table that does not exist.
            return []
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

    /// Every nexthop object.
    ///
    /// - Throws: `kernel` with `notSupported` before Linux 5.3.
    public mutating func nextHops() throws(NetlinkError) -> [NextHopObjectMessage] {
        try socket.dump(.getNextHop, "RTM_GETNEXTHOP") {
            $0.append([UInt8](repeating: 0, count: NextHopObjectMessage.headerSize))
        } read: { (payload) throws(NetlinkError) in
            try NextHopObjectMessage(payload)
        }
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
    private static func writeNoStatistics(_ writer: inout MessageWriter) {
        writer.attribute(LinkMessage.RequestAttribute.extraMask, LinkMessage.RequestAttribute.skipStatistics)
    }

    /// `struct ifinfomsg`.
    static func writeLinkHeader(
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
    static func writeRouteHeader(
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

    /// The kernel reserves 16 bytes for a name, the last a NUL (`IFNAMSIZ`).
    static func check(name: String) throws(NetlinkError) {
        guard !name.isEmpty, name.utf8.count < 16, !name.utf8.contains(0) else {
            throw .invalidArgument("link name", "'\(name)' must have 1 to 15 bytes and no NUL")
        }
    }
}
#endif
