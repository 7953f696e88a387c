// SPDX-License-Identifier: Apache-2.0

/// A neighbour on a link, from ARP or neighbour discovery: `RTM_NEWNEIGH`, `RTM_DELNEIGH` (`linux/neighbour.h`).
public struct NeighborMessage: Hashable, Sendable {
    /// IPv4, IPv6, or bridge for a forwarding entry.
    public var family: AddressFamily
    /// The link.
    public var index: Int32
    /// The state of resolution.
    public var state: NeighborState
    /// `NTF_…` bits.
    public var flags: UInt8
    /// `NDA_DST`: its address.
    public var address: NetworkAddress?
    /// `NDA_LLADDR`: its link-layer address.
    public var hardwareAddress: [UInt8]?
}

/// The state of a neighbour's resolution: `ndm_state` (RFC 4861 section 7.3.2).
public struct NeighborState: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt16

    /// Creates a state from the kernel's bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `NUD_INCOMPLETE`: a query was sent, without an answer so far.
    public static let incomplete = Self(rawValue: 0x01)
    /// `NUD_REACHABLE`: confirmed recently.
    public static let reachable = Self(rawValue: 0x02)
    /// `NUD_STALE`: known, but not confirmed recently.
    public static let stale = Self(rawValue: 0x04)
    /// `NUD_DELAY`: about to be queried again.
    public static let delay = Self(rawValue: 0x08)
    /// `NUD_PROBE`: being queried again.
    public static let probe = Self(rawValue: 0x10)
    /// `NUD_FAILED`: does not answer.
    public static let failed = Self(rawValue: 0x20)
    /// `NUD_NOARP`: needs no resolution.
    public static let noARP = Self(rawValue: 0x40)
    /// `NUD_PERMANENT`: set by the administrator.
    public static let permanent = Self(rawValue: 0x80)
}

/// A neighbour whose state is watched, because it is a router in use.
package struct NeighborWatch: Hashable, Sendable {
    /// Its address.
    package var address: NetworkAddress
    /// The link that it is on.
    package var interface: Int32
    /// Whether it has failed, so that its return matters; otherwise only its failure does.
    package var hasFailed: Bool

    package init(_ address: NetworkAddress, on interface: Int32, hasFailed: Bool = false) {
        self.address = address
        self.interface = interface
        self.hasFailed = hasFailed
    }
}

extension NeighborState {
    /// `NUD_VALID`: packets can be sent to the neighbour.
    package static let valid: Self = [.permanent, .noARP, .reachable, .probe, .stale, .delay]
}

extension NeighborMessage {
    /// The size of `struct ndmsg`.
    static let headerSize = 12

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        let family = AddressFamily(rawValue: try payload.integer(at: 0))
        self.family = family
        index = try payload.integer(at: 4)
        state = NeighborState(rawValue: try payload.integer(at: 8))
        flags = try payload.integer(at: 10)
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            // A bridge's forwarding entry may contain an address of either family; the length decides.
            case .destination: address = try value.address(value.byteCount == 16 ? .ipv6 : .ipv4)
            case .hardwareAddress: hardwareAddress = value.array
            case nil: break
            }
        }
    }

    /// The attributes that have a property (`NDA_…`).
    enum Attribute: UInt16, CaseIterable {
        case destination = 1
        case hardwareAddress = 2
    }
}
