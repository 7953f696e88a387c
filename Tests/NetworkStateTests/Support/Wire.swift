// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import Netlink
@testable import NetworkState

/// Messages in wire format.
enum Wire {
    /// A link message; nil values are left out, as in partial messages.
    static func link(
        _ type: MessageType = .newLink, _ index: Int32 = 2, name: String? = nil,
        flags: LinkFlags = [.up, .running, .lowerUp],
        family: AddressFamily = .unspecified, kind: String? = nil, controller: Int32? = nil, mtu: UInt32? = nil,
        group: UInt32? = nil, state: OperationalState? = nil, isWirelessEvent: Bool = false
    ) throws -> [UInt8] {
        var writer = MessageWriter(type, flags: [], sequence: 0)
        writer.append(family.rawValue)
        writer.append(UInt8(0))
        writer.append(HardwareType.ethernet.rawValue)
        writer.append(index)
        writer.append(flags.rawValue)
        writer.append(UInt32(0))
        if let name { writer.attribute(LinkMessage.Attribute.name.rawValue, name) }
        if let mtu { writer.attribute(LinkMessage.ChangeAttribute.mtu, mtu) }
        if let controller { writer.attribute(LinkMessage.Attribute.controller.rawValue, controller) }
        if let group { writer.attribute(LinkMessage.Attribute.group.rawValue, group) }
        if let state { writer.attribute(LinkMessage.Attribute.operationalState.rawValue, state.rawValue) }
        if let kind {
            writer.nested(LinkMessage.Attribute.info.rawValue) {
                $0.attribute(LinkMessage.InfoAttribute.kind, kind)
            }
        }
        // IFLA_WIRELESS carries a struct iw_event.
        if isWirelessEvent { writer.attribute(LinkMessage.Attribute.wireless.rawValue, [8, 0, 21, 139, 0, 0, 0, 0]) }
        return try writer.finish()
    }

    static func address(
        _ type: MessageType = .newAddress, _ prefix: NetworkPrefix = "192.0.2.2/24", on index: Int32 = 2,
        peer: NetworkAddress? = nil, flags: AddressFlags = [], lifetime: UInt32 = .max
    ) throws -> [UInt8] {
        var writer = MessageWriter(type, flags: [], sequence: 0)
        writer.append(prefix.address.family.rawValue)
        writer.append(prefix.length)
        writer.append([0, 0])
        writer.append(index)
        writer.attribute(AddressMessage.Attribute.address.rawValue, peer ?? prefix.address)
        writer.attribute(AddressMessage.Attribute.local.rawValue, prefix.address)
        writer.attribute(AddressMessage.Attribute.flags.rawValue, flags.rawValue)
        var lifetimes = MessageWriter.raw()
        for value in [lifetime, lifetime, 0, 0] { lifetimes.append(value) }
        writer.attribute(AddressMessage.Attribute.cacheInfo.rawValue, lifetimes.bytes)
        return try writer.finish()
    }

    /// A message about the router fe80::1.
    static func neighbor(_ state: NeighborState, type: MessageType = .newNeighbor, on index: Int32 = 2) throws
        -> [UInt8]
    {
        var writer = MessageWriter(type, flags: [], sequence: 0)
        writer.append(AddressFamily.ipv6.rawValue)
        writer.append([0, 0, 0])
        writer.append(index)
        writer.append(state.rawValue)
        writer.append([0x80, 1])
        writer.attribute(NeighborMessage.Attribute.destination.rawValue, "fe80::1" as NetworkAddress)
        return try writer.finish()
    }

    /// A message about settings; nil values are left out.
    static func settings(
        _ family: AddressFamily, of index: Int32, forwarding: Int32?, ignoring: Int32?
    ) throws -> [UInt8] {
        var writer = MessageWriter(.newConfiguration, flags: [], sequence: 0)
        writer.append(family.rawValue)
        writer.append([0, 0, 0])
        writer.attribute(ConfigurationMessage.Attribute.index.rawValue, index)
        if let forwarding { writer.attribute(ConfigurationMessage.Attribute.forwarding.rawValue, forwarding) }
        if let ignoring { writer.attribute(ConfigurationMessage.Attribute.ignoreRoutesWithLinkDown.rawValue, ignoring) }
        return try writer.finish()
    }

    /// A default route's message.
    static func route(_ type: MessageType, _ family: AddressFamily) throws -> [UInt8] {
        var writer = MessageWriter(type, flags: [], sequence: 0)
        RouteNetlink.writeRouteHeader(&writer, family: family, destinationLength: 0, sourceLength: 0, flags: 0)
        return try writer.finish()
    }

    /// A message of a type whose contents do not matter.
    static func empty(_ type: MessageType) throws -> [UInt8] {
        try MessageWriter(type, flags: [], sequence: 0).finish()
    }
}

extension LinkMessage {
    /// An Ethernet link that is running.
    static func sample(_ index: Int32) throws -> LinkMessage {
        let bytes = try Wire.link(.newLink, index, name: "eth\(index)")
        return try LinkMessage(bytes.span.bytes.extracting(droppingFirst: MessageHeader.size))
    }
}

extension KernelTables {
    /// Handles the messages of one datagram, and returns what they require.
    mutating func apply(_ datagram: [UInt8]) throws -> Hints {
        var hints: Hints = []
        try datagram.span.bytes.forEachMessage { (header, payload) throws(NetlinkError) in
            hints.formUnion(try apply(header, payload))
        }
        return hints
    }
}
