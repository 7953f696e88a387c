// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

extension NWEndpoint {
    /// A host: a name, or an address.
    ///
    /// Mirrors Apple's `NWEndpoint.Host`.
    public enum Host: Hashable, Sendable, CustomDebugStringConvertible, ExpressibleByStringLiteral {
        /// A name, to be resolved on the given interface if there is one.
        case name(String, NWInterface?)

        /// An IPv4 address.
        case ipv4(IPv4Address)

        /// An IPv6 address.
        case ipv6(IPv6Address)

        /// Creates a host from text; an address literal becomes an address, and everything else a name.
        ///
        /// An IPv4-mapped IPv6 literal becomes the IPv4 address inside it. A trailing `%` and interface name scope an
        /// address or a name if that interface exists; otherwise they stay part of the name. Nothing is resolved.
        public init(_ string: String) {
            let literal = AddressLiteral(string)
            if let address = literal.ipv4 {
                self = .ipv4(address)
            } else if let address = literal.ipv6 {
                let mapped = address.isIPv4Mapped ? address.asIPv4 : nil
                self = mapped.map(Self.ipv4) ?? .ipv6(address)
            } else if let interface = literal.namedInterface {
                self = .name(String(literal.body), interface)
            } else {
                self = .name(string, nil)
            }
        }

        /// Creates a host from a string literal, by the rules of `init(_:)`.
        public init(stringLiteral: String) {
            self.init(stringLiteral)
        }

        /// The interface that the host is scoped to, if any.
        public var interface: NWInterface? {
            switch self {
            case .name(_, let interface): interface
            case .ipv4(let address): address.interface
            case .ipv6(let address): address.interface
            }
        }

        /// The name or address, followed by `%` and the interface's name if scoped.
        public var debugDescription: String {
            switch self {
            case .name(let name, let interface): name.scoped(to: interface)
            case .ipv4(let address): address.debugDescription
            case .ipv6(let address): address.debugDescription
            }
        }
    }
}

#endif
