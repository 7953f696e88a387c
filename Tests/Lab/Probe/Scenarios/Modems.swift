//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

extension Scenario {
    static let modems = [
        Scenario("a modem appears, carries bare IP, and is pulled out") { lab in
            try lab.shell(Gadget.modem)
            let watch = lab.watch()
            try watch.expect("unsatisfied noInterface")
            lab.atEnd(Gadget.unplug("modem"))
            try lab.shell(Gadget.plug("modem", port: 0))
            try watch.expect("unsatisfied allDown wwan0")
            try lab.shell("echo Y > /sys/class/net/wwan0/qmi/raw_ip")
            try lab.shell("ip addr add 100.64.0.2/30 dev wwan0; ip link set wwan0 up; ip route add default dev wwan0")
            try watch.pass(until: "satisfied wwan0=cellular expensive")
            CostPolicy.current[.type(.cellular)] = .inexpensive
            defer { CostPolicy.current = CostPolicy() }
            try watch.expect("satisfied wwan0=cellular")
            CostPolicy.current[.interface("wwan0")] = Costs(isExpensive: true, isConstrained: true)
            try watch.expect("satisfied wwan0=cellular expensive constrained")
            CostPolicy.current = CostPolicy()
            try watch.expect("satisfied wwan0=cellular expensive")
            try lab.shell(Gadget.unplug("modem"))
            try watch.expect("unsatisfied noInterface")
        },
        Scenario("PPP over a modem's serial port") { lab in
            try lab.shell(Gadget.serial)
            let watch = lab.watch()
            try watch.expect("unsatisfied noInterface")
            lab.atEnd(Gadget.unplug("serial"))
            try lab.shell(Gadget.plug("serial", port: 1))
            try lab.until("[ -e /dev/ttyACM0 ] && [ -e /dev/ttyGS0 ]")
            lab.atEnd("pkill pppd; ip netns del operator")
            try lab.shell(
                """
                modprobe -a ppp_generic ppp_async
                [ -e /dev/ppp ] || mknod /dev/ppp c 108 0
                ip netns add operator
                ip netns exec operator pppd /dev/ttyGS0 noauth local nodetach nodefaultroute lock \\
                    100.64.1.1:100.64.1.2 > /tmp/operator.log 2>&1 &
                pppd /dev/ttyACM0 noauth local nodetach nodefaultroute lock noipdefault > /tmp/pppd.log 2>&1 &
                """)
            try lab.until("ip addr show ppp0 | grep -q 100.64.1.2")
            try lab.shell("ip route add default dev ppp0")
            try watch.pass(until: "satisfied ppp0=cellular expensive")
            try lab.shell("pkill pppd")
            try watch.expect("?unsatisfied allDown ppp0", "unsatisfied noInterface")
        },
        Scenario("a phone by USB is a cable") { lab in
            try lab.shell(Gadget.phone)
            let watch = lab.watch()
            try watch.expect("unsatisfied noInterface")
            lab.atEnd(Gadget.unplug("phone"))
            try lab.shell(Gadget.plug("phone", port: 2))
            try lab.until("[ -e /sys/class/net/usb1 ]")
            try lab.shell("ip link set usb0 up")
            try lab.shell(
                "ip addr add 192.0.2.66/24 dev usb1; ip link set usb1 up; ip route add default via 192.0.2.65")
            try watch.pass(until: "satisfied usb1=wiredEthernet")
            CostPolicy.current[.interface("usb1")] = .expensive
            defer { CostPolicy.current = CostPolicy() }
            try watch.expect("satisfied usb1=wiredEthernet expensive")
        },
    ]
}
