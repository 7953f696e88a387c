// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import NetworkModel
import Synchronization
import TestSupport

extension NetworkRow {
    /// Every network.
    static let all = machine + firewall + borrowed + uplink + names + beyond + boxes + versions + slow + tunnels

    /// The networks that each run of the tests makes.
    static let everyTime: Set = [
        "healthy", "no carrier", "router dead for 1 s", "silent uplink", "first of two name servers dead",
        "IPv6 dead beyond the router", "login by redirect", "large packets lost",
    ]

    // MARK: This machine

    private static func offline(_ sentence: String) -> Conclusion { Conclusion("offline", "machine", sentence) }
    private static let blocked = offline("A routing rule on this machine blocks outgoing traffic (VPN kill switch?).")
    private static let resolver6 = "2001:db8:2::53"
    private static let clock = Conclusion(
        "limited", "machine",
        "HTTPS does not pass: certificates are not valid at this machine's time: check its clock.")

    static let machine: [NetworkRow] = [
        NetworkRow("healthy", Conclusion("online")),
        NetworkRow("healthy, IPv4 only", Conclusion("online")).with { $0.isDualStack = false },
        NetworkRow("healthy, IPv6 only", Conclusion("online")) { try $0.removeIPv4() }.with {
            $0.nameServers = [resolver6]
        },
        NetworkRow("no link", offline("This machine has no network interface except loopback.")) { lab in
            var kernel = try RouteNetlink(in: lab.served.network.client)
            try kernel.deleteLink(kernel.link(named: "up0").index)
        }.with {
            $0.joins = false
        },
        NetworkRow("link down", offline("up0 is switched off.")).with { $0.joins = false },
        NetworkRow("no carrier", offline("No carrier on up0: is the cable in?")) {
            try await $0.served.network.setCable(connected: false)
        },
        NetworkRow("no address", offline("up0 has no address: check the router's DHCP.")) {
            try await $0.connectLink()
        }.with {
            $0.joins = false
        },
        NetworkRow(
            "tentative address", offline("The address on up0 is still being checked; this takes a second or two.")
        ) { lab in
            let client = lab.served.network.client
            try await client.run {
                // Each of the kernel's checks takes a second.
                for (setting, value) in [("dad_transmits", 100), ("accept_dad", 1)] {
                    try Setting.write("ipv6/conf/up0/\(setting)", value)
                }
            }
            try await lab.connectLink()
            var kernel = try RouteNetlink(in: client)
            try kernel.addAddress("2001:db8:1::2/64", to: kernel.link(named: "up0").index)
        }.with {
            $0.joins = false
        },
        NetworkRow("link-local address only", offline("up0 has no address: check the router's DHCP.")) { lab in
            try await lab.connectLink()
            var kernel = try RouteNetlink(in: lab.served.network.client)
            try kernel.addAddress("169.254.7.7/16", to: kernel.link(named: "up0").index)
        }.with {
            $0.joins = false
        },
        NetworkRow(
            "no default route",
            offline("There is an address, but no route to the Internet: check that a gateway is set.")
        ) { try $0.defaultRoute(nil) },
        NetworkRow("unreachable default route", blocked) { try $0.defaultRoute(.unreachable) },
        NetworkRow("prohibited default route", blocked) { try $0.defaultRoute(.prohibit) },
        NetworkRow("discarding default route", blocked) { try $0.defaultRoute(.blackhole) },
        NetworkRow("clock ten years fast", clock) { try $0.presentCertificates(validFor: -3660 ..< -3650) },
        NetworkRow("clock ten years slow", clock) { try $0.presentCertificates(validFor: 3650..<3660) },
        NetworkRow(
            "no trusted certificates",
            Conclusion("limited", "machine", "HTTPS cannot be checked: no CA certificates are installed.")
        ).with {
            $0.arguments = ["--require-tls"]
            $0.environment = ["SSL_CERT_FILE": "/dev/null", "SSL_CERT_DIR": "/nowhere"]
        },
    ]

    // MARK: This machine's firewall

    private static let rejected = Conclusion(
        "noInternet", "machine", "This machine rejects its own connections: check its firewall and its routing rules.")

    /// Each has a twin above or below in which the router or the provider drops the same packets.
    private static let firewall: [NetworkRow] = [
        NetworkRow("firewall that drops all that leaves", rejected) { try await $0.filterOutput("drop") },
        NetworkRow("firewall that drops all but the local network", rejected) {
            try await $0.filterOutput(
                "ip daddr 192.0.2.0/24 accept; ip6 daddr 2001:db8:1::/64 accept; meta l4proto icmpv6 accept; drop")
        },
        NetworkRow("firewall that rejects all that leaves", Conclusion("limited", "machine", rejected.sentence)) {
            try await $0.filterOutput("reject")
        },
        NetworkRow("firewall that drops UDP to port 443", Conclusion("online")) {
            try await $0.filterOutput("udp dport 443 drop")
        },
        NetworkRow("firewall that drops all packets to 1.1.1.1", Conclusion("online")) {
            try await $0.filterOutput("ip daddr 1.1.1.1 drop")
        },
        NetworkRow("firewall that drops UDP to port 443, and a silent uplink", provider) {
            try await $0.filterOutput("udp dport 443 drop")
            $0.wires.wan.play { _ in .drop }
        }.late,
    ]

    // MARK: Addresses of another link

    /// Leaves the uplink without an address, so that it borrows that of another link; its router has a route to it.
    private static func lend(
        _ address: NetworkPrefix, carrier hasCarrier: Bool = true, up isUp: Bool = true
    ) -> @Sendable (FaultLab) async throws -> Void {
        { lab in
            let host = NetworkPrefix(host: address.address)
            let isIPv4 = host.address.version == .ipv4
            let flags: AddressFlags = isIPv4 ? [] : .noDuplicateDetection
            try await lab.connectLink()
            try await lab.served.network.client.run {
                var kernel = try RouteNetlink()
                try kernel.createLink(.veth(name: "lan", peer: "far"))
                let (lan, uplink) = (try kernel.link(named: "lan").index, try kernel.link(named: "up0").index)
                try kernel.setLink(lan, up: isUp)
                try kernel.setLink(kernel.link(named: "far").index, up: hasCarrier)
                try kernel.addAddress(address, to: lan, flags: flags)
                try kernel.addAddress("fe80::2/64", to: uplink, flags: .noDuplicateDetection)
                let router: NetworkAddress = isIPv4 ? "192.0.2.1" : "fe80::1"
                try kernel.addRoute(NewRoute(.all(router.version), via: router, interface: uplink, onLink: true))
            }
            try await lab.served.network.runInRouter {
                var kernel = try RouteNetlink()
                let link = try kernel.link(named: "lan0").index
                try kernel.addRoute(NewRoute(host, via: isIPv4 ? nil : "fe80::2", interface: link))
            }
        }
    }

    private static func remark(_ address: String) -> String {
        "up0 has no address of its own: packets leave with \(address)."
    }

    static let borrowed: [NetworkRow] = [
        NetworkRow("public address of another link", Conclusion("online"), arrange: lend("198.51.100.7/32"))
            .with {
                $0.joins = false
            },
        NetworkRow(
            "public address of a link without carrier", Conclusion("online"),
            arrange: lend("198.51.100.7/32", carrier: false)
        ).with {
            $0.joins = false
        },
        NetworkRow(
            "public address of a link that is down", Conclusion("online"), arrange: lend("198.51.100.7/32", up: false)
        ).with {
            $0.joins = false
        },
        NetworkRow(
            "public IPv6 address of a link without carrier", Conclusion("online"),
            arrange: lend("2001:db8:7::7/64", carrier: false)
        ).with {
            $0.joins = false
            $0.nameServers = ["2001:db8:2::53"]
        },
        NetworkRow(
            "private address of another link", Conclusion("online", nil, remark("10.77.0.1")),
            arrange: lend("10.77.0.1/24")
        ).with {
            $0.joins = false
        },
        NetworkRow(
            "unique local address of another link", Conclusion("online", nil, remark("fd77::1")),
            arrange: lend("fd77::1/64")
        ).with {
            $0.joins = false
            $0.nameServers = ["2001:db8:2::53"]
        },
    ]

    // MARK: Router and uplink

    private static func router(_ addresses: String = "192.0.2.1, fe80::1%up0") -> Conclusion {
        Conclusion(
            "noInternet", "router",
            "The router (\(addresses)) does not answer: is it on, and is this the right network?")
    }
    private static let neither = Conclusion(
        "noInternet", nil,
        "Neither the router nor anything beyond it answers: check the router and its uplink.")

    /// The kernel knows a router that has answered recently for a while, and so the tools cannot blame it at first.
    private static func dead(for seconds: Int) -> NetworkRow {
        NetworkRow("router dead for \(seconds) s", neither) { $0.wires.lan.play { _ in .drop } }.with {
            $0.isWarm = true
            $0.age = .seconds(seconds)
            $0.alternatives = [router()]
        }.late
    }
    /// The kernel limits the reports of the router, so that chance decides which of its addresses reports what.
    private static func reports(
        _ name: String, _ words: String..., by arrange: @escaping @Sendable (FaultLab) async throws -> Void
    ) -> NetworkRow {
        NetworkRow(name, provider, arrange: arrange).with {
            $0.alternatives = words.flatMap { words in
                ["192.0.2.1", "2001:db8:1::1"].map {
                    Conclusion(
                        "noInternet", "provider",
                        "A router (\($0)) \(words) check its uplink, or call the provider.")
                }
            }
        }.late
    }
    private static let noRouteWords = "reports that it has no route to the Internet:"
    private static let noNextWords = "reports that the next router does not answer:"

    static let uplink: [NetworkRow] = [
        dead(for: 1), dead(for: 10), dead(for: 30),
        NetworkRow("router that never answered", router()) { $0.wires.lan.play { _ in .drop } }.with {
            $0.alternatives = [neither]
        }.late,
        NetworkRow("wrong gateway", router("192.0.2.77")) { lab in
            try lab.defaultRoute(nil)
            var kernel = try RouteNetlink(in: lab.served.network.client)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 77)))
        }.with {
            $0.isDualStack = false
            // The kernel gives up the router after three seconds.
            $0.alternatives = [neither]
        }.late,
        NetworkRow("preferred one of two routers dead", router("192.0.2.77")) { lab in
            try lab.defaultRoute(nil)
            var kernel = try RouteNetlink(in: lab.served.network.client)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 77)))
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), priority: 100))
        }.with {
            $0.isDualStack = false
            $0.alternatives = [neither]
        }.late,
        NetworkRow("dead router that is the name server", neither) { $0.wires.lan.play { _ in .drop } }.with {
            $0.isWarm = true
            $0.nameServers = ["192.0.2.1"]
            $0.alternatives = [router()]
        }.late,
        NetworkRow("router that answers neighbor discovery only", neither) {
            $0.wires.lan.play { $0.isNeighborDiscovery ? .pass : .drop }
        }.late,
        NetworkRow("router that answers nothing, but forwards", Conclusion("online")) { $0.hideRouter() },
        NetworkRow("router that answers nothing, and a silent uplink", provider) {
            $0.hideRouter()
            $0.wires.wan.play { _ in .drop }
        }.late,
        reports("router without an uplink", noRouteWords, noNextWords) { try $0.served.network.setUplink(up: false) },
        reports("router that reports that nothing is reachable", noRouteWords, noNextWords) {
            try await $0.cutUplink(.unreachable)
        },
        reports("router that prohibits packets", "refuses to forward: administratively prohibited;") {
            try await $0.cutUplink(.prohibit)
        },
        reports("router that limits its reports", noRouteWords, noNextWords) {
            try await $0.served.network.runInRouter {
                for setting in ["ipv4/icmp_ratelimit", "ipv6/icmp/ratelimit"] { try Setting.write(setting, 1000) }
            }
            try await $0.cutUplink(.unreachable)
        },
        NetworkRow("silent uplink", provider) { $0.wires.wan.play { _ in .drop } }.late,
        NetworkRow("answers lost beyond the router", provider) { $0.wires.wan.play { $0.isOutward ? .pass : .drop } }
            .late,
        NetworkRow("silent uplink, for a while", provider) { $0.wires.wan.play { _ in .drop } }.with {
            $0.isWarm = true
            $0.age = .seconds(5)
        }.late,
        NetworkRow("silent uplink, IPv4 only", provider) { $0.wires.wan.play { _ in .drop } }.with {
            $0.isDualStack = false
        }.late,
        NetworkRow("silent uplink, silent forwarder", provider) { lab in
            try await lab.forwarder(.silence)
            lab.wires.wan.play { _ in .drop }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow("silent uplink, failing forwarder", provider) { lab in
            try await lab.forwarder(.serverFailure)
            lab.wires.wan.play { _ in .drop }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow("silent uplink, lying forwarder", provider) { lab in
            try await lab.forwarder(.notFound)
            lab.wires.wan.play { _ in .drop }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow("silent uplink, names from a cache", provider) { lab in
            try await lab.cache()
            lab.wires.wan.play { _ in .drop }
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow(
            "IPv6 dead beyond the router",
            Conclusion(
                "online", nil,
                "IPv6 is not answered beyond the router, which delays connections by 250 ms.")
        ) { $0.wires.wan.play { $0.version == .ipv6 ? .drop : .pass } },
        // Nothing waits for IPv4 where IPv6 answers.
        NetworkRow(
            "IPv4 dead beyond the router",
            Conclusion("online", nil, "IPv4 is not answered beyond the router.")
        ) {
            $0.wires.wan.play { $0.version == .ipv4 ? .drop : .pass }
        }.with {
            $0.nameServers = [resolver6]
        },
        NetworkRow(
            "IPv6 rejected by the router",
            Conclusion("online", nil, "IPv6 is not answered beyond the router.")
        ) { lab in
            try await lab.served.network.runInRouter {
                var kernel = try RouteNetlink()
                let uplink = try kernel.link(named: "wan0").index
                try kernel.deleteAddress("2001:db8:2::fe/64", from: uplink)
                try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "2001:db8:2::10", interface: uplink))
                try kernel.addRoute(NewRoute(.all(.ipv6), type: .unreachable))
            }
        },
        NetworkRow(
            "IPv6 dead, with the first name server",
            Conclusion(
                "online", nil,
                "IPv6 is not answered beyond the router, which delays connections by 250 ms.")
        ) { $0.wires.wan.play { $0.version == .ipv6 ? .drop : .pass } }.with {
            $0.nameServers = [resolver6, "203.0.113.53"]
        }.late,
        NetworkRow("IPv6 slow", Conclusion("online")) {
            $0.wires.wan.play { $0.version == .ipv6 ? .late(.milliseconds(300)) : .pass }
        },
        NetworkRow("IPv4 slow", Conclusion("online")) {
            $0.wires.wan.play { $0.version == .ipv4 ? .late(.milliseconds(300)) : .pass }
        }.with {
            $0.nameServers = [resolver6]
        },
    ]

    // MARK: Names

    private static func names(_ sentence: String) -> Conclusion {
        Conclusion("limited", "nameServers", sentence)
    }
    private static func onlyNames(_ sentence: String) -> Conclusion {
        names("\(sentence) The connection itself works: the Internet answers without names.")
    }

    static let names: [NetworkRow] = [
        NetworkRow("no name server", onlyNames("No DNS server is configured.")).with { $0.nameServers = [] },
        NetworkRow("silent name server", onlyNames("DNS servers do not answer (203.0.113.53).")) { $0.play(.silence) }
            .late,
        NetworkRow("silent forwarder", onlyNames("DNS servers do not answer (192.0.2.1).")) {
            try await $0.forwarder(.silence)
        }.with {
            $0.nameServers = ["192.0.2.1"]
        }.late,
        NetworkRow("no service on the name server", onlyNames("DNS servers refuse queries (203.0.113.80).")).with {
            $0.nameServers = ["203.0.113.80"]
        },
        NetworkRow("REFUSED", onlyNames("DNS servers answer with an error (203.0.113.53).")) { $0.play(.refusal) },
        NetworkRow("SERVFAIL", onlyNames("DNS servers answer with an error (203.0.113.53).")) {
            $0.play(.serverFailure)
        },
        NetworkRow("SERVFAIL of a forwarder", onlyNames("DNS servers answer with an error (192.0.2.1).")) {
            try await $0.forwarder(.serverFailure)
        }.with {
            $0.nameServers = ["192.0.2.1"]
        },
        NetworkRow("SERVFAIL from afar, no other answer", names("DNS servers answer with an error (203.0.113.53).")) {
            $0.play(.serverFailure)
            $0.wires.wan.play { $0.hasPort(53) ? .pass : .drop }
        }.late,
        NetworkRow("NXDOMAIN for all names", onlyNames("The names of the endpoints do not exist, or have no address."))
        {
            $0.play(.notFound)
        },
        NetworkRow("empty answers", onlyNames("The names of the endpoints do not exist, or have no address.")) {
            $0.play(.addresses())
        },
        NetworkRow(
            "names forged to a private address",
            onlyNames("DNS answers lead to private addresses: something is forging them.")
        ) { $0.play(.hijacked) },
        NetworkRow(
            "names forged to one address that resets",
            onlyNames("DNS answers lead all names to 203.0.113.80: something is forging them.")
        ) {
            $0.play(.addresses("203.0.113.80"))
            $0.served.internet.play(.init(http: .resetting, https: .resetting))
        }.with {
            // A check that is over at once does not wait for the public addresses.
            $0.alternatives = [names("DNS answers lead all names to 203.0.113.80: something is forging them.")]
        },
        NetworkRow(
            "names forged to one address with another certificate",
            onlyNames("DNS answers lead all names to 203.0.113.80: something is forging them.")
        ) {
            $0.play(.addresses("203.0.113.80"))
            $0.served.internet.play(.always(.answer(404), https: .misnamed))
        },
        NetworkRow(
            "first of two name servers dead",
            Conclusion(
                "online", nil, "The DNS server 203.0.113.99 does not answer, which delays each name by about 1 s")
        ) { $0.wires.wan.play { $0.destination == "203.0.113.99" ? .drop : .pass } }.with {
            $0.nameServers = ["203.0.113.99", "203.0.113.53"]
        }.late,
        NetworkRow(
            "first of two name servers dead for 5 s each name",
            Conclusion(
                "online", nil, "The DNS server 203.0.113.99 does not answer, which delays each name by about 5 s")
        ) { $0.wires.wan.play { $0.destination == "203.0.113.99" ? .drop : .pass } }.with {
            $0.nameServers = ["203.0.113.99", "203.0.113.53"]
            ($0.resolverOptions, $0.mayBeLate) = ("", true)
        },
        NetworkRow(
            "first of two name servers dead, IPv6 only",
            Conclusion(
                "online", nil, "The DNS server 2001:db8:2::99 does not answer, which delays each name by about 1 s")
        ) { lab in
            try lab.removeIPv4()
            lab.wires.wan.play { $0.destination == "2001:db8:2::99" ? .drop : .pass }
        }.with {
            $0.nameServers = ["2001:db8:2::99", resolver6]
        }.late,
        NetworkRow(
            "IPv6 only, and names without IPv6 addresses",
            onlyNames(
                "Names have IPv4 addresses only, but this network has IPv6 only: its DNS servers should provide DNS64.")
        ) { lab in
            try lab.removeIPv4()
            for (host, part) in FaultLab.hosts { lab.served.names.play(.addresses("203.0.113.\(part)"), for: host) }
        }.with {
            $0.nameServers = [resolver6]
        },
        NetworkRow("name server of a tunnel that is gone", onlyNames("DNS servers do not answer (10.8.0.1).")).with {
            $0.nameServers = ["10.8.0.1"]
        }.late,
        NetworkRow("UDP dropped", onlyNames("DNS servers do not answer (203.0.113.53).")) {
            $0.wires.wan.play { $0.transport == 17 ? .drop : .pass }
        }.late,
        NetworkRow(
            "stub resolver without its servers", onlyNames("DNS servers answer with an error (127.0.0.53).")
        ) { try await $0.stubResolver() }.with {
            $0.nameServers = ["127.0.0.53"]
        },
        NetworkRow("silent uplink, stub resolver that fails", provider) { lab in
            try await lab.stubResolver()
            lab.wires.wan.play { _ in .drop }
        }.with {
            $0.nameServers = ["127.0.0.53"]
        }.late,
        NetworkRow("silent uplink, two name servers beyond", provider) { $0.wires.wan.play { _ in .drop } }.with {
            $0.nameServers = ["203.0.113.99", "203.0.113.53"]
        }.late,
    ]

    // MARK: Beyond

    private static let login = Conclusion(
        "captivePortal", "portal", "The network requires a login: open its page in a browser.")
    private static func ownPage(_ fault: String?) -> Conclusion {
        Conclusion(
            "captivePortal", fault,
            "The router shows its own page instead of the Internet (a login, or it has no connection).")
    }
    private static func filter(_ sentence: String) -> Conclusion {
        Conclusion("limited", "filter", "\(sentence) Ask the operator of this network.")
    }
    private static let noHTTPS = "HTTPS does not pass: secure connections"
    private static func proxy(_ words: String) -> Conclusion {
        Conclusion(
            "limited", "proxy", "The proxy \(FaultLab.proxy) \(words). Ask its operator, or check its address.")
    }
    private static let proxyVariables = ["http_proxy": FaultLab.proxy, "https_proxy": FaultLab.proxy]
    private static let someByProxy = proxyVariables.merging([
        "no_proxy": "fedoraproject.org,connectivity-check.ubuntu.com"
    ]) { $1 }
    private static func operators(_ lastParts: String...) -> Set<NetworkAddress> {
        Set(lastParts.flatMap { ["203.0.113.\($0)", "2001:db8:2::\($0)"] }.compactMap { NetworkAddress($0) })
    }

    static let beyond: [NetworkRow] = [
        NetworkRow("login by redirect", login).with { $0.behavior = .portal(.redirect) },
        NetworkRow("login by page", login).with { $0.behavior = .portal(.content) },
        NetworkRow("login by status 511", login).with { $0.behavior = .portal(.networkAuthenticationRequired) },
        NetworkRow("login by announcement", login) { try $0.announcePortal() }.with {
            $0.behavior = .portal(.redirect)
        },
        NetworkRow("login, with HTTPS intercepted", login).with {
            $0.behavior = .portal(.redirect, https: .untrusted)
        },
        NetworkRow("login by forged names", login) { lab in
            try await lab.addHost("10.77.0.80/32")
            lab.play(.addresses("10.77.0.80"))
        }.with {
            $0.behavior = .portal(.redirect, https: .untrusted)
        },
        NetworkRow("login page of the router, and nothing beyond it", ownPage("portal")) { lab in
            try await lab.forwardNames()
            try await lab.showOwnPage()
        }.with {
            $0.nameServers = ["192.0.2.1"]
        },
        NetworkRow("page of the router on a network that was online", ownPage(nil)) { try await $0.forwardNames() }.with
        {
            ($0.nameServers, $0.tools) = (["192.0.2.1"], [.watch, .server])
            $0.arguments = ["--interval", "6"]
            $0.breaks = { try await $0.showOwnPage() }
        },
        NetworkRow(
            "names of two operators lead to the page of a filter",
            Conclusion(
                "online", nil,
                "Google is blocked or redirected: http://connectivitycheck.gstatic.com/generate_204 answers with status 200, which points to http://login.portal.test/welcome?from=scripted."
            )
        ) { try await $0.filterNames(of: ["connectivitycheck.gstatic.com", "www.google.com", "cp.cloudflare.com"]) }
        .with {
            // A dissent is a note in texts.
            $0.tools = [.json("status"), .json("check"), .json("doctor"), .library, .watch, .server]
        },
        NetworkRow("names of all operators lead to the page of a login", login) {
            try await $0.filterNames(of: Array(FaultLab.hosts.keys))
        },
        NetworkRow("four of six operators silent", filter("Connections are not answered.")) { lab in
            let silent = operators("10", "11", "20", "21", "30", "40")
            lab.wires.wan.play { $0.destination.map(silent.contains) == true ? .drop : .pass }
        }.late,
        NetworkRow("TCP dropped", filter("Connections are not answered.")) {
            $0.wires.wan.play { $0.transport == 6 ? .drop : .pass }
        }.late,
        NetworkRow(
            "HTTPS of five of six operators dropped",
            filter("HTTPS does not pass: secure connections are not answered.")
        ) { lab in
            let dropped = operators("10", "11", "20", "21", "30", "40", "50")
            lab.wires.wan.play { packet in
                packet.hasPort(443) && packet.destination.map(dropped.contains) == true ? .drop : .pass
            }
        }.late,
        NetworkRow("HTTP dropped", Conclusion("online")) { $0.wires.wan.play { $0.hasPort(80) ? .drop : .pass } },
        NetworkRow(
            "HTTP answered by something else, HTTPS dropped", filter("Servers answer with an error (status 503).")
        )
        .with {
            $0.behavior = .always(.answer(503), https: .silent)
        }.late,
        NetworkRow("three of six operators silent", Conclusion("online")) { lab in
            let silent = operators("10", "11", "20", "21", "30")
            lab.wires.wan.play { $0.destination.map(silent.contains) == true ? .drop : .pass }
        },
        NetworkRow("all operators silent, public addresses answer", filter("Connections are not answered.")) { lab in
            let silent = operators("10", "11", "20", "21", "30", "40", "50", "60")
            lab.wires.wan.play { $0.destination.map(silent.contains) == true ? .drop : .pass }
        }.late,
        NetworkRow("HTTPS dropped", filter("\(noHTTPS) are not answered.")) {
            $0.wires.wan.play { $0.hasPort(443) ? .drop : .pass }
        }.late,
        NetworkRow("HTTPS accepted in silence", filter("\(noHTTPS) are not answered.")).with {
            $0.behavior = .defaultEndpoints(https: .silent)
        }.late,
        NetworkRow("HTTPS refused", filter("\(noHTTPS) are refused.")).with {
            $0.behavior = .defaultEndpoints(https: .closed)
        },
        NetworkRow("HTTPS reset", filter("\(noHTTPS) are refused.")).with {
            $0.behavior = .defaultEndpoints(https: .resetting)
        },
        NetworkRow(
            "foreign certificates", filter("HTTPS does not pass: something is intercepting secure connections.")
        ).with { $0.behavior = .defaultEndpoints(https: .untrusted) },
        NetworkRow(
            "certificates for other names",
            filter("HTTPS does not pass: something is intercepting secure connections.")
        ).with { $0.behavior = .defaultEndpoints(https: .misnamed) },
        NetworkRow(
            "foreign certificates, and nothing over HTTP", filter("Something is intercepting secure connections.")
        ).with { $0.behavior = .defaultEndpoints(http: .closed, https: .untrusted) },
        NetworkRow("everything refused", filter("Connections are refused.")).with { $0.behavior = .refusing },
        NetworkRow("accepted in silence", filter("Connections are accepted, but no answer arrives.")).with {
            $0.behavior = .silent
        }.late,
        NetworkRow("box that accepts all connections", provider) {
            $0.wires.wan.play { $0.transport == 6 ? .pass : .drop }
        }.with {
            $0.behavior = .silent
        }.late,
        NetworkRow("box that accepts all connections, names from a cache", provider) { lab in
            try await lab.cache()
            lab.wires.wan.play { $0.transport == 6 ? .pass : .drop }
        }.with {
            ($0.behavior, $0.nameServers) = (.silent, ["192.0.2.1"])
        }.late,
        NetworkRow("answers that come too late", filter("Connections are accepted, but no answer arrives.")).with {
            $0.behavior = .slow(.seconds(60))
        }.late,
        NetworkRow(
            "status 503 everywhere",
            Conclusion(
                "limited", "endpoints", "Servers answer with an error (status 503). The connection itself works.")
        ).with { $0.behavior = .always(.answer(503)) },
        NetworkRow(
            "answers that are not HTTP", Conclusion("limited", "endpoints", "Servers answer, but not as expected.")
        ).with {
            $0.behavior = .always(.raw(Array("garbage\r\n".utf8)))
        },
        NetworkRow("silent proxy", proxy("does not answer")) {
            $0.wires.wan.play { $0.destination == "203.0.113.90" ? .drop : .pass }
        }.with {
            $0.environment = proxyVariables
        }.late,
        NetworkRow("silent proxy, and two operators without it", proxy("does not answer")) {
            $0.wires.wan.play { $0.destination == "203.0.113.90" ? .drop : .pass }
        }.with {
            $0.environment = someByProxy
        }.late,
        NetworkRow("silent uplink, and two operators without the proxy", provider) { $0.wires.wan.play { _ in .drop } }
            .with {
                $0.environment = someByProxy
            }.late,
        NetworkRow("proxy that refuses", proxy("refuses connections")) { try await $0.addHost("203.0.113.90/24") }.with
        {
            $0.environment = proxyVariables
        },
        NetworkRow(
            "proxy whose name does not exist",
            Conclusion(
                "limited", "proxy",
                "The name of the proxy http://proxy.test:3128 does not exist, or has no address. Ask its operator, or check its address."
            )
        ).with {
            $0.environment = ["http_proxy": "http://proxy.test:3128", "https_proxy": "http://proxy.test:3128"]
        },
        NetworkRow("proxy that requires a login", proxy("requires a user name and a password")) {
            try await $0.proxy(answering: 407)
        }.with {
            $0.environment = proxyVariables
        },
        NetworkRow("proxy without the Internet", proxy("answers with an error (status 502)")) {
            try await $0.proxy(answering: 502)
        }.with {
            $0.environment = proxyVariables
        },
        NetworkRow(
            "own endpoint silent",
            Conclusion(
                "limited", "endpoints",
                "Connections are not answered. Only portal.example was queried, so the fault may be there.")
        ) { $0.wires.wan.play { $0.destination == "203.0.113.80" ? .drop : .pass } }.with {
            $0.endpoints = ["http://portal.example/generate_204"]
        }.late,
        NetworkRow(
            "own endpoints silent",
            Conclusion("limited", "endpoints", "Nothing answers.")
        ) { $0.wires.wan.play { _ in .drop } }.with {
            $0.endpoints = ["http://203.0.113.80/generate_204", "http://203.0.113.81/generate_204"]
        }.late,
        NetworkRow(
            "own endpoint with a foreign certificate",
            Conclusion(
                "limited", "endpoints",
                "HTTPS does not pass: the certificate of portal.example is not trusted. Only portal.example was queried, so the fault may be there."
            )
        ).with {
            $0.endpoints = ["http://portal.example/generate_204", "https://portal.example/generate_204"]
            $0.behavior = .defaultEndpoints(https: .untrusted)
        },
        NetworkRow(
            "own endpoint that refuses",
            Conclusion(
                "limited", "endpoints",
                "Connections are refused. Only portal.example was queried, so the fault may be there.")
        ).with {
            $0.endpoints = ["http://portal.example/generate_204"]
            $0.behavior = .refusing
        },
    ]

    // MARK: Lossy and slow networks

    private static let lost = "bout 30 to 60 % of packets or their answers are lost"
    private static let lossy = Conclusion(
        "limited", nil, "A\(lost): check the cable or the Wi-Fi, or call the provider.")
    /// Chance decides whether enough answers arrive for a verdict, and for the measurement of the loss.
    private static let lossOutcomes = [
        Conclusion("online"), Conclusion("online", nil, "A\(lost)."), lossy,
        Conclusion("unverified", nil, "No answer within 10 s: a\(lost)."),
        Conclusion("unverified", nil, "No answer within 10 s: this connection is slow, or does not work."), fewAnswers,
        Conclusion("online", nil, "Names take 1.5 s."), verySlow("online"), verySlow("unverified"),
    ]
    private static let fewAnswers = Conclusion(
        "unverified", nil,
        "No answer within 10 s: only 8 % of connections to a public address are accepted in time, so packets are lost, or late."
    )
    private static func verySlow(_ state: String) -> Conclusion {
        Conclusion(state, nil, "This connection is very slow: answers take 8 s")
    }
    private static func roundTrips(of duration: Duration, _ expected: Conclusion) -> NetworkRow {
        let text = (duration / .seconds(1)).formatted(.number.precision(.fractionLength(0...1)))
        return NetworkRow("round trips of \(text) s", expected) { $0.wires.wan.play { _ in .late(duration / 2) } }.with
        {
            ($0.resolverOptions, $0.mayBeLate) = ("", true)
        }
    }

    private static func losing(_ percent: Int, of version: IPVersion? = nil, _ expected: Conclusion) -> NetworkRow {
        NetworkRow("loss of \(percent) %\(version.map { " of \($0)" } ?? "")", expected) { lab in
            let generator = Mutex(SeededGenerator(seed: UInt64(percent)))
            lab.wires.wan.play { packet in
                let isLost = generator.withLock { Int.random(in: 0..<100, using: &$0) } < percent
                return isLost && packet.version == version ?? packet.version ? .drop : .pass
            }
        }.with {
            ($0.alternatives, $0.mayBeLate) = (lossOutcomes, true)
        }
    }

    /// What a check may conclude on a link on which its own packets delay each other for seconds.
    private static let tooSlow = [
        verySlow("online"), verySlow("unverified"), Conclusion("online", nil, "Names take 1.5 s."),
    ]

    /// A link of a rate each way, whose queue loses nothing.
    private static func rate(_ kilobits: Int, _ expected: Conclusion, within limit: Int? = nil) -> NetworkRow {
        NetworkRow("\(kilobits) kbit/s\(limit.map { " within \($0) s" } ?? "")", expected) { lab in
            try lab.presentLargeCertificates()
            let ends = Mutex<[Bool: ContinuousClock.Instant]>([:])
            lab.wires.wan.play { packet in
                let now = TimeSource.system.now
                return ends.withLock { ends in
                    let start = max(now, ends[packet.isOutward] ?? now)
                    let end = start + .microseconds(packet.ip.count * 8000 / kilobits)
                    ends[packet.isOutward] = end
                    return .late(end - now)
                }
            }
        }.with {
            // Several tools at once would share the link.
            ($0.resolverOptions, $0.tools) = ("", [.json("check")])
            $0.arguments = limit.map { ["--timeout", "\($0)"] } ?? []
        }
    }

    static let slow: [NetworkRow] = [
        rate(256, Conclusion("online")),
        rate(64, Conclusion("online")).with { $0.alternatives = tooSlow },
        rate(32, Conclusion("online")).with { $0.alternatives = tooSlow },
        rate(32, Conclusion("online"), within: 40).with { $0.alternatives = [verySlow("online")] },
        NetworkRow(
            "large packets lost",
            Conclusion(
                "limited", "filter",
                "Large packets are lost on the way: check the MTU of the link, of a tunnel or of the router, or ask its operator."
            )
        ) {
            $0.wires.wan.play { !$0.isOutward && $0.ip.count > 600 ? .drop : .pass }
        }.late,
        losing(30, Conclusion("online", nil, "A\(lost).")), losing(60, lossy), losing(70, lossy),
        losing(60, of: .ipv6, Conclusion("online", nil, "A\(lost) over IPv6.")).with {
            // All packets of a check over IPv6 may be lost.
            $0.alternatives = [
                Conclusion("online"),
                Conclusion(
                    "online", nil, "IPv6 is not answered beyond the router, which delays connections by 250 ms."),
            ]
        },
        roundTrips(of: .milliseconds(500), Conclusion("online")).with {
            $0.alternatives = [verySlow("online"), Conclusion("online", nil, "Names take 1.5 s.")]
        },
        // A handshake begins with the smallest window, and takes up to eight of the ten seconds that a check has.
        roundTrips(of: .seconds(1), verySlow("online")).with { $0.alternatives = [verySlow("unverified")] },
        // HTTPS takes eight seconds, of the ten seconds that a check has, and on a busy machine more.
        roundTrips(of: .seconds(2), verySlow("online")).with { $0.alternatives = [verySlow("unverified")] },
        roundTrips(of: .milliseconds(1500), verySlow("online")).with { $0.alternatives = [verySlow("unverified")] },
        roundTrips(of: .milliseconds(2800), verySlow("unverified")),
        roundTrips(of: .seconds(3), verySlow("unverified")),
        roundTrips(of: .seconds(4), verySlow("unverified")),
        NetworkRow(
            "names that take 1.5 s", Conclusion("online", nil, "Names take 1.5 s.")
        ) {
            $0.wires.wan.play { $0.isOutward && $0.hasPort(53) ? .late(.milliseconds(1500)) : .pass }
        }.with {
            $0.resolverOptions = ""
        }.late,
        NetworkRow("names that take 3 s", Conclusion("online", nil, "Names take 3 s.")) {
            $0.wires.wan.play { $0.isOutward && $0.hasPort(53) ? .late(.seconds(3)) : .pass }
        }.with {
            ($0.resolverOptions, $0.mayBeLate) = ("", true)
        },
        NetworkRow("names that come too late", onlyNames("DNS servers answer too late (203.0.113.53).")) {
            $0.wires.wan.play { $0.isOutward && $0.hasPort(53) ? .late(.milliseconds(1500)) : .pass }
        }.with {
            $0.resolverOptions = "timeout:1 attempts:1"
        }.late,
    ]
}

extension FaultLab {
    /// Makes the servers present certificates that are valid in a range of days from now, as another clock sees them.
    fileprivate func presentCertificates(validFor days: Range<Int>) throws {
        let authority = try TestAuthority(named: "Another Time")
        try served.trust(authority.identity.certificate)
        served.internet.present(
            try authority.issue(
                names: Array(Self.hosts.keys), age: -days.lowerBound * TestAuthority.day,
                lifetime: days.count * TestAuthority.day))
    }

    /// Makes the servers present certificates of 4 kB, as those of operators with their chains have.
    fileprivate func presentLargeCertificates() throws {
        let authority = try TestAuthority(named: "Large Certificates")
        try served.trust(authority.identity.certificate)
        let others = (0..<80).map { "a-host-with-a-rather-long-name-\($0).example" }
        served.internet.present(try authority.issue(names: Array(Self.hosts.keys) + others))
    }

    /// Announces a captive portal API as systemd-networkd does.
    fileprivate func announcePortal() throws {
        served.internet.playCaptivePortalAPI(.captivePortalAPI(captive: true, portal: "https://portal.example/login"))
        var kernel = try RouteNetlink(in: served.network.client)
        let port = URL(string: served.internet.captivePortalAPI)?.port ?? 0
        try served.announcePortal("https://portal.example:\(port)/api", on: kernel.link(named: "up0").index)
    }

    /// Makes the router discard all packets to itself, but not those that it forwards.
    fileprivate func hideRouter() {
        let own: Set<NetworkAddress> = ["192.0.2.1", "fe80::1", "2001:db8:1::1"]
        wires.lan.play { $0.isNeighborDiscovery || $0.destination.map(own.contains) != true ? .pass : .drop }
    }

    /// Makes the router resolve all names to one of its private addresses, which has a page, and drop what it would forward.
    fileprivate func showOwnPage() async throws {
        try await showPage(at: "10.77.0.1")
        play(.addresses("10.77.0.1"))
        wires.wan.play { _ in .drop }
    }

    /// Serves a page at an address of the router, with another certificate.
    private func showPage(at address: NetworkAddress) async throws {
        try await served.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.addAddress(NetworkPrefix(host: address), to: kernel.link(named: "lan0").index)
        }
        keep(
            try await served.network.runInRouter {
                try ScriptedInternet(
                    .portal(.content, https: .untrusted), address: "\(address)", httpPort: 80, httpsPort: 443)
            })
    }

    /// Lets the router answer for all names.
    fileprivate func forwardNames() async throws {
        let names = served.names
        keep(
            try await served.network.runInRouter { try ScriptedNameServer(playing: names, address: "192.0.2.1") })
    }

    /// Leads names to a host with a page, and another certificate.
    fileprivate func filterNames(of hosts: [String]) async throws {
        try await showPage(at: "198.51.100.9")
        for host in hosts { served.names.play(.addresses("198.51.100.9"), for: host) }
    }

    /// Runs a name server on the router, which gives one answer.
    func forwarder(_ answer: ScriptedResolver.Answer) async throws {
        keep(
            try await served.network.runInRouter {
                try ScriptedNameServer(playing: ScriptedResolver(otherwise: answer), address: "192.0.2.1")
            })
    }

    /// Lets the client's firewall decide about what leaves by other links than loopback.
    func filterOutput(_ rules: String) async throws {
        let table = "table inet test { chain out { type filter hook output priority 0; oif lo accept; \(rules); }; }"
        let run = try await CommandRun.start(.nft, [table], in: served.network.client)
        guard try await run.exitStatus() == 0 else { throw FirewallError(text: run.errors.values.joined()) }
    }

    private struct FirewallError: Error { let text: String }

    /// Runs a resolver on the client that fails.
    fileprivate func stubResolver() async throws {
        keep(
            try await served.network.client.run {
                try ScriptedNameServer(
                    playing: ScriptedResolver(otherwise: .serverFailure), address: "127.0.0.53")
            })
    }

    /// Leaves the client without IPv4.
    func removeIPv4() throws {
        var kernel = try RouteNetlink(in: served.network.client)
        try kernel.deleteAddress("192.0.2.2/24", from: kernel.link(named: "up0").index)
    }

    /// Lets the router answer for the names in its cache.
    func cache() async throws {
        let names = ScriptedResolver(Self.hosts.mapValues { .addresses("203.0.113.\($0)", "2001:db8:2::\($0)") })
        keep(
            try await served.network.runInRouter { try ScriptedNameServer(playing: names, address: "192.0.2.1") })
    }

    /// Adds an address without services to the Internet.
    func addHost(_ prefix: NetworkPrefix) async throws {
        var kernel = try RouteNetlink(in: served.network.internet)
        try kernel.addAddress(prefix, to: kernel.link(named: "net0").index)
    }

    /// The URL of the proxy, which runs only if it is started.
    static let proxy = "http://203.0.113.90:3128"

    /// Runs a proxy that answers every request with a status.
    func proxy(answering status: Int) async throws {
        try await addHost("203.0.113.90/24")
        keep(
            try await served.network.internet.run {
                try ScriptedInternet(.always(.answer(status)), address: "203.0.113.90", httpPort: 3128)
            })
    }
}
