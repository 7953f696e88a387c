// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// A link with its addresses, reduced to the facts that affect where packets go.
public struct NetworkInterface: Hashable, Sendable {
    /// The interface index that the kernel assigned.
    public var index: Int32
    /// The name of the link, such as `eth0`.
    public var name: String
    /// The type of network that it carries data over.
    public var type: NetworkPath.InterfaceType
    /// The kernel's name for the kind of a virtual link, such as `wireguard` or `bridge`; nil for hardware.
    public var linkKind: String?
    /// The kernel's flags: up, running, carrier, dormant and so on.
    public var flags: LinkFlags
    /// The index of the bridge, bond, team or VRF that it belongs to.
    public var controllerIndex: Int32?
    /// The kind of that controller.
    public var controllerKind: String?
    /// The addresses, in the kernel's order.
    public var addresses: [InterfaceAddress]
    /// The index of the link that carries this tunnel's packets, if known.
    ///
    /// It is found for a tunnel that a path uses, by looking up the route to its remote endpoint.
    ///
    /// The kernel shows WireGuard's peers only to the administrator (`CAP_NET_ADMIN`), and cannot know the remote end
    /// of a tun link.
    public var carrierIndex: Int32?
    /// The Wi-Fi network that it has joined.
    public var wifi: WiFiLink?
    /// What keeps its radio switched off; nil if nothing does, or it cannot be determined.
    public var radioBlock: RadioBlock?
    /// Whether traffic is charged by volume, as NetworkManager reports or guesses.
    public var metered: Metered

    /// Creates an interface, also for tests and scripts.
    public init(
        index: Int32, name: String, type: NetworkPath.InterfaceType, linkKind: String? = nil,
        flags: LinkFlags = [.up, .running, .lowerUp], controllerIndex: Int32? = nil, controllerKind: String? = nil,
        addresses: [InterfaceAddress] = [], carrierIndex: Int32? = nil, wifi: WiFiLink? = nil,
        radioBlock: RadioBlock? = nil, metered: Metered = .unknown
    ) {
        self.index = index
        self.name = name
        self.type = type
        self.linkKind = linkKind
        self.flags = flags
        self.controllerIndex = controllerIndex
        self.controllerKind = controllerKind
        self.addresses = addresses
        self.carrierIndex = carrierIndex
        self.wifi = wifi
        self.radioBlock = radioBlock
        self.metered = metered
    }
}

extension NetworkInterface {
    /// Whether the administrator has switched the link on.
    public var isUp: Bool { flags.contains(.up) }

    /// Whether the link can carry data: it is on, has a carrier, and waits for nothing.
    ///
    /// Right after it is switched on, or disconnected, a link without carrier can still report that it is running.
    public var isRunning: Bool { flags.isRunning }

    /// Whether the link is on and has a carrier, but waits for something such as authentication.
    ///
    /// This uses only the flags, because right after a disconnect the operational state can still be `up`.
    public var isDormant: Bool { flags.isDormant }

    /// Whether this is the loopback link.
    public var isLoopback: Bool { flags.contains(.loopback) || type == .loopback }

    /// Whether the link is part of a bridge, bond or team, which carries the traffic instead.
    ///
    /// A VRF's member still carries its own traffic.
    public var isEnslaved: Bool { controllerIndex != nil && controllerKind != "vrf" }

    /// Whether the link is a tunnel, according to its kind.
    public var isTunnel: Bool { linkKind.map(NetworkInterface.isTunnel(kind:)) ?? false }

    /// Whether the link is a connection that comes and goes: dialed, or a private network over another connection.
    ///
    /// Tunnels that administrators build as part of their network, such as GRE or VXLAN, do not count.
    public var isDialledOrVPN: Bool { linkKind.map(NetworkInterface.isDialledOrVPN(kind:)) ?? false }

    /// Whether the link has a single remote end.
    public var isPointToPoint: Bool { flags.contains(.pointToPoint) }

    /// The link as it appears in a path.
    public var pathInterface: NetworkPath.Interface {
        NetworkPath.Interface(name: name, index: Int(index), type: type, networkName: wifi?.networkName)
    }
}

extension NetworkInterface {
    /// Returns whether links of this kind wrap packets into other packets.
    static func isTunnel(kind: String) -> Bool {
        switch kind {
        case "tun", "wireguard", "ipip", "gre", "gretap", "erspan", "ip6gre", "ip6gretap", "ip6erspan", "sit", "ip6tnl",
            "vti", "vti6", "xfrm", "vxlan", "geneve", "bareudp", "gtp", "ovpn", "ppp", "amt":
            true
        default: false
        }
    }

    /// Returns whether links of this kind are dialed, or belong to private networks.
    static func isDialledOrVPN(kind: String) -> Bool {
        switch kind {
        case "ppp", "tun", "wireguard", "ovpn", "xfrm", "vti", "vti6": true
        default: false
        }
    }
}

// The same questions without a copy of the link, which takes 250 instructions.

extension [NetworkInterface] {
    /// See `NetworkInterface.isLoopback`.
    func isLoopback(at place: Int) -> Bool { self[place].flags.contains(.loopback) || self[place].type == .loopback }

    /// See `NetworkInterface.isEnslaved`.
    func isEnslaved(at place: Int) -> Bool { self[place].controllerIndex != nil && self[place].isEnslaved }
}

extension LinkFlags {
    /// See `NetworkInterface.isRunning`.
    var isRunning: Bool { isSuperset(of: [.up, .running, .lowerUp]) && !isDormant }

    /// See `NetworkInterface.isDormant`.
    var isDormant: Bool { isSuperset(of: [.up, .lowerUp, .dormant]) && !contains(.running) }
}

/// An address of a link, without its lifetimes, which change constantly.
public struct InterfaceAddress: Hashable, Sendable {
    /// The address with its prefix length.
    public var prefix: NetworkPrefix
    /// The relevant flags: tentative, optimistic, duplicate, deprecated.
    public var flags: AddressFlags
    /// The scope in which the address is valid.
    public var scope: RouteScope

    /// Creates an address; flags that do not affect its use are dropped.
    public init(_ prefix: NetworkPrefix, flags: AddressFlags = [], scope: RouteScope = .universe) {
        self.prefix = prefix
        // These flags decide whether the address can be used; the others have no consequence.
        self.flags = flags.intersection([.tentative, .optimistic, .duplicateDetected, .deprecated])
        self.scope = scope
    }

    /// The address without its prefix length.
    public var address: NetworkAddress { prefix.address }

    /// Whether duplicate address detection is pending, so that the address must not be used yet.
    public var isTentative: Bool {
        flags.contains(.tentative) && !flags.contains(.optimistic) && !flags.contains(.duplicateDetected)
    }

    /// Whether the address can be the source of a packet at all.
    public var isUsable: Bool { !isTentative && !flags.contains(.duplicateDetected) }

    /// Whether the address can be the source of a packet that leaves the link's own network.
    ///
    /// A link-local address cannot (RFC 3927 section 2.7, RFC 4291 section 2.5.6), nor can an IPv4 address whose scope is the
    /// link or the host: the kernel does not choose it for packets to a router.
    public var canReachBeyondLink: Bool {
        !address.isLinkLocal && !address.isLoopback && isUsable
            && (scope == .universe || address.version == .ipv6)
    }

    /// Whether the address is, or will be, one with which packets leave the link's own network.
    var mayReachBeyondLink: Bool { !address.isLinkLocal || isTranslated }

    /// An IPv4 link-local address that packets to a router have, because its scope is not the link.
    var isTranslated: Bool { address.isLinkLocal && address.version == .ipv4 && scope == .universe }

    /// An IPv4 address of a translator on this host (464XLAT's CLAT: RFC 7335), whose packets leave over IPv6.
    var isOfTranslator: Bool { address.version == .ipv4 && address.bits.low >> 3 == 0xC000_0000 >> 3 }
}
