// SPDX-License-Identifier: Apache-2.0

/// An address of a link: `RTM_NEWADDR`, `RTM_DELADDR` (`linux/if_addr.h`, rtnetlink(7)).
public struct AddressMessage: Hashable, Sendable {
    /// The link that has the address.
    public var index: Int32
    /// The address with its prefix length (`IFA_LOCAL`, or `IFA_ADDRESS` where that is absent).
    public var prefix: NetworkPrefix
    /// The other end of a point-to-point link (`IFA_ADDRESS` where it differs from `IFA_LOCAL`).
    public var peer: NetworkAddress?
    /// The flags: tentative, deprecated and the others.
    public var flags: AddressFlags
    /// The range in which the address is valid.
    public var scope: RouteScope
    /// The number of seconds that the address stays valid; nil is forever.
    public var validLifetime: UInt32?
}

extension AddressMessage {
    /// The size of `struct ifaddrmsg`.
    static let headerSize = 8

    /// Reads a message's payload.
    ///
    /// - Throws: `truncated` or `malformed`, also for a message without an IPv4 or IPv6 address.
    public init(_ payload: RawSpan) throws(NetlinkError) {
        let family = AddressFamily(rawValue: try payload.integer(at: 0))
        let length: UInt8 = try payload.integer(at: 1)
        flags = AddressFlags(rawValue: UInt32(try payload.integer(at: 2, as: UInt8.self)))
        scope = RouteScope(rawValue: try payload.integer(at: 3))
        index = try payload.integer(at: 4)
        prefix = .all(family.version ?? .ipv4)
        var local: NetworkAddress?
        var address: NetworkAddress?
        try payload.forEachAttribute(from: Self.headerSize) { (type, value) throws(NetlinkError) in
            switch Attribute(rawValue: type) {
            case .address: address = try value.address(family)
            case .local: local = try value.address(family)
            case .cacheInfo:
                let seconds: UInt32 = try value.integer(at: 4)
                // All ones means forever.
                validLifetime = seconds == .max ? nil : seconds
            case .flags: flags = AddressFlags(rawValue: try value.exactly(UInt32.self))
            case nil: break
            }
        }
        guard let own = local ?? address, let prefix = NetworkPrefix(own, length: length) else {
            throw .malformed("an address message of \(family) without a usable address")
        }
        self.prefix = prefix
        peer = address == own ? nil : address
    }

    /// The attributes that have a property (`IFA_…`).
    package enum Attribute: UInt16, CaseIterable {
        case address = 1
        case local = 2
        case cacheInfo = 6
        case flags = 8
    }
}

/// An address's flags: `IFA_FLAGS` (`linux/if_addr.h`).
public struct AddressFlags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Creates flags from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `IFA_F_SECONDARY`: IPv4, not the first of its network; `IFA_F_TEMPORARY`: IPv6, a privacy address.
    public static let secondary = Self(rawValue: 0x01)
    /// `IFA_F_NODAD`: usable without duplicate address detection.
    public static let noDuplicateDetection = Self(rawValue: 0x02)
    /// `IFA_F_OPTIMISTIC`: usable while duplicate address detection runs (RFC 4429).
    public static let optimistic = Self(rawValue: 0x04)
    /// `IFA_F_DADFAILED`: another host has the address.
    public static let duplicateDetected = Self(rawValue: 0x08)
    /// `IFA_F_DEPRECATED`: works, but is not chosen for new connections if there is another.
    public static let deprecated = Self(rawValue: 0x20)
    /// `IFA_F_TENTATIVE`: duplicate address detection has not finished (RFC 4862); not usable yet.
    public static let tentative = Self(rawValue: 0x40)
    /// `IFA_F_PERMANENT`: set by the administrator, without lifetime.
    public static let permanent = Self(rawValue: 0x80)
}
