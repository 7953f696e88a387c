// SPDX-License-Identifier: Apache-2.0

public import Netlink

/// The state of this host's network at one moment, as one value.
///
/// Two snapshots are equal if they do not differ in anything that could affect where packets go.
public struct NetworkSnapshot: Hashable, Sendable {
    /// The links with their addresses, sorted by index.
    public var interfaces: [NetworkInterface]
    /// Whether a policy rule rejects packets outright.
    public var hasRejectingRule: Bool
    /// The kernel's answers for representative public addresses.
    public var routing: RoutingAnswers
    /// The kernel's answers for the hosts that subscribers watch.
    ///
    /// It may contain hosts of other subscribers.
    public var hosts: [RouteLookup: RouteAnswer]
    /// Whether Wi-Fi is switched off by a key, a menu or airplane mode.
    public var isWiFiSwitchedOff: Bool
    /// The name servers.
    public var resolver: ResolverConfiguration
    /// How well the network can be seen.
    public var visibility: Visibility
    /// The user's settings for what links cost.
    public var costs: CostPolicy

    /// Creates a snapshot, also for tests and scripts.
    public init(
        interfaces: [NetworkInterface] = [], hasRejectingRule: Bool = false, routing: RoutingAnswers = RoutingAnswers(),
        hosts: [RouteLookup: RouteAnswer] = [:], isWiFiSwitchedOff: Bool = false,
        resolver: ResolverConfiguration = ResolverConfiguration(), visibility: Visibility = .live,
        costs: CostPolicy = CostPolicy()
    ) {
        self.interfaces = interfaces
        self.hasRejectingRule = hasRejectingRule
        self.routing = routing
        self.hosts = hosts
        self.isWiFiSwitchedOff = isWiFiSwitchedOff
        self.resolver = resolver
        self.visibility = visibility
        self.costs = costs
    }

    /// Returns the link with an index.
    public func interface(_ index: Int32) -> NetworkInterface? {
        interfaces.first { $0.index == index }
    }

    /// Whether only a person can restore the network: Wi-Fi is the only possible uplink, and it is switched off.
    public var needsIntervention: Bool {
        guard isWiFiSwitchedOff else { return false }
        let uplinks = uplinks(
            among: interfaces.indices.filter { !interfaces[$0].isLoopback && !interfaces[$0].isEnslaved })
        return !uplinks.isEmpty && uplinks.allSatisfy { interfaces[$0].type == .wifi && !interfaces[$0].isUp }
    }

    /// Returns which of some links could lead out of this host: hardware, and virtual links on top of it.
    ///
    /// If there are none, as in a container, the ends of veth pairs count; otherwise bridges of containers and of
    /// virtual machines, which connect only this host's own.
    ///
    /// - Parameter places: the places of the links in ``interfaces``, which are not copied, because evaluating does this
    ///   for each change.
    func uplinks(among places: [Int]) -> [Int] {
        let others = places.filter { interfaces[$0].type != .other && !isInternalBridge(at: $0) }
        // A link on top of another may be on top of such an end.
        if others.contains(where: { !interfaces[$0].isPairEnd && !interfaces[$0].isMadeOfAnother }) {
            return others.filter { !interfaces[$0].isPairEnd }
        }
        return others.isEmpty ? places.filter { interfaces[$0].type != .other } : others
    }

    /// Returns whether the link at a place is a bridge without a port that leads out of this host.
    func isInternalBridge(at place: Int) -> Bool {
        guard interfaces[place].linkKind == "bridge" else { return false }
        let index = interfaces[place].index
        return interfaces.allSatisfy { $0.controllerIndex != index || $0.isPairEnd || $0.isOfThisHostAlone }
    }

    /// Returns whether another snapshot is equal except for single hosts.
    package func differsOnlyInHosts(from other: NetworkSnapshot) -> Bool {
        routing == other.routing && interfaces == other.interfaces && hasRejectingRule == other.hasRejectingRule
            && isWiFiSwitchedOff == other.isWiFiSwitchedOff && resolver == other.resolver
            && visibility == other.visibility && costs == other.costs
    }

    /// Returns the link with a name.
    public func interface(named name: String) -> NetworkInterface? {
        interfaces.first { $0.name == name }
    }

    /// Returns the link of an interface in a path.
    public func interface(_ interface: NetworkPath.Interface) -> NetworkInterface? {
        self.interface(Int32(truncatingIfNeeded: interface.index))
    }
}

extension NetworkInterface {
    /// Whether the link is one end of a pair; the other end is usually in a container.
    fileprivate var isPairEnd: Bool { linkKind == "veth" || linkKind == "netkit" }

    /// Whether the link is on top of another one.
    fileprivate var isMadeOfAnother: Bool {
        switch linkKind {
        case "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec": true
        default: false
        }
    }

    /// Whether the link's other end is a program on this host, such as a virtual machine, or does not exist.
    fileprivate var isOfThisHostAlone: Bool { linkKind == "tun" || linkKind == "dummy" }
}

/// How well the network can be seen.
public enum Visibility: Hashable, Sendable {
    /// The kernel announces every change.
    case live
    /// Changes are polled for, because the kernel or a sandbox does not announce them.
    case polling(because: NetlinkError)
    /// The network state cannot be read, for this reason. The rest of the snapshot is meaningless.
    case unavailable(because: NetlinkError)
}

extension Visibility {
    /// The reason why the network state is late or unavailable, and what to do about it; nil if it is available.
    public var limitation: NetworkPath.Limitation? {
        switch self {
        case .live: nil
        case .polling(let error):
            .polling(
                "Changes are noticed a few seconds late, because the kernel does not announce them here: \(error).")
        case .unavailable(let error): .unavailable("The network state cannot be read: \(error). \(Self.remedy(error))")
        }
    }

    private static func remedy(_ error: NetlinkError) -> String {
        switch error.errno {
        case .addressFamilyNotSupported, .notPermitted, .permissionDenied:
            "A sandbox forbids netlink sockets: allow AF_NETLINK (in a systemd unit, RestrictAddressFamilies=)."
        case .tooManyOpenFiles: "Too many files are open: raise the limit (ulimit -n)."
        case .noMemory, .noBufferSpace: "The system is short of memory."
        default: "Dialtone keeps trying."
        }
    }
}
