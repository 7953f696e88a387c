// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let wifi = [
        Scenario("join a WPA2 network; its access point stops, returns, and is killed") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("home")
            // Associated, but not yet keyed, the link is dormant for a few milliseconds.
            try watch.expect(
                "unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2", "unsatisfied noAddress wlan2")
            try lab.shell("ip addr add 192.0.2.2/24 dev wlan2")
            try watch.expect("unsatisfied noRoute")
            try lab.shell("ip route add default via 192.0.2.1")
            try watch.expect(Air.path)
            try lab.checkDetails(network: "home", accessPoint: Air.addressOfA, frequency: 2412)

            try lab.shell(Air.stop("wlan0"))
            try watch.expect("unsatisfied noCarrier wlan2")
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try watch.expect("?requiresConnection dormant wlan2", Air.path)

            // The access point sends no deauthentication: the station notices the missing beacons.
            try lab.shell("kill -9 $(cat /tmp/wlan0.pid); ip -n ap link set wlan0 down")
            try watch.expect("unsatisfied noCarrier wlan2", seconds: 40)
        },
        Scenario("a wrong password leaves the link waiting for keys") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("home", password: "wrong horse")
            try watch.expect("unsatisfied noCarrier wlan2", "requiresConnection dormant wlan2")
        },
        Scenario("an open network") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "cafe", channel: 1, isOpen: true))
            try lab.shell("ip addr add 192.0.2.2/24 dev wlan2")
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("cafe", password: nil)
            try watch.expect(
                "unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2", "unsatisfied noRoute")
            try lab.shell("ip route add default via 192.0.2.1")
            try watch.expect("satisfied wlan2=wifi@cafe via-192.0.2.1 good")
        },
        Scenario("the radio is switched off and on (rfkill)") { lab in
            try lab.beOnWiFi()
            let watch = lab.watch()
            try watch.expect(Air.path)
            try lab.shell("rfkill block wlan")
            try watch.expect("unsatisfied radioOff wlan2 wifiDenied")
            lab.note(watch.path.diagnosis?.description ?? "no diagnosis")
            try lab.shell("rfkill unblock wlan")
            try watch.expect("unsatisfied allDown wlan2")
        },
        Scenario("monitors that require Wi-Fi while Ethernet is preferred") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.setUpWire()
            try lab.join("home")
            try lab.until(Air.isJoined)
            try lab.shell("ip addr add 192.0.2.2/24 dev wlan2; ip route add default via 192.0.2.1 metric 600")
            let any = lab.watch()
            let wifi = lab.watch(PathFilter(requiredType: .wifi))
            let noWiFi = lab.watch(PathFilter(prohibitedTypes: [.wifi]))
            try any.expect("satisfied wire0=wiredEthernet wlan2=wifi@home via-198.51.100.1")
            try wifi.expect(Air.path)
            try noWiFi.expect(Wire.path)
            try lab.shell("ip -n wire link set wire1 down")
            // The kernel still prefers the dead route, so packets are lost.
            try any.expect("unsatisfied noCarrier wire0")
            try noWiFi.expect("unsatisfied noCarrier wire0")
            try lab.shell("ip route del default dev wire0")
            try any.expect(Air.path)
            try lab.shell("ip route del default")
            try any.expect("unsatisfied noRoute")
            try wifi.expect("unsatisfied noRoute")
        },
        Scenario("the signal grows weak and strong again") { lab in
            try lab.beOnWiFi()
            let watch = lab.watch()
            try watch.expect(Air.path)
            // Each value is beyond its threshold by more than the hysteresis and the error of the average.
            for (signal, word) in [(-73, "moderate"), (-85, "minimal"), (-74, "moderate"), (-40, "good")] {
                try lab.setSignal(signal)
                // The kernel does not announce signal changes: the signal is measured at every other change, such as this
                // one, and every 30 seconds.
                try lab.shell("ip addr add 127.1.1.1/32 dev lo; ip addr del 127.1.1.1/32 dev lo")
                try watch.expect("satisfied wlan2=wifi@home via-192.0.2.1 \(word)")
            }
        },
        Scenario("Wi-Fi details without privilege") { lab in
            try lab.beOnWiFi()
            let own = WiFiDetails(ofInterface: "wlan2")
            let nobody = try lab.shell("setpriv --reuid=65534 --regid=65534 --clear-groups LabProbe details wlan2")
            lab.note(nobody.trimmed)
            try lab.check(own?.networkName == "home", "no name for root: \(own.map { "\($0)" } ?? "nothing")")
            try lab.check(
                nobody.contains("\(Array("home".utf8))"), "no network name for an unprivileged user: \(nobody)")
            try lab.check(nobody.contains(Air.addressOfA), "no access point for an unprivileged user: \(nobody)")
        },
        Scenario("IPv6 over Wi-Fi, by router advertisements") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.shell(
                """
                # Who advertises itself as a router must be one: the route goes when it answers a probe as a host, 5 seconds later.
                ip netns exec ap sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/forwarding'
                ip -n ap addr add 2001:db8:7::1/64 dev wlan0 nodad
                ip netns exec ap dnsmasq -p 0 -i wlan0 --bind-interfaces --enable-ra --dhcp-range=2001:db8:7::,ra-only \\
                    --pid-file=/tmp/ra.pid --user=root --dhcp-leasefile=/tmp/leases
                """)
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("home")
            // The advertisement sets address and route. The kernel does not announce the address until duplicate address
            // detection has passed.
            try watch.expect(
                "unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2", "unsatisfied noAddress wlan2",
                "satisfied wlan2=wifi@home via-fe80::ff:fe00:0%wlan2 good")
            try lab.check(watch.path.supportsIPv6 && !watch.path.supportsIPv4, "not IPv6 alone: \(watch.path)")
        },
    ]
}

extension Lab {
    /// Compares the kernel's details of `wlan2` with the expected ones.
    func checkDetails(network: String, accessPoint: String, frequency: Int) throws {
        guard let details = WiFiDetails(ofInterface: "wlan2") else { throw Failure("wlan2 has no Wi-Fi details") }
        note(
            "\(details.networkName ?? "?") at \(details.accessPoint ?? "?"), \(details.frequency ?? 0) MHz, "
                + "\(details.signal ?? 0) dBm, \(details.transmitRate ?? 0) and \(details.receiveRate ?? 0) Mbit/s")
        let isRight =
            details.networkName == network && details.accessPoint == accessPoint && details.frequency == frequency
            && details.signal != nil
        try check(isRight, "not at \(accessPoint) of \(network) on \(frequency) MHz: \(details)")
    }

    /// Makes frames from access point A arrive at `wlan2` with a signal in dBm, and waits until the average shows it.
    func setSignal(_ signal: Int) throws {
        // The received signal is the transmit power, 0 dBm from here on, plus the value of a file. The file takes an unsigned
        // number, which the kernel reads as a signed one.
        let number = UInt64(bitPattern: Int64(signal))
        try shell(
            """
            mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
            ip netns exec ap iw dev wlan0 set txpower fixed 0
            for radio in /sys/kernel/debug/ieee80211/*/hwsim; do echo \(number) > $radio/rx_rssi; done
            """)
        do {
            // The average is rounded at each step, and may stop a decibel short. That of beacons alone is another line, and
            // moves faster.
            let averages = (signal - 1...signal + 1).map { "\($0)" }.joined(separator: "|")
            try until(
                "iw dev wlan2 station dump | grep -qE '^[[:space:]]*signal avg:[[:space:]]+(\(averages)) '", seconds: 60
            )
        } catch {
            throw Failure("\(error)\n\(try Shell.run("iw dev wlan2 station dump | grep signal"))")
        }
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        return String(text)
    }
}
