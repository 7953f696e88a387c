// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import Netlink

/// A route to add, replace or delete.
public struct NewRoute: Hashable, Sendable {
    /// The destinations; `NetworkPrefix.all(_:)` is a default route.
    public var destination: NetworkPrefix
    /// The action of the route on packets.
    public var type: RouteType
    /// The next hops: none for a route that discards packets, several for multipath.
    public var nextHops: [NextHop]
    /// A nexthop object instead of next hops.
    public var nextHopID: UInt32?
    /// The metric; nil lets the kernel choose (IPv4 0, IPv6 1024).
    public var priority: UInt32?
    /// The table.
    public var table: RouteTable
    /// The sources that an IPv6 route applies to; nil is all.
    public var source: NetworkPrefix?
    /// The origin that the route is marked with.
    public var `protocol`: RouteProtocol = .boot
    /// The source address to use.
    public var preferredSource: NetworkAddress?
    /// The number of seconds until an IPv6 route expires; nil is never.
    public var expires: UInt32?

    /// Creates a route.
    public init(
        _ destination: NetworkPrefix, type: RouteType = .unicast, nextHops: [NextHop] = [], nextHopID: UInt32? = nil,
        priority: UInt32? = nil, table: RouteTable = .main, source: NetworkPrefix? = nil,
        preferredSource: NetworkAddress? = nil, expires: UInt32? = nil
    ) {
        self.destination = destination
        self.type = type
        self.nextHops = nextHops
        self.nextHopID = nextHopID
        self.priority = priority
        self.table = table
        self.source = source
        self.preferredSource = preferredSource
        self.expires = expires
    }

    /// Creates a unicast route over one next hop.
    public init(
        _ destination: NetworkPrefix, via gateway: NetworkAddress? = nil, interface: Int32? = nil, onLink: Bool = false,
        priority: UInt32? = nil, table: RouteTable = .main
    ) {
        let hop = NextHop(interface: interface, gateway: gateway, flags: onLink ? .onLink : [])
        self.init(destination, nextHops: [hop], priority: priority, table: table)
    }
}

extension RouteNetlink {
    /// Adds a route.
    ///
    /// - Throws: `kernel` with `exists`, with `networkUnreachable` for a gateway that is not on-link.
    public mutating func addRoute(_ route: NewRoute) throws(NetlinkError) {
        try change(.newRoute, [.create, .exclusive], "RTM_NEWROUTE \(route.destination)") { route.write(to: &$0) }
    }

    /// Adds a route, or replaces the one with the same destination, table and metric.
    public mutating func replaceRoute(_ route: NewRoute) throws(NetlinkError) {
        try change(.newRoute, [.create, .replace], "RTM_NEWROUTE \(route.destination)") { route.write(to: &$0) }
    }

    /// Adds a route after those with the same destination, table and metric; for IPv6 it joins their multipath route.
    public mutating func appendRoute(_ route: NewRoute) throws(NetlinkError) {
        try change(.newRoute, [.create, .append], "RTM_NEWROUTE \(route.destination)") { route.write(to: &$0) }
    }

    /// Deletes a route.
    ///
    /// Properties that are nil match any value.
    ///
    /// - Throws: `kernel` with errno 3 (no such process) when no route matches.
    public mutating func deleteRoute(_ route: NewRoute) throws(NetlinkError) {
        try change(.deleteRoute, [], "RTM_DELROUTE \(route.destination)") { route.write(to: &$0, isDeletion: true) }
    }

    /// Adds a policy rule.
    public mutating func addRule(_ rule: RuleMessage) throws(NetlinkError) {
        try change(.newRule, [.create, .exclusive], "RTM_NEWRULE") { rule.write(to: &$0) }
    }

    /// Deletes a policy rule.
    public mutating func deleteRule(_ rule: RuleMessage) throws(NetlinkError) {
        try change(.deleteRule, [], "RTM_DELRULE") { rule.write(to: &$0) }
    }

    /// Adds or replaces a nexthop object (Linux 5.3).
    public mutating func setNextHop(_ object: NextHopObjectMessage) throws(NetlinkError) {
        try change(.newNextHop, [.create, .replace], "RTM_NEWNEXTHOP \(object.id)") { object.write(to: &$0) }
    }

    /// Deletes a nexthop object and the routes that use it.
    public mutating func deleteNextHop(id: UInt32) throws(NetlinkError) {
        try change(.deleteNextHop, [], "RTM_DELNEXTHOP \(id)") {
            $0.append([UInt8](repeating: 0, count: NextHopObjectMessage.headerSize))
            $0.attribute(NextHopObjectMessage.Attribute.id.rawValue, id)
        }
    }
}

extension NewRoute {
    fileprivate func write(to writer: inout MessageWriter, isDeletion: Bool = false) {
        let family = destination.address.family
        let single = nextHops.count == 1 ? nextHops.first : nil
        let needsLinkScope =
            type == .unicast && family == .ipv4 && nextHopID == nil && nextHops.allSatisfy { $0.gateway == nil }
        let scope: RouteScope = isDeletion ? .nowhere : needsLinkScope ? .link : .universe
        RouteNetlink.writeRouteHeader(
            &writer, family: family, destinationLength: destination.length, sourceLength: source?.length ?? 0,
            table: table, protocol: isDeletion ? .unspecified : self.protocol, scope: scope, type: type.rawValue,
            flags: single?.flags.rawValue ?? 0)
        if destination.length > 0 {
            writer.attribute(RouteMessage.Attribute.destination.rawValue, destination.address)
        }
        if let source { writer.attribute(RouteMessage.Attribute.source.rawValue, source.address) }
        writer.attribute(RouteMessage.Attribute.table.rawValue, table.rawValue)
        if let priority { writer.attribute(RouteMessage.Attribute.priority.rawValue, priority) }
        if let preferredSource { writer.attribute(RouteMessage.Attribute.preferredSource.rawValue, preferredSource) }
        if let nextHopID { writer.attribute(RouteMessage.Attribute.nextHopID.rawValue, nextHopID) }
        if let expires { writer.attribute(RouteMessage.expiresAttribute, expires) }
        if let single {
            if let interface = single.interface {
                writer.attribute(RouteMessage.Attribute.outgoing.rawValue, interface)
            }
            single.writeGateway(to: &writer, family: family)
        } else if !nextHops.isEmpty {
            var list = MessageWriter.raw()
            for hop in nextHops { hop.write(to: &list, family: family) }
            writer.attribute(RouteMessage.Attribute.multipath.rawValue, list.bytes)
        }
    }
}

extension NextHop {
    /// One `struct rtnexthop` of a multipath list.
    fileprivate func write(to list: inout MessageWriter, family: AddressFamily) {
        var attributes = MessageWriter.raw()
        writeGateway(to: &attributes, family: family)
        list.append(UInt16(8 + attributes.bytes.count))
        list.append(UInt8(truncatingIfNeeded: flags.rawValue))
        list.append(UInt8(truncatingIfNeeded: weight &- 1))
        list.append(interface ?? 0)
        list.append(attributes.bytes)
    }

    fileprivate func writeGateway(to writer: inout MessageWriter, family: AddressFamily) {
        guard let gateway else { return }
        if gateway.family == family {
            writer.attribute(RouteMessage.Attribute.gateway.rawValue, gateway)
        } else {
            var via = MessageWriter.raw()
            via.append(UInt16(gateway.family.rawValue))
            via.append(gateway.bytes)
            writer.attribute(RouteMessage.Attribute.via.rawValue, via.bytes)
        }
    }
}

extension RuleMessage {
    package func write(to writer: inout MessageWriter) {
        writer.append(family.rawValue)
        writer.append(destination?.length ?? 0)
        writer.append(source?.length ?? 0)
        writer.append(UInt8(0))
        writer.append(UInt8(table.rawValue < 256 ? table.rawValue : 0))
        writer.append(UInt16(0))
        writer.append(action.rawValue)
        writer.append(isInverted ? Self.invertBit : 0)
        if let destination { writer.attribute(Attribute.destination.rawValue, destination.address) }
        if let source { writer.attribute(Attribute.source.rawValue, source.address) }
        if let incomingInterface { writer.attribute(Attribute.incoming.rawValue, incomingInterface) }
        if let outgoingInterface { writer.attribute(Attribute.outgoing.rawValue, outgoingInterface) }
        if let priority { writer.attribute(Attribute.priority.rawValue, priority) }
        if let firewallMark { writer.attribute(Attribute.mark.rawValue, firewallMark) }
        if let firewallMask { writer.attribute(Attribute.mask.rawValue, firewallMask) }
        if let suppressedLinkGroup { writer.attribute(Attribute.suppressLinkGroup.rawValue, suppressedLinkGroup) }
        if let suppressedPrefixLength {
            writer.attribute(Attribute.suppressPrefixLength.rawValue, suppressedPrefixLength)
        }
        if table != .unspecified { writer.attribute(Attribute.table.rawValue, table.rawValue) }
    }
}
#endif
