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
        let uplinks = interfaces.filter { !$0.isLoopback && !$0.isEnslaved && $0.type != .other }
        return !uplinks.isEmpty && uplinks.allSatisfy { $0.type == .wifi && !$0.isUp }
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
