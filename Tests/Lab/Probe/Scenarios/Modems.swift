// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let modems = [
        Scenario("a modem appears, carries bare IP, and is pulled out", in: .machine) { lab in
            try lab.shell(Gadget.modem)
            let watch = lab.watch()
            try watch.expect("unsatisfied noInterface")
            try lab.shell(Gadget.plug("modem", port: 0))
            try watch.expect("unsatisfied allDown wwan0")
            try lab.shell("echo Y > /sys/class/net/wwan0/qmi/raw_ip; ip addr add 100.64.0.2/30 dev wwan0")
            try lab.shell("ip link set wwan0 up")
            try watch.expect("unsatisfied noRoute")
            try lab.shell("ip route add default dev wwan0")
            try watch.expect("satisfied wwan0=cellular expensive")
            CostPolicy.current[.type(.cellular)] = .inexpensive
            try watch.expect("satisfied wwan0=cellular")
            CostPolicy.current[.interface("wwan0")] = LinkCosts(isExpensive: true, isConstrained: true)
            try watch.expect("satisfied wwan0=cellular expensive constrained")
            CostPolicy.current = CostPolicy()
            try watch.expect("satisfied wwan0=cellular expensive")
            try lab.shell(Gadget.unplug("modem"))
            try watch.expect("unsatisfied noInterface")
        },
        Scenario("PPP over a modem's serial port", in: .machine) { lab in
            try lab.shell(Gadget.serial)
            let watch = lab.watch()
            try watch.expect("unsatisfied noInterface")
            try lab.shell(Gadget.plug("serial", port: 1))
            try lab.until("[ -e /dev/ttyACM0 ] && [ -e /dev/ttyGS0 ]")
            try lab.shell(
                """
                modprobe -a ppp_generic ppp_async
                [ -e /dev/ppp ] || mknod /dev/ppp c 108 0
                ip netns add operator
                ip netns exec operator pppd /dev/ttyGS0 noauth local nodetach nodefaultroute lock \\
                    100.64.1.1:100.64.1.2 > /tmp/operator.log 2>&1 &
                pppd /dev/ttyACM0 noauth local nodetach nodefaultroute lock noipdefault > /tmp/pppd.log 2>&1 &
                """)
            // The daemon creates the link, records in files that the link is a modem's, sets its address, and switches it on. Until
            // the files exist, a link that is down counts as no modem.
            try watch.expect(
                "?unsatisfied allDown ppp0", "?unsatisfied noAddress ppp0", "unsatisfied noRoute")
            try lab.shell("ip route add default dev ppp0")
            try watch.expect("satisfied ppp0=cellular expensive")
            try lab.shell("kill $(cat /run/ppp0.pid)")
            // The daemon deletes the address and switches the link off before it deletes it.
            try watch.expect("?unsatisfied noAddress ppp0", "?unsatisfied allDown ppp0", "unsatisfied noInterface")
        },
    ]
}
