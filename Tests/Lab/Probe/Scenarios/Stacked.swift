// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let stacked = [
        Scenario("a VLAN over a bond of cables") { lab in
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
                """)
            try stack(lab, "vlan7", on: "bond0")
        },
        Scenario("a VLAN over a team of cables") { lab in
            try lab.shell(
                """
                modprobe -a team 8021q
                ip netns add wire
                ip link add wire0 type veth peer name wire1 netns wire
                ip -n wire link set wire1 up
                ip link add team0 type team
                ip link set wire0 master team0
                ip link set team0 up
                ip link set wire0 up
                ip link add link team0 name vlan7 type vlan id 7
                """)
            try stack(lab, "vlan7", on: "team0")
        },
        Scenario("macsec over a cable") { lab in
            try lab.shell(
                """
                modprobe macsec
                ip netns add wire
                ip link add wire0 type veth peer name wire1 netns wire
                ip -n wire link set wire1 up
                ip link set wire0 up
                ip link add link wire0 name macsec0 type macsec encrypt on
                """)
            try stack(lab, "macsec0", on: "wire0")
        },
        Scenario("links on Wi-Fi are Wi-Fi: VLAN, macsec, macvlan") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.join("home")
            try lab.until(Air.isJoined)
            let watch = lab.watch()
            try watch.expect("unsatisfied noAddress wlan2")
            for kind in ["vlan id 9", "macsec encrypt on", "macvlan mode bridge"] {
                try lab.shell("ip link add link wlan2 name on9 type \(kind)")
                try lab.shell("ip addr add 192.0.2.2/24 dev on9")
                try lab.shell("ip link set on9 up")
                try watch.expect("unsatisfied noRoute")
                try lab.shell("ip route add default via 192.0.2.1")
                try watch.expect("satisfied on9=wifi via-192.0.2.1")
                lab.note("by \(kind)")
                try lab.shell("ip link del on9")
                // The link is switched off before it is deleted, and its address disappears in between.
                try watch.expect("unsatisfied noAddress wlan2")
            }
        },
    ]

    /// A stacked link gets an address and a route, and its cable is unplugged and plugged in again.
    private static func stack(_ lab: Lab, _ link: String, on lower: String) throws {
        try lab.until("ip link show \(lower) | grep -q 'state UP'")
        let watch = lab.watch()
        try watch.expect("unsatisfied noAddress \(lower)")
        try lab.shell("ip addr add 198.51.100.2/24 dev \(link)")
        try lab.shell("ip link set \(link) up")
        try watch.expect("unsatisfied noRoute")
        try lab.shell("ip route add default via 198.51.100.1")
        try watch.expect("satisfied \(link)=wiredEthernet via-198.51.100.1")
        try lab.shell("ip -n wire link set wire1 down")
        try watch.expect("unsatisfied noCarrier \(link)")
        try lab.shell("ip -n wire link set wire1 up")
        try watch.expect("satisfied \(link)=wiredEthernet via-198.51.100.1")
    }
}
