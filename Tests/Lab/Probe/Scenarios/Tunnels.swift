// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let tunnels = [
        Scenario("WireGuard over Wi-Fi, with the rules that wg-quick makes") { lab in
            try lab.beOnWiFi()
            let watch = lab.watch()
            try watch.expect(Air.path)
            try lab.shell(Tunnel.wireGuard)
            // Until the rules exist, no route leads into the tunnel.
            try lab.shell("ip rule add not fwmark 51820 table 51820; ip rule add table main suppress_prefixlength 0")
            try watch.expect("satisfied wg0=other wlan2=wifi@home over-wifi good")
            try lab.shell(Air.stop("wlan0"))
            // The tunnel itself stays up; its packets still use the link that has lost its signal.
            try watch.expect("?satisfied wg0=other over-wifi good", "satisfied wg0=other over-wifi")
        },
        Scenario("WireGuard over Wi-Fi, although a cable is preferred for all else") { lab in
            try lab.beOnWiFi()
            try lab.shell("ip route del default; ip route add default via 192.0.2.1 metric 600")
            try lab.setUpWire()
            let watch = lab.watch()
            try watch.expect("satisfied wire0=wiredEthernet wlan2=wifi@home via-198.51.100.1")
            try lab.shell("ip route add \(Tunnel.endpoint) via 192.0.2.1")
            try lab.shell(Tunnel.wireGuard)
            try lab.shell("ip rule add not fwmark 51820 table 51820")
            // A packet that is bound to the cable or to Wi-Fi still has a route without the tunnel.
            let all = "satisfied wg0=other wire0=wiredEthernet wlan2=wifi@home"
            try watch.expect("\(all) over-wifi good")
            // The endpoint's own route is deleted, and with it the reason to use Wi-Fi.
            try lab.shell("ip route del \(Tunnel.endpoint)")
            try watch.expect("\(all) over-wiredEthernet")
            // Without a device in the route, the kernel would look for the router through the tunnel.
            try lab.shell("ip route add \(Tunnel.endpoint) via 192.0.2.1 dev wlan2")
            try watch.expect("\(all) over-wifi good")
        },
        Scenario("WireGuard's carrier without privilege: the best link that is not a tunnel") { lab in
            try lab.beOnWiFi()
            try lab.shell(Tunnel.wireGuard)
            try lab.shell("ip rule add not fwmark 51820 table 51820; ip rule add table main suppress_prefixlength 0")
            let nobody = try lab.shell("setpriv --reuid=65534 --regid=65534 --clear-groups LabProbe path")
            try lab.check(
                nobody.trimmed == "satisfied wg0=other wlan2=wifi@home over-wifi good", "reported: \(nobody.trimmed)")
        },
        Scenario("tunnels of every kind are carried by the link that leads to their remote end") { lab in
            try lab.beOnWiFi()
            try lab.shell("ip route del default; ip route add default via 192.0.2.1 metric 600")
            try lab.setUpWire()
            try lab.shell("ip route del default dev wire0; ip route add default via 198.51.100.1 metric 100")
            try lab.shell("ip route add \(Tunnel.endpoint) via 192.0.2.1")
            let watch = lab.watch()
            try watch.expect("satisfied wire0=wiredEthernet wlan2=wifi@home via-198.51.100.1")
            for (kind, options) in Tunnel.kinds {
                try lab.shell(
                    """
                    ip link add tun9 type \(options)
                    ip addr add 10.7.0.2/24 dev tun9
                    ip link set tun9 up
                    ip route add default \(Tunnel.hop(kind)) dev tun9 metric 5
                    """)
                try watch.expect(
                    "satisfied tun9=other wire0=wiredEthernet wlan2=wifi@home over-wifi"
                        + (Tunnel.hop(kind).isEmpty ? "" : " via-10.7.0.1") + " good")
                lab.note("by \(kind)")
                try lab.shell("ip link del tun9")
                try watch.expect("satisfied wire0=wiredEthernet wlan2=wifi@home via-198.51.100.1")
            }
        },
        Scenario("a tunnel that carries IPv6 over IPv4 (sit)") { lab in
            try lab.beOnWiFi()
            try lab.shell("ip route add \(Tunnel.endpoint) via 192.0.2.1; ip route del default")
            let watch = lab.watch()
            try watch.expect("unsatisfied noRoute")
            try lab.shell(
                """
                ip link add tun9 type sit remote \(Tunnel.endpoint) local 192.0.2.2
                ip link set tun9 up
                ip addr add 2001:db8:9::2/64 dev tun9 nodad
                ip -6 route add default dev tun9
                """)
            try watch.expect("satisfied tun9=other over-wifi good")
            try lab.check(watch.path.supportsIPv6 && !watch.path.supportsIPv4, "not IPv6 alone: \(watch.path)")
        },
    ]
}

enum Tunnel {
    static let endpoint = "203.0.113.9"

    /// The commands of wg-quick for `AllowedIPs = 0.0.0.0/0`, without its rules.
    static let wireGuard = """
        ip link add wg0 type wireguard
        wg genkey > /tmp/key
        wg set wg0 private-key /tmp/key fwmark 51820 peer $(wg genkey | wg pubkey) \\
            endpoint \(endpoint):51820 allowed-ips 0.0.0.0/0
        ip addr add 10.9.0.2/32 dev wg0
        ip link set wg0 up
        ip route add default dev wg0 table 51820
        """

    static let kinds = [
        ("ipip", "ipip remote \(endpoint) local 192.0.2.2"),
        ("gre", "gre remote \(endpoint)"),
        ("gretap", "gretap remote \(endpoint)"),
        ("vti", "vti remote \(endpoint) local 192.0.2.2 key 7"),
        ("vxlan", "vxlan id 7 remote \(endpoint) dstport 4789"),
        ("vxlan on a link", "vxlan id 7 group 239.1.1.1 dev wlan2 dstport 4789"),
        ("geneve", "geneve id 7 remote \(endpoint)"),
        ("xfrm", "xfrm dev wlan2 if_id 7"),
    ]

    /// The next hop: Ethernet tunnels need a router's address; tunnels without link-layer addresses do not.
    static func hop(_ kind: String) -> String {
        ["gretap", "vxlan", "vxlan on a link", "geneve"].contains(kind) ? "via 10.7.0.1" : ""
    }
}
