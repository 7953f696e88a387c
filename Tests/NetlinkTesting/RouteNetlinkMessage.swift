// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// Any rtnetlink message, as delivered by a subscription or replayed from a capture.
public enum RouteNetlinkMessage: Hashable, Sendable {
    /// A link was added or changed.
    case newLink(LinkMessage)
    /// A link was deleted.
    case deletedLink(LinkMessage)
    /// An address was added or changed.
    case newAddress(AddressMessage)
    /// An address was deleted.
    case deletedAddress(AddressMessage)
    /// A route was added; the flags distinguish `replace` from `append`.
    case newRoute(RouteMessage, MessageFlags)
    /// A route was deleted. The kernel does not announce every loss of an IPv4 route.
    case deletedRoute(RouteMessage)
    /// A rule was added.
    case newRule(RuleMessage)
    /// A rule was deleted.
    case deletedRule(RuleMessage)
    /// A nexthop object was added or changed.
    case newNextHop(NextHopObjectMessage)
    /// A nexthop object was deleted.
    case deletedNextHop(NextHopObjectMessage)
    /// A neighbour was added or changed.
    case newNeighbor(NeighborMessage)
    /// A neighbour was deleted.
    case deletedNeighbor(NeighborMessage)
    /// Settings of the Internet Protocol were changed, or a link got its own.
    case newConfiguration(ConfigurationMessage)
    /// The settings of a link were deleted with it.
    case deletedConfiguration(ConfigurationMessage)
    /// A message that this library has no type for.
    case other(MessageType, [UInt8])

    /// Reads one message.
    ///
    /// - Throws: `truncated` or `malformed`.
    public init(_ header: MessageHeader, _ payload: RawSpan) throws(NetlinkError) {
        switch header.type {
        case .newLink: self = .newLink(try LinkMessage(payload))
        case .deleteLink: self = .deletedLink(try LinkMessage(payload))
        case .newAddress: self = .newAddress(try AddressMessage(payload))
        case .deleteAddress: self = .deletedAddress(try AddressMessage(payload))
        case .newRoute: self = .newRoute(try RouteMessage(payload), header.flags)
        case .deleteRoute: self = .deletedRoute(try RouteMessage(payload))
        case .newRule: self = .newRule(try RuleMessage(payload))
        case .deleteRule: self = .deletedRule(try RuleMessage(payload))
        case .newNextHop: self = .newNextHop(try NextHopObjectMessage(payload))
        case .deleteNextHop: self = .deletedNextHop(try NextHopObjectMessage(payload))
        case .newNeighbor: self = .newNeighbor(try NeighborMessage(payload))
        case .deleteNeighbor: self = .deletedNeighbor(try NeighborMessage(payload))
        case .newConfiguration: self = .newConfiguration(try ConfigurationMessage(payload))
        case .deleteConfiguration: self = .deletedConfiguration(try ConfigurationMessage(payload))
        default: self = .other(header.type, payload.array)
        }
    }
}
