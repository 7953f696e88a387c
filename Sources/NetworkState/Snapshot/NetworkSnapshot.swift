//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// What this host's network looks like at one moment, as one value.
///
/// Two snapshots are equal when nothing differs that could matter to where packets go.
public struct NetworkSnapshot: Hashable, Sendable {
    /// The links with their addresses, by number.
    public var interfaces: [NetworkInterface]
    /// Whether a policy rule rejects packets outright.
    public var hasRejectingRule: Bool
    /// The kernel's answers for representative public addresses.
    public var routing: RoutingAnswers
    /// The kernel's answers for the hosts that somebody watches.
    ///
    /// There may be others in it besides one's own.
    public var hosts: [RouteLookup: RouteAnswer]
    /// Wi-Fi is switched off by a key, a menu or airplane mode.
    public var isWiFiSwitchedOff: Bool
    /// The name servers.
    public var resolver: ResolverConfiguration
    /// How well the network can be seen.
    public var visibility: Visibility
    /// What links cost by the word of the user.
    public var costs: CostRules

    /// Makes a snapshot, for tests and scripts too.
    public init(
        interfaces: [NetworkInterface] = [], hasRejectingRule: Bool = false, routing: RoutingAnswers = RoutingAnswers(),
        hosts: [RouteLookup: RouteAnswer] = [:], isWiFiSwitchedOff: Bool = false,
        resolver: ResolverConfiguration = ResolverConfiguration(), visibility: Visibility = .live,
        costs: CostRules = CostRules()
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

    /// The link with a number.
    public func interface(_ index: Int32) -> NetworkInterface? {
        interfaces.first { $0.index == index }
    }

    /// Only a person can bring the network back: Wi-Fi is the only way out that there could be, and it is switched off.
    public var needsIntervention: Bool {
        guard isWiFiSwitchedOff else { return false }
        let uplinks = uplinks(among: interfaces.filter { !$0.isLoopback && !$0.isEnslaved })
        return !uplinks.isEmpty && uplinks.allSatisfy { $0.type == .wifi && !$0.isUp }
    }

    /// Which of some links could lead out of this host: hardware and what is made of it.
    ///
    /// The ends of pairs count only when there is nothing else, as in a container; then bridges of containers and of
    /// virtual machines, which join nothing but this host's own.
    func uplinks(among links: [NetworkInterface]) -> [NetworkInterface] {
        let links = links.filter { $0.type != .other }
        let bridges = links.filter(isInternalBridge)
        let others = links.filter { !isInternalBridge($0) }
        let outer = others.filter { !$0.isPairEnd }
        // What is made of a link may be made of such an end.
        if outer.contains(where: { !$0.isMadeOfAnother }) { return outer }
        return others.isEmpty ? bridges : others
    }

    /// Whether a link is a bridge without a port that leads out of this host.
    func isInternalBridge(_ link: NetworkInterface) -> Bool {
        link.linkKind == "bridge"
            && interfaces.allSatisfy { $0.controllerIndex != link.index || $0.isPairEnd || $0.isOfThisHostAlone }
    }

    /// Whether it tells the same as another but for single hosts.
    package func differsOnlyInHosts(from other: NetworkSnapshot) -> Bool {
        withoutHosts == other.withoutHosts
    }

    private var withoutHosts: NetworkSnapshot {
        var snapshot = self
        snapshot.hosts = [:]
        return snapshot
    }

    /// The link with a name.
    public func interface(named name: String) -> NetworkInterface? {
        interfaces.first { $0.name == name }
    }
}

extension NetworkInterface {
    /// One end of a pair, whose other end is most often in a container.
    fileprivate var isPairEnd: Bool { linkKind == "veth" || linkKind == "netkit" }

    /// A link on top of another one.
    fileprivate var isMadeOfAnother: Bool {
        switch linkKind {
        case "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec": true
        default: false
        }
    }

    /// A program of this host is at its other end, such as a virtual machine, or nothing is.
    fileprivate var isOfThisHostAlone: Bool { linkKind == "tun" || linkKind == "dummy" }
}

/// How well the network can be seen.
public enum Visibility: Hashable, Sendable {
    /// Every change is announced by the kernel.
    case live
    /// Changes are looked for at intervals, because the kernel or a sandbox does not announce them.
    case polling(because: NetlinkError)
    /// Nothing can be seen, for this reason. The rest of the snapshot says nothing.
    case unavailable(because: NetlinkError)
}

extension Visibility {
    /// What keeps the network from being seen well, and what to do about it; nil when it is seen well.
    public var explanation: String? {
        switch self {
        case .live: nil
        case .polling(let error):
            "Changes are noticed a few seconds late, because the kernel does not announce them here: \(error)."
        case .unavailable(let error): "The network cannot be seen: \(error). \(Self.remedy(error))"
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
