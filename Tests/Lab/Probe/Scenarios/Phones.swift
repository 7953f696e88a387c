// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let phones = [
        Scenario("a phone by USB (NCM) is a cable", in: .machine) { lab in try phone(lab, "ncm") },
        Scenario("a phone by USB (RNDIS) is a cable", in: .machine) { lab in try phone(lab, "rndis") },
        Scenario("a phone by USB is expensive by the hint that NetworkManager relays", in: .machine) { lab in
            try lab.shell(Gadget.phone("ncm"))
            try lab.shell(Gadget.plug("phone", port: 2))
            try lab.until(Gadget.phoneIsThere)
            // The phone's end and its DHCP server, which announces by option 43 that the connection is metered.
            try lab.shell(
                """
                ip netns add phone
                \(Gadget.takeAwayPhonesEnd)
                ip -n phone addr add 192.0.2.65/24 dev inside
                ip -n phone link set inside up
                ip netns exec phone dnsmasq -p 0 -i inside --bind-interfaces --dhcp-range=192.0.2.66,192.0.2.66,1h \\
                    --dhcp-option-force=43,ANDROID_METERED --dhcp-leasefile=/tmp/leases --pid-file=/tmp/dhcp.pid --user=root
                """)
            try lab.startNetworkManager()
            // The device manager has renamed the link.
            try lab.until("nmcli -t -f DEVICE dev | grep -qx $(\(Gadget.linkOfPhone))")
            let link = try lab.shell(Gadget.linkOfPhone).trimmed
            try lab.shell(Gadget.switchOnPhonesEnd(heardBy: link))
            let watch = lab.watch()
            // NetworkManager may have switched it on already, or be about to.
            try watch.expect(
                "?unsatisfied allDown \(link)", "?unsatisfied noCarrier \(link)", "unsatisfied noAddress \(link)")
            try lab.shell(
                """
                nmcli dev set \(link) managed yes
                nmcli con add type ethernet ifname \(link) con-name phone ipv6.method disabled autoconnect no
                nmcli -w 60 con up phone
                """)
            // Address and route arrive one after the other; the metered hint is last.
            try watch.expect(
                "?unsatisfied noRoute",
                "?satisfied \(link)=wiredEthernet via-192.0.2.65",
                "satisfied \(link)=wiredEthernet via-192.0.2.65 expensive", seconds: 60)
        },
    ]

    private static func phone(_ lab: Lab, _ function: String) throws {
        try lab.shell(Gadget.phone(function))
        let watch = lab.watch()
        try watch.expect("unsatisfied noInterface")
        try lab.shell(Gadget.plug("phone", port: 2))
        try lab.until(Gadget.phoneIsThere)
        let link = try lab.shell(Gadget.linkOfPhone).trimmed
        // The phone's end is a link of this machine too, until it is moved away.
        try lab.shell("ip netns add phone\n\(Gadget.takeAwayPhonesEnd)")
        try watch.expect("?unsatisfied allDown usb0", "?unsatisfied allDown", "unsatisfied allDown \(link)")
        try lab.shell("ip addr add 192.0.2.66/24 dev \(link)")
        try lab.shell("ip link set \(link) up")
        try lab.shell(Gadget.switchOnPhonesEnd(heardBy: link))
        try watch.expect("?unsatisfied noCarrier \(link)", "unsatisfied noRoute")
        try lab.shell("ip route add default via 192.0.2.65")
        try watch.expect("satisfied \(link)=wiredEthernet via-192.0.2.65")
        CostPolicy.current[.interface(link)] = .expensive
        try watch.expect("satisfied \(link)=wiredEthernet via-192.0.2.65 expensive")
        try lab.shell(Gadget.unplug("phone"))
        try watch.expect("?unsatisfied allDown \(link)", "unsatisfied noInterface")
    }
}
