// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let portal = [
        Scenario("an open network with a captive portal") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "cafe", channel: 1, isOpen: true))
            // The portal answers for every name and every web server. HTTPS connections are refused.
            try lab.shell(
                """
                ip netns exec ap dnsmasq -i wlan0 --bind-interfaces --no-resolv --no-hosts --address=/#/192.0.2.1 \\
                    --pid-file=/tmp/dns.pid --user=root
                ip netns exec ap LabProbe portal > /tmp/portal.log 2>&1 &
                [ ! -e /etc/resolv.conf ] || cp /etc/resolv.conf /tmp/resolv.conf.before
                echo nameserver 192.0.2.1 > /etc/resolv.conf
                """)
            try lab.shell("ip addr add 192.0.2.2/24 dev wlan2")
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("cafe", password: nil)
            try watch.expect(
                "unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2", "unsatisfied noRoute")
            try lab.shell("ip route add default via 192.0.2.1")
            try watch.expect("satisfied wlan2=wifi@cafe via-192.0.2.1 good")

            let report = await InternetCheck().run()
            lab.note("\(report.verdict) after \(report.duration)")
            try lab.check(report.verdict.portal?.absoluteString == PortalServer.login, "\(report)")

            let monitor = ConnectivityMonitor()
            monitor.start()
            defer { monitor.stop() }
            let connectivity = await monitor.verify()
            lab.note("the monitor says: \(connectivity.state)")
            guard case .captivePortal = connectivity.state else { throw Failure("no portal: \(connectivity)") }
        }
    ]
}
