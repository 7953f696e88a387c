//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// A link with its addresses, as far as they matter to where packets can go.
public struct NetworkInterface: Hashable, Sendable {
    /// The kernel's number for it.
    public var index: Int32
    /// Its name.
    public var name: String
    /// Over what it carries data.
    public var type: InterfaceType
    /// The kernel's word for a virtual link, such as `wireguard` or `bridge`; nil for hardware.
    public var linkKind: String?
    /// Up, running, carrier, dormant and the rest.
    public var flags: LinkFlags
    /// The bridge, bond, team or VRF that it belongs to.
    public var controllerIndex: Int32?
    /// The kind of that controller.
    public var controllerKind: String?
    /// Its addresses, in the order in which the kernel gave them.
    public var addresses: [InterfaceAddress]
    /// The link that carries this tunnel's packets, where that is known: for a tunnel that a path leads through, by where the
    /// kernel would send a packet to its other end.
    ///
    /// WireGuard's peers are told to the administrator alone (`CAP_NET_ADMIN`); who is at the other end of a tun link, nobody.
    public var carrierIndex: Int32?
    /// The Wi-Fi network that it has joined.
    public var wifi: WiFiLink?
    /// What keeps its radio switched off; nil when nothing does, or nobody tells.
    public var radioBlock: RadioBlock?
    /// Whether it costs by volume, as NetworkManager knows or guesses.
    public var metered: Metered

    /// Makes an interface, for tests and scripts too.
    public init(
        index: Int32, name: String, type: InterfaceType, linkKind: String? = nil,
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
    /// Switched on by the administrator.
    public var isUp: Bool { flags.contains(.up) }

    /// Able to carry data: on, with carrier, and waiting for nothing.
    ///
    /// Right after it is switched on, and right after a disconnect, a link can still claim to run without carrier.
    public var isRunning: Bool { flags.isSuperset(of: [.up, .running, .lowerUp]) && !isDormant }

    /// On, with carrier, but waiting for something such as authentication.
    ///
    /// Read from the flags alone, because right after a disconnect the operational state can still say `up`.
    public var isDormant: Bool { flags.isSuperset(of: [.up, .lowerUp, .dormant]) && !flags.contains(.running) }

    /// The loopback link.
    public var isLoopback: Bool { flags.contains(.loopback) || type == .loopback }

    /// Part of a bridge, bond or team, which carries the traffic in its stead.
    ///
    /// A VRF's member still carries its own.
    public var isEnslaved: Bool { controllerIndex != nil && controllerKind != "vrf" }

    /// A tunnel, by its kind.
    public var isTunnel: Bool { linkKind.map(InterfaceClassifier.isTunnel(kind:)) ?? false }

    /// A connection that comes and goes: dialled, or a private network over another one.
    ///
    /// Tunnels that administrators build as part of their network, such as GRE or VXLAN, are none.
    public var isDialledOrVPN: Bool { linkKind.map(InterfaceClassifier.isDialledOrVPN(kind:)) ?? false }

    /// A link with just one other end.
    public var isPointToPoint: Bool { flags.contains(.pointToPoint) }
}

/// An address of a link, without its lifetimes, which change all the time.
public struct InterfaceAddress: Hashable, Sendable {
    /// The address and the length of its network.
    public var prefix: InetPrefix
    /// Tentative, deprecated, duplicate.
    public var flags: AddressFlags
    /// How far it is valid.
    public var scope: RouteScope

    /// Makes an address.
    public init(_ prefix: InetPrefix, flags: AddressFlags = [], scope: RouteScope = .universe) {
        self.prefix = prefix
        // What stays tells whether it can be used; the kernel sets and clears the rest without consequence.
        self.flags = flags.intersection([.tentative, .optimistic, .duplicateDetected, .deprecated])
        self.scope = scope
    }

    /// The address alone.
    public var address: InetAddress { prefix.address }

    /// Waiting for duplicate address detection, and not allowed to be used meanwhile.
    public var isTentative: Bool {
        flags.contains(.tentative) && !flags.contains(.optimistic) && !flags.contains(.duplicateDetected)
    }

    /// Can be the source of a packet at all.
    public var isUsable: Bool { !isTentative && !flags.contains(.duplicateDetected) }

    /// Can be the source of a packet that leaves the link's own network.
    ///
    /// A link-local address cannot (RFC 3927 section 2.7, RFC 4291 section 2.5.6).
    public var canReachBeyondLink: Bool {
        !address.isLinkLocal && !address.isLoopback && isUsable
    }
}
