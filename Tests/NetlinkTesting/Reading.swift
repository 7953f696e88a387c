// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import Netlink

extension RouteNetlink {
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
}

extension RouteNetlink {
    /// The route that a packet to an address would take, by the kernel's own decision over rules, tables and metrics.
    ///
    /// No packet is sent and the cost does not grow with the table. The answer is the matching route itself
    /// (`RTM_F_FIB_MATCH`, Linux 4.13), with its prefix, metric, table and all next hops. While a namespace has no
    /// custom rules, the kernel searches `local` and `main` together and reports both as `main` for IPv4.
    ///
    /// If a kernel cannot return the matching route, as gVisor's, this falls back to the path: `path(_:)`.
    ///
    /// - Throws: `kernel` with `networkUnreachable` (no route), `hostUnreachable` (an `unreachable` route),
    ///   `permissionDenied` (`prohibit`) or `invalidArgument` (`blackhole`).
    public mutating func route(_ lookup: RouteLookup) throws(NetlinkError) -> RouteMessage {
        do throws(NetlinkError) {
            return try answer(to: lookup, flags: .fibMatch)
        } catch {
            guard error.code == .kernel, error.errno == .notSupported else { throw error }
            return try path(lookup)
        }
    }

    /// The path to an address instead of the route that matched: one next hop, and the source address in use.
    ///
    /// - Throws: as `route(_:)`.
    public mutating func path(_ lookup: RouteLookup) throws(NetlinkError) -> RouteMessage {
        try answer(to: lookup, flags: [])
    }

    private mutating func answer(
        to lookup: RouteLookup, flags: RouteMessageFlags
    ) throws(NetlinkError) -> RouteMessage {
        var found: RouteMessage?
        try socket.exchange(.getRoute, [], operation: "RTM_GETROUTE \(lookup.destination)") {
            Self.write(lookup, flags: flags, to: &$0)
        } read: { (header, payload) throws(NetlinkError) in
            if header.type == .newRoute { found = try RouteMessage(payload) }
        }
        guard let found else { throw .malformed("a lookup's answer without a route") }
        return found
    }
}

extension RouteMessage {
    /// Whether packets may leave through a link; also true for a nexthop object whose hops the kernel did not list.
    fileprivate func mayUse(_ interface: Int32) -> Bool {
        nextHops.contains { $0.interface == interface } || nextHops.isEmpty && nextHopID != nil
    }
}
#endif
