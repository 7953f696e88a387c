// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import NetworkModel
import TestSupport

/// Networks in which one IP version works in another way than the other, and boxes and proxies that accept connections in the place of
/// hosts. Each fault has a twin in which another part is at fault.
extension NetworkRow {
    private static let inSilence = Conclusion(
        "limited", "filter", "Connections are accepted, but no answer arrives. Ask the operator of this network.")
    private static let closing = ScriptedInternet.Behavior(http: .resetting, https: .resetting)
    private static let proxy = "Nothing comes back through the transparent proxy to which names lead"
    private static let translation =
        "IPv4 is not answered through NAT64: hosts without an IPv6 address cannot be reached"

    static let versions: [NetworkRow] = [
        NetworkRow(
            "large packets of IPv4 lost",
            Conclusion(
                "online", nil,
                "Large packets are lost on the way over IPv4: check the MTU of the link, of a tunnel or of the router")
        ) { $0.loseLargePackets(of: .ipv4) }.late,
        NetworkRow(
            "large packets of IPv6 lost",
            Conclusion(
                "limited", "filter",
                "Large packets are lost on the way over IPv6: check the MTU of the link, of a tunnel or of the router, or ask its operator."
            )
        ) { $0.loseLargePackets(of: .ipv6) }.with {
            // The test takes four seconds.
            $0.alternatives = [
                Conclusion(
                    "limited", "filter",
                    "HTTPS does not pass: secure connections are not answered. Ask the operator of this network.")
            ]
        }.late,
        NetworkRow("HTTPS dropped over IPv4", Conclusion("online")) {
            $0.wires.wan.play { $0.hasPort(443) && $0.version == .ipv4 ? .drop : .pass }
        },
        NetworkRow(
            "login for IPv4 only",
            Conclusion(
                "online", nil,
                "IPv4 leads to a login page, which the other IP version does not need: http://portal.test/login")
        ) { try await $0.requireLogin(for: Set(FaultLab.hosts.keys)) },
        NetworkRow(
            "one operator redirected over IPv4",
            Conclusion(
                "online", nil,
                "Google is blocked or redirected: http://connectivitycheck.gstatic.com/generate_204 answers with status 302, which points to http://portal.test/login"
            )
        ) { try await $0.requireLogin(for: ["connectivitycheck.gstatic.com", "www.google.com"]) },
        NetworkRow("NAT64 dead", Conclusion("online", nil, translation)) { try $0.translate("30", "40", "50") }.with {
            $0.nameServers = ["2001:db8:2::53"]
        }.late,
        NetworkRow(
            "NAT64 dead, and most hosts without IPv6",
            Conclusion("limited", "provider", "\(translation): call the provider.")
        ) { try $0.translate("10", "11", "20", "21", "30", "40", "50") }.with {
            $0.nameServers = ["2001:db8:2::53"]
        }.late,
        NetworkRow(
            "queries for IPv6 addresses dropped",
            Conclusion(
                "online", nil,
                "DNS servers (203.0.113.53) do not answer queries for IPv6 addresses: programs wait 5 s or more for each name."
            )
        ) {
            $0.wires.wan.play { $0.isOutward && $0.hasPort(53) && $0.ip.suffix(4) == [0, 28, 0, 1] ? .drop : .pass }
        }.with {
            $0.resolverOptions = ""
        }.late,
    ]

    static let boxes: [NetworkRow] = [
        NetworkRow("connections accepted and closed", inSilence).with { $0.behavior = closing },
        NetworkRow("box that accepts and closes all connections", provider) {
            $0.wires.wan.play { $0.transport == 6 ? .pass : .drop }
        }.with {
            $0.behavior = closing
        }.late,
        NetworkRow("box that accepts and closes all connections, names from a cache", provider) { lab in
            try await lab.cache()
            lab.wires.wan.play { $0.transport == 6 ? .pass : .drop }
        }.with {
            ($0.behavior, $0.nameServers) = (closing, ["192.0.2.1"])
        }.late,
        NetworkRow("transparent proxy", Conclusion("online")) { try await $0.leadNamesToProxy() }.with {
            $0.nameServers = ["192.0.2.1"]
        },
        NetworkRow(
            "transparent proxy without the Internet",
            Conclusion(
                "noInternet", nil, "\(proxy) (198.18.1.10): check the proxy, and its connection to the Internet.")
        ) { lab in
            try await lab.leadNamesToProxy()
            lab.wires.wan.play { $0.transport == 6 ? .pass : .drop }
        }.with {
            ($0.behavior, $0.nameServers) = (closing, ["192.0.2.1"])
        }.late,
        NetworkRow(
            "transparent proxy dead",
            Conclusion(
                "limited", "proxy", "\(proxy) (198.18.1.10), although the Internet answers without it: check the proxy."
            )
        ) { lab in
            try await lab.leadNamesToProxy()
            lab.wires.wan.play { $0.isOutward && "\($0.destination ?? "::")".hasPrefix("198.18.") ? .drop : .pass }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow(
            "silent uplink, and a router that answers all names with its own address",
            Conclusion(
                "noInternet", nil,
                "DNS answers lead all names to the router (192.0.2.1), and nothing else answers: check whether the router is connected to the Internet, or requires a login."
            )
        ) { lab in
            try await lab.forwarder(.addresses("192.0.2.1"))
            lab.wires.wan.play { _ in .drop }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow(
            "router that answers all names with its own address",
            Conclusion(
                "limited", "nameServers",
                "DNS answers lead all names to 192.0.2.1: something is forging them. The connection itself works: the Internet answers without names."
            )
        ) { try await $0.forwarder(.addresses("192.0.2.1")) }.with {
            $0.nameServers = ["192.0.2.1"]
        },
    ]
}

extension FaultLab {
    /// Loses packets of full size of an IP version on the way to the client.
    fileprivate func loseLargePackets(of version: IPVersion) {
        wires.wan.play { !$0.isOutward && $0.version == version && $0.ip.count > 600 ? .drop : .pass }
    }

    /// Leads the IPv4 addresses of some hosts to a login page.
    fileprivate func requireLogin(for names: Set<String>) async throws {
        let page = try await served.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
            try kernel.addAddress("203.0.113.200/32", to: 1)
            return try ScriptedInternet(
                .init(https: .resetting) { _ in .answer(302, fields: ["Location": "http://portal.test/login"]) },
                address: "203.0.113.200", httpPort: 80, httpsPort: 443)
        }
        keep(page)
        for name in names {
            served.names.play(.addresses("203.0.113.200", "2001:db8:2::\(Self.hosts[name] ?? "")"), for: name)
        }
    }

    /// Leaves the client without IPv4, and lets some hosts be reached through NAT64, which is dead.
    fileprivate func translate(_ parts: String...) throws {
        try removeIPv4()
        for (name, part) in Self.hosts where parts.contains(part) {
            served.names.play(.addresses("64:ff9b::203.0.113.\(part)"), for: name)
        }
        wires.wan.play { $0.isOutward && "\($0.destination ?? "::")".hasPrefix("64:ff9b::") ? .drop : .pass }
    }

    /// Makes the router answer each name with an address of a transparent proxy, which leads to the hosts.
    fileprivate func leadNamesToProxy() async throws {
        for prefix in Self.hosts.values.compactMap({ NetworkPrefix("198.18.1.\($0)/32") }) { try await addHost(prefix) }
        let names = ScriptedResolver(Self.hosts.mapValues { .addresses("198.18.1.\($0)") })
        keep(
            try await served.network.runInRouter { try ScriptedNameServer(playing: names, address: "192.0.2.1") })
    }
}
