// SPDX-License-Identifier: Apache-2.0

/// Settings of the Internet Protocol, for a link or for all: `RTM_NEWNETCONF`, `RTM_DELNETCONF` (`linux/netconf.h`).
///
/// A change is announced with the settings that have changed, a new link with all of them. The other settings are nil.
public struct ConfigurationMessage: Hashable, Sendable {
    /// IPv4 or IPv6.
    public var family: AddressFamily
    /// The link, or ``allLinks``.
    public var index: Int32
    /// `forwarding`: whether packets are forwarded.
    public var isForwarding: Bool?
    /// `ignore_routes_with_linkdown`: whether routes over a link without carrier are ignored.
    public var ignoresRoutesWithoutCarrier: Bool?

    /// The index of the settings for all links: `NETCONFA_IFINDEX_ALL`.
    public static let allLinks: Int32 = -1
}

extension ConfigurationMessage {
    /// The size of `struct netconfmsg`, with its padding.
    static let headerSize = 4

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`, also for a message without an index.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        family = AddressFamily(rawValue: try payload.integer(at: 0))
        index = Self.allLinks
        var hasIndex = false
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            case .index:
                index = try value.exactly(Int32.self)
                hasIndex = true
            case .forwarding: isForwarding = try value.exactly(Int32.self) != 0
            case .ignoreRoutesWithLinkDown: ignoresRoutesWithoutCarrier = try value.exactly(Int32.self) != 0
            case nil: break
            }
        }
        guard hasIndex else { throw .malformed("settings of \(family) without a link's index") }
    }

    /// The attributes that have a property (`NETCONFA_…`).
    enum Attribute: UInt16, CaseIterable {
        case index = 1
        case forwarding = 2
        case ignoreRoutesWithLinkDown = 6
    }
}
