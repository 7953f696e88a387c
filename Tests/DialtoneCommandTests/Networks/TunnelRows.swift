// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import NetworkModel
import TestSupport

/// Networks of a machine with a VPN, and checks that are bound to a link. Each fault has a twin in which another part is at fault.
extension NetworkRow {
    static let nameServer = "10.8.0.1"
    private static let routers = "192.0.2.1, fe80::1%up0"
    static let provider = Conclusion(
        "noInternet", "provider",
        "The router answers, but nothing beyond it does: check the router's uplink, or call the provider.")
    private static let router = Conclusion(
        "noInternet", "router", "The router (\(routers)) does not answer: is it on, and is this the right network?")
    private static let neither = Conclusion(
        "noInternet", nil, "Neither the router nor anything beyond it answers: check the router and its uplink.")
    private static let tunnel = tunnel("tun0")
    private static let unknownCarrier = Conclusion(
        "noInternet", "tunnel",
        "Nothing comes back through the tunnel tun0: check the VPN, or the connection that carries it.")
    private static let proxy = "http://10.8.0.1:3128"
    private static let proxyByName = [
        "http_proxy": "http://proxy.vpn.test:3128", "https_proxy": "http://proxy.vpn.test:3128",
    ]

    static func tunnel(_ link: String) -> Conclusion {
        Conclusion(
            "noInternet", "tunnel",
            "Nothing comes back through the tunnel \(link), although the router (\(routers)) answers: check the VPN, or whether the Internet works without it."
        )
    }

    /// A network with a VPN.
    private static func vpn(
        _ name: String, _ expected: Conclusion, enters: FaultLab.Entry = .halves,
        arrange: @escaping @Sendable (FaultLab, Wire) async throws -> Void = { _, _ in }
    ) -> NetworkRow {
        NetworkRow(name, expected) { lab in
            let wire = try await lab.startVPN(enters)
            try await arrange(lab, wire)
        }.with {
            $0.nameServers = [nameServer]
        }
    }

    static let tunnels: [NetworkRow] = [
        vpn("VPN", Conclusion("online")),
        vpn("dead VPN", tunnel) { $1.play { _ in .drop } }.late,
        vpn("dead VPN by routing rules", tunnel, enters: .rules) { $1.play { _ in .drop } }.late,
        vpn("dead VPN, name server of the router", tunnel) { lab, wire in
            try await lab.cache()
            wire.play { _ in .drop }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        vpn("provider dead behind a living VPN", provider) { lab, wire in
            try lab.exceptFromVPN("203.0.113.53")
            lab.wires.wan.play { _ in .drop }
            wire.play { _ in .drop }
        }.with {
            $0.nameServers = ["203.0.113.53"]
        }.late,
        vpn("dead VPN, name server of the provider", tunnel) { lab, wire in
            try lab.exceptFromVPN("203.0.113.53")
            wire.play { _ in .drop }
        }.with {
            $0.nameServers = ["203.0.113.53"]
        }.late,
        vpn("router dead behind a VPN", router) { lab, wire in
            lab.wires.lan.play { _ in .drop }
            wire.play { _ in .drop }
        }.with {
            $0.alternatives = [neither]
        }.late,
        vpn("dead VPN whose carrier is not known", unknownCarrier) { lab, wire in
            try lab.replaceDefaultRoute()
            wire.play { _ in .drop }
        }.late,
        vpn("dead VPN with a kill switch", unknownCarrier) { lab, wire in
            try await lab.filterOutput("oifname up0 drop")
            wire.play { _ in .drop }
        }.late,
        vpn(
            "VPN without the Internet",
            Conclusion(
                "noInternet", "tunnel",
                "The other end of the tunnel tun0 answers, but nothing beyond it does: ask the operator of the VPN.")
        ) { $1.play { $0.isOutward && $0.destination != "10.8.0.1" ? .drop : .pass } }.late,
        vpn(
            "name server in a dead VPN",
            Conclusion(
                "limited", "tunnel",
                "Nothing comes back through the tunnel tun0, which leads to the DNS servers (10.8.0.1): check the VPN. The connection itself works: the Internet answers without names."
            ), enters: .ownNetwork
        ) { $1.play { _ in .drop } }.late,
        vpn(
            "closed name server in a living VPN",
            Conclusion(
                "limited", "nameServers",
                "DNS servers refuse queries (10.8.0.3). The connection itself works: the Internet answers without names."
            ), enters: .ownNetwork
        ) { lab, _ in try await lab.addVPNAddress("10.8.0.3/32") }.with {
            $0.nameServers = ["10.8.0.3"]
        },
        vpn(
            "proxy in a dead VPN",
            Conclusion(
                "limited", "tunnel",
                "Nothing comes back through the tunnel tun0, which leads to the proxy \(proxy): check the VPN."),
            enters: .ownNetwork
        ) { $1.play { _ in .drop } }.with {
            $0.environment = ["http_proxy": proxy, "https_proxy": proxy]
        }.late,
        vpn(
            "closed proxy in a living VPN",
            Conclusion(
                "limited", "proxy",
                "The proxy \(proxy) refuses connections. Ask its operator, or check its address."), enters: .ownNetwork
        ).with {
            $0.environment = ["http_proxy": proxy, "https_proxy": proxy]
        },
        vpn(
            "dead VPN whose name server resolves the name of the proxy",
            Conclusion(
                "limited", "tunnel",
                "Nothing comes back through the tunnel tun0, which leads to the DNS servers (10.8.0.1): check the VPN."),
            enters: .ownNetwork
        ) { $1.play { _ in .drop } }.with {
            $0.environment = proxyByName
        }.late,
        vpn(
            "living VPN whose name server does not have the name of the proxy",
            Conclusion(
                "limited", "proxy",
                "The name of the proxy http://proxy.vpn.test:3128 does not exist, or has no address. Ask its operator, or check its address."
            ), enters: .ownNetwork
        ).with {
            $0.environment = proxyByName
        },
        bound("uplink beside a dead VPN", Conclusion("online")) { lab in
            let wire = try await lab.startVPN(.halves)
            try lab.exceptFromVPN("203.0.113.53")
            wire.play { _ in .drop }
        },
        bound("a dead VPN", tunnel) { lab in
            let wire = try await lab.startVPN(.halves)
            wire.play { _ in .drop }
        }.with {
            $0.arguments = ["--interface", "tun0"]
            $0.nameServers = [nameServer]
        }.late,
        bound("silent uplink", provider) { $0.wires.wan.play { _ in .drop } }.late,
        bound("silent uplink, without Wi-Fi", provider) { $0.wires.wan.play { _ in .drop } }.with {
            $0.arguments = ["--not", "wifi"]
        }.late,
        bound("router that never answered", router) { $0.wires.lan.play { _ in .drop } }.with {
            $0.alternatives = [neither]
        }.late,
    ]

    /// A network whose check is bound to the uplink, by the tools that have the option.
    private static func bound(
        _ name: String, _ expected: Conclusion, arrange: @escaping @Sendable (FaultLab) async throws -> Void
    ) -> NetworkRow {
        NetworkRow("bound to the link: \(name)", expected, arrange: arrange).with {
            $0.arguments = ["--interface", "up0"]
            $0.tools = [.json("status"), .json("check"), .text("status"), .text("check"), .server]
        }
    }
}

extension FaultLab {
    /// The packets that enter a VPN.
    enum Entry: Sendable {
        /// All, by two routes that are more specific than the default route.
        case halves
        /// All that only the default route leads out, by routing rules.
        case rules
        /// Those to its own network.
        case ownNetwork
    }

    /// Connects the client to a VPN by `tun0`, and runs a name server at its other end, which is in the Internet.
    ///
    /// - Returns: the wire through the VPN, whose packets are not seen on the others.
    func startVPN(_ entry: Entry) async throws -> Wire {
        let (client, internet) = (served.network.client, served.network.internet)
        let near = try await client.run { try Tunnel(name: "tun0", carrying: .packets) }
        let far = try await internet.run { try Tunnel(name: "vpn0", carrying: .packets) }
        let ends: [(NetworkNamespace, String, [NetworkPrefix])] = [
            (client, "tun0", ["10.8.0.2/24", "2001:db8:8::2/64"]),
            (internet, "vpn0", ["10.8.0.1/24", "2001:db8:8::1/64"]),
        ]
        for (namespace, name, prefixes) in ends {
            var kernel = try RouteNetlink(in: namespace)
            let index = try kernel.link(named: name).index
            for prefix in prefixes {
                let flags: AddressFlags = prefix.address.version == .ipv4 ? [] : .noDuplicateDetection
                try kernel.addAddress(prefix, to: index, flags: flags)
            }
            try kernel.setLink(index, up: true)
        }
        var kernel = try RouteNetlink(in: client)
        let index = try kernel.link(named: "tun0").index
        switch entry {
        case .ownNetwork: break
        case .halves:
            for prefix in ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"] as [NetworkPrefix] {
                try kernel.addRoute(NewRoute(prefix, interface: index))
            }
        case .rules:
            let table = RouteTable(rawValue: 51820)
            for (family, version) in [(AddressFamily.ipv4, IPVersion.ipv4), (.ipv6, .ipv6)] {
                try kernel.addRoute(NewRoute(.all(version), interface: index, table: table))
                try kernel.addRule(
                    RuleMessage(family: family, table: .main, priority: 32764, suppressedPrefixLength: 0))
                try kernel.addRule(
                    RuleMessage(
                        family: family, table: table, priority: 32765, isInverted: true, firewallMark: 51820))
            }
        }
        let names = served.names
        keep(try await internet.run { try ScriptedNameServer(playing: names, address: "10.8.0.1") })
        let wire = try Wire(near, far, carrying: .packets)
        keep(wire)
        return wire
    }

    /// Gives the other end of the VPN a further address, without services.
    fileprivate func addVPNAddress(_ prefix: NetworkPrefix) async throws {
        var kernel = try RouteNetlink(in: served.network.internet)
        try kernel.addAddress(prefix, to: kernel.link(named: "vpn0").index)
    }

    /// Routes packets to an address by the router.
    func exceptFromVPN(_ address: NetworkAddress) throws {
        var kernel = try RouteNetlink(in: served.network.client)
        try kernel.addRoute(NewRoute(NetworkPrefix(host: address), via: "192.0.2.1"))
    }

    /// Leaves a route to a single host in the place of the client's default routes, as a VPN's program does for its server.
    fileprivate func replaceDefaultRoute() throws {
        try defaultRoute(nil)
        try exceptFromVPN("203.0.113.1")
    }
}
