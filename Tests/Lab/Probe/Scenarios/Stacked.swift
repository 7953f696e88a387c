//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

extension Scenario {
    static let stacked = [
        Scenario("WireGuard over Wi-Fi, with the rules that wg-quick makes") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.join("home")
            try lab.until("ip link show wlan2 | grep -q 'state UP'")
            try lab.shell(Air.address)
            let watch = lab.watch()
            try watch.expect("satisfied wlan2=wifi@home good")
            lab.atEnd("ip rule del table 51820; ip rule del table main suppress_prefixlength 0; ip link del wg0")
            try lab.shell(
                """
                ip link add wg0 type wireguard
                wg genkey > /tmp/key
                wg set wg0 private-key /tmp/key fwmark 51820 peer $(wg genkey | wg pubkey) \\
                    endpoint 203.0.113.9:51820 allowed-ips 0.0.0.0/0
                ip addr add 10.9.0.2/32 dev wg0
                ip link set wg0 up
                ip route add default dev wg0 table 51820
                """)
            // One step of wg-quick at a time would show paths that nobody wants: the last two rules make the change.
            try lab.shell("ip rule add not fwmark 51820 table 51820; ip rule add table main suppress_prefixlength 0")
            try watch.expect("satisfied wg0=other wlan2=wifi@home over-wifi good")
            try lab.shell(Air.stop("wlan0"))
            try watch.pass(until: "satisfied wg0=other")
        },
        Scenario("a VLAN over a bond of cables, and one on Wi-Fi") { lab in
            lab.atEnd("ip link del vlan7; ip link del bond0; ip link del wire0; ip netns del wire")
            try lab.shell(
                """
                modprobe -a bonding 8021q
                ip netns add wire
                ip link add wire0 type veth peer name wire1 netns wire
                ip -n wire link set wire1 up
                ip link add bond0 type bond mode active-backup miimon 50
                ip link set wire0 master bond0
                ip link set bond0 up
                ip link set wire0 up
                ip link add link bond0 name vlan7 type vlan id 7
                ip addr add 198.51.100.2/24 dev vlan7
                """)
            let watch = lab.watch()
            try watch.expect("?unsatisfied noCarrier bond0", "unsatisfied noAddress bond0")
            try lab.shell("ip link set vlan7 up; ip route add default via 198.51.100.1")
            try watch.pass(until: "satisfied vlan7=wiredEthernet")
            try lab.shell("ip -n wire link set wire1 down")
            try watch.expect("unsatisfied noCarrier vlan7")
            try lab.shell("ip -n wire link set wire1 up")
            try watch.expect("satisfied vlan7=wiredEthernet")
            try lab.setUpAir()
            lab.atEnd("ip link del vlan9")
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.join("home")
            try lab.until("ip link show wlan2 | grep -q 'state UP'")
            try lab.shell(
                """
                ip link add link wlan2 name vlan9 type vlan id 9
                ip addr add 192.0.2.2/24 dev vlan9
                ip link set vlan9 up
                ip route replace default via 192.0.2.1
                """)
            try watch.pass(until: "satisfied vlan9=wifi")
        },
    ]
}
