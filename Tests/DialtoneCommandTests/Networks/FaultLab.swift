// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import Synchronization
import TestSupport

/// A routed lab with the hosts of the default endpoints, six operators, and the public addresses that are known by number,
/// over IPv4 and IPv6.
///
/// Faults are made on the wire: by rules for packets, by routes, links and addresses, and by servers that misbehave.
final class FaultLab: Sendable {
    let served: ServedLab
    let wires: RoutedLab.Wires
    private let isDualStack: Bool
    private let kept = Mutex<[any Sendable]>([])

    /// The hosts of the default endpoints, by the last part of their addresses.
    static let hosts = [
        "connectivitycheck.gstatic.com": "10", "www.google.com": "11", "captive.apple.com": "20", "www.apple.com": "21",
        "cp.cloudflare.com": "30", "connectivitycheck.grapheneos.network": "40", "fedoraproject.org": "50",
        "connectivity-check.ubuntu.com": "60",
    ]
    /// The last part of the address of a host without a name server, which has all other services.
    static let otherHost = "80"

    /// Public addresses that are contacted without names.
    static let publicAddresses: [NetworkPrefix] = [
        "1.1.1.1/32", "8.8.8.8/32", "9.9.9.9/32", "2606:4700:4700::1111/128", "2001:4860:4860::8888/128",
        "2620:fe::fe/128",
    ]

    /// - Parameters:
    ///   - isDualStack: whether the network has IPv6 too.
    ///   - providerRouters: the number of the provider's routers.
    init(
        _ behavior: ScriptedInternet.Behavior = .defaultEndpoints(), resolver: String = "203.0.113.53",
        dualStack isDualStack: Bool = true, providerRouters: Int = 0
    ) async throws {
        let names = ScriptedResolver(
            Self.hosts.mapValues { .addresses("203.0.113.\($0)", "2001:db8:2::\($0)") }
                .merging(["portal.example": .addresses("203.0.113.\(Self.otherHost)")]) { $1 })
        served = try await ServedLab(
            behavior, names, resolver: resolver, address: "::", hosts: Self.hosts.keys + ["portal.example"],
            wired: true,
            providerRouters: providerRouters)
        struct Unwired: Error {}
        guard let wires = served.network.wires else { throw Unwired() }
        (self.wires, self.isDualStack) = (wires, isDualStack)
        let nameServer = try await served.network.internet.run {
            try Self.liftReportLimits()
            try Self.skipDuplicateDetection("net0")
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "net0").index
            let parts = Self.hosts.values + [Self.otherHost]
            let prefixes =
                parts.flatMap { ["203.0.113.\($0)/24", "2001:db8:2::\($0)/64"] }.compactMap { NetworkPrefix($0) }
                + ["2001:db8:2::53/64"] + Self.publicAddresses
            for prefix in prefixes { try kernel.addAddress(prefix, to: index, flags: .noDuplicateDetection) }
            try kernel.addRoute(NewRoute(.all(.ipv6), via: "2001:db8:2::fe", interface: index))
            return try ScriptedNameServer(playing: names, address: "2001:db8:2::53")
        }
        keep(nameServer)
        try await served.network.runInRouter {
            try Self.liftReportLimits()
            try Setting.write("ipv6/conf/all/forwarding", 1)
            var kernel = try RouteNetlink()
            for (name, prefixes) in [
                ("lan0", ["fe80::1/64", "2001:db8:1::1/64"] as [NetworkPrefix]), ("wan0", ["2001:db8:2::fe/64"]),
            ] {
                try Self.skipDuplicateDetection(name)
                let index = try kernel.link(named: name).index
                for prefix in prefixes { try kernel.addAddress(prefix, to: index, flags: .noDuplicateDetection) }
            }
            let uplink = try kernel.link(named: "wan0").index
            for gateway in ["203.0.113.1", "2001:db8:2::10"] as [NetworkAddress] {
                try kernel.addRoute(NewRoute(.all(gateway.version), via: gateway, interface: uplink))
            }
        }
        try await served.network.client.run {
            try Self.skipDuplicateDetection("up0")
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
    }

    /// By default the kernel reports one error a second to each host.
    static func liftReportLimits() throws {
        for setting in ["ipv4/icmp_ratelimit", "ipv6/icmp/ratelimit"] { try Setting.write(setting, 0) }
    }

    /// The kernel's checks of an address take a second.
    private static func skipDuplicateDetection(_ link: String) throws {
        try Setting.write("ipv6/conf/\(link)/accept_dad", 0)
    }

    /// Connects the client, and waits until it has a path.
    func join() async throws {
        try await served.network.join()
        guard isDualStack else { return }
        var kernel = try RouteNetlink(in: served.network.client)
        let index = try kernel.link(named: "up0").index
        try kernel.addAddress("2001:db8:1::2/64", to: index, flags: .noDuplicateDetection)
        try kernel.addRoute(NewRoute(.all(.ipv6), via: "fe80::1", interface: index))
    }

    /// Takes the router's uplink away, and makes it treat all packets to the Internet in one way; nil is no route at all.
    func cutUplink(_ type: RouteType?) async throws {
        try await served.network.runInRouter {
            var kernel = try RouteNetlink()
            let uplink = try kernel.link(named: "wan0").index
            for prefix in ["203.0.113.254/24", "2001:db8:2::fe/64"] as [NetworkPrefix] {
                try kernel.deleteAddress(prefix, from: uplink)
            }
            // IPv4's default route went with the address.
            try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "2001:db8:2::10", interface: uplink))
            guard let type else { return }
            for version in IPVersion.allCases { try kernel.addRoute(NewRoute(.all(version), type: type)) }
        }
    }

    /// Makes the router report that nothing is reachable for the client, or forward its packets again.
    func setForwarding(_ isOn: Bool) async throws {
        try await served.network.runInRouter {
            var kernel = try RouteNetlink()
            for (family, client) in [
                (AddressFamily.ipv4, "192.0.2.2/32"), (.ipv6, "2001:db8:1::2/128"),
            ] as [(AddressFamily, NetworkPrefix)] {
                let rule = RuleMessage(family: family, action: .unreachable, priority: 100, source: client)
                if isOn { try kernel.deleteRule(rule) } else { try kernel.addRule(rule) }
            }
        }
    }

    /// Switches the client's link on, and waits for the carrier.
    func connectLink() async throws {
        let client = served.network.client
        let events = try RouteEvents([.link], in: client)
        var kernel = try RouteNetlink(in: client)
        try kernel.setLink(kernel.link(named: "up0").index, up: true)
        for try await case .message(.newLink(let link)) in events
        where link.name == "up0" && link.flags.contains(.running) { return }
    }

    /// Replaces the client's default routes by others of a type; nil removes them.
    func defaultRoute(_ type: RouteType?) throws {
        var kernel = try RouteNetlink(in: served.network.client)
        let index = try kernel.link(named: "up0").index
        for router in ["192.0.2.1", "fe80::1"] as [NetworkAddress] where isDualStack || router.version == .ipv4 {
            try kernel.deleteRoute(NewRoute(.all(router.version), via: router, interface: index))
            if let type { try kernel.addRoute(NewRoute(.all(router.version), type: type)) }
        }
    }

    /// Keeps a server for as long as the lab exists.
    func keep(_ server: any Sendable) { kept.withLock { $0.append(server) } }

    /// Gives the same answer for all names.
    func play(_ answer: ScriptedResolver.Answer) {
        for host in Self.hosts.keys { served.names.play(answer, for: host) }
        served.names.play(answer)
    }
}

extension ScriptedInternet.Behavior {
    /// The answers that the default endpoints expect, and JSON at `/weather`.
    static func defaultEndpoints(http: ConnectionBehavior = .open, https: ConnectionBehavior = .open) -> Self {
        Self(http: http, https: https) { request in
            switch request.path {
            case "/hotspot-detect.html", "/library/test/success.html":
                .answer(200, body: "<HTML><HEAD><TITLE>Success</TITLE></HEAD></HTML>")
            case "/static/hotspot.txt": .answer(200, body: "OK\n")
            case "/weather": .answer(200, body: "{\"degrees\": 21}")
            default: .answer(204)
            }
        }
    }
}
