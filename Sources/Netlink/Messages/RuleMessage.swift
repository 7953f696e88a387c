// SPDX-License-Identifier: Apache-2.0

/// A policy routing rule: `RTM_NEWRULE`, `RTM_DELRULE` (`linux/fib_rules.h`, ip-rule(8)).
public struct RuleMessage: Hashable, Sendable {
    /// IPv4 or IPv6.
    public var family: AddressFamily
    /// The action for packets that match.
    public var action: RuleAction
    /// The table of a `lookup` action.
    public var table: RouteTable
    /// `FRA_PRIORITY`: rules are evaluated in ascending order; nil is 0.
    public var priority: UInt32?
    /// Whether the selectors are negated (`FIB_RULE_INVERT`, `not`).
    public var isInverted: Bool
    /// Only packets from these addresses.
    public var source: NetworkPrefix?
    /// Only packets to these addresses.
    public var destination: NetworkPrefix?
    /// Only packets that arrived on this link.
    public var incomingInterface: String?
    /// Only packets bound to this link.
    public var outgoingInterface: String?
    /// Only packets with this mark, under `firewallMask`.
    public var firewallMark: UInt32?
    /// The bits of the mark that are compared; nil is all.
    public var firewallMask: UInt32?
    /// Routes with a prefix of this length or shorter are ignored (`suppress_prefixlength`); nil ignores none.
    public var suppressedPrefixLength: UInt32?
    /// Routes over links of this group are ignored (`suppress_ifgroup`); nil ignores none.
    public var suppressedLinkGroup: UInt32?

    /// Creates a rule with these properties.
    public init(
        family: AddressFamily, action: RuleAction = .lookup, table: RouteTable = .unspecified, priority: UInt32? = nil,
        isInverted: Bool = false, source: NetworkPrefix? = nil, destination: NetworkPrefix? = nil,
        firewallMark: UInt32? = nil, suppressedPrefixLength: UInt32? = nil, suppressedLinkGroup: UInt32? = nil
    ) {
        self.family = family
        self.action = action
        self.table = table
        self.priority = priority
        self.isInverted = isInverted
        self.source = source
        self.destination = destination
        self.firewallMark = firewallMark
        self.suppressedPrefixLength = suppressedPrefixLength
        self.suppressedLinkGroup = suppressedLinkGroup
    }
}

/// The action of a rule: `FR_ACT_…` (`linux/fib_rules.h`).
public struct RuleAction: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt8

    /// Creates an action from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Looks up the route in a table.
    public static let lookup = Self(rawValue: 1)
    /// Does nothing.
    public static let noOperation = Self(rawValue: 3)
    /// Discards silently.
    public static let blackhole = Self(rawValue: 6)
    /// Rejects: network unreachable.
    public static let unreachable = Self(rawValue: 7)
    /// Rejects: administratively prohibited.
    public static let prohibit = Self(rawValue: 8)

    /// Whether the rule drops or rejects packets.
    public var rejects: Bool { self == .blackhole || self == .unreachable || self == .prohibit }
}

extension RuleMessage {
    /// The size of `struct fib_rule_hdr`.
    static let headerSize = 12
    /// `FIB_RULE_INVERT`.
    package static let invertBit: UInt32 = 0x2

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        let family = AddressFamily(rawValue: try payload.integer(at: 0))
        self.family = family
        let destinationLength: UInt8 = try payload.integer(at: 1)
        let sourceLength: UInt8 = try payload.integer(at: 2)
        table = RouteTable(rawValue: UInt32(try payload.integer(at: 4, as: UInt8.self)))
        action = RuleAction(rawValue: try payload.integer(at: 7))
        isInverted = try payload.integer(at: 8, as: UInt32.self) & Self.invertBit != 0
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            case .destination: destination = NetworkPrefix(try value.address(family), length: destinationLength)
            case .source: source = NetworkPrefix(try value.address(family), length: sourceLength)
            case .incoming: incomingInterface = value.cString
            case .priority: priority = try value.exactly(UInt32.self)
            case .mark: firewallMark = try value.exactly(UInt32.self)
            case .suppressLinkGroup: suppressedLinkGroup = Self.limit(try value.exactly(UInt32.self))
            case .suppressPrefixLength: suppressedPrefixLength = Self.limit(try value.exactly(UInt32.self))
            case .table: table = RouteTable(rawValue: try value.exactly(UInt32.self))
            case .mask: firewallMask = try value.exactly(UInt32.self)
            case .outgoing: outgoingInterface = value.cString
            case nil: break
            }
        }
    }

    /// The kernel sends all ones for "none".
    private static func limit(_ value: UInt32) -> UInt32? { value == .max ? nil : value }

    /// The attributes that have a property (`FRA_…`).
    package enum Attribute: UInt16, CaseIterable {
        case destination = 1
        case source = 2
        case incoming = 3
        case priority = 6
        case mark = 10
        case suppressLinkGroup = 13
        case suppressPrefixLength = 14
        case table = 15
        case mask = 16
        case outgoing = 17
    }
}
