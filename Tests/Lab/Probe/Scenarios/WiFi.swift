//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

extension Scenario {
    static let wifi = [
        Scenario("join a WPA2 network; its access point stops, returns, and is killed") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("home")
            try watch.expect(
                "unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2", "unsatisfied noAddress wlan2")
            try lab.shell("ip addr add 192.0.2.2/24 dev wlan2")
            try watch.expect("unsatisfied noRoute")
            try lab.shell("ip route add default via 192.0.2.1")
            try watch.expect("satisfied wlan2=wifi@home good")
            try lab.checkDetails(network: "home", accessPoint: Air.addressOfA, frequency: 2412)

            try lab.shell(Air.stop("wlan0"))
            try watch.expect("unsatisfied noCarrier wlan2")
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try watch.expect("?requiresConnection dormant wlan2", "satisfied wlan2=wifi@home good")

            // Nobody says goodbye: the station notices that the beacons are missing.
            try lab.shell("kill -9 $(cat /tmp/wlan0.pid); ip -n ap link set wlan0 down")
            try watch.expect("?requiresConnection dormant wlan2", "unsatisfied noCarrier wlan2", seconds: 40)
        },
        Scenario("a wrong password leaves the link waiting for keys") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            let watch = lab.watch()
            try watch.expect("unsatisfied allDown wlan2")
            try lab.join("home", password: "wrong horse")
            try watch.expect("unsatisfied noCarrier wlan2", "requiresConnection dormant wlan2")
        },
        Scenario("roam from one access point of a network to another, then to another network") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.join("home")
            try lab.until("ip link show wlan2 | grep -q 'state UP'")
            try lab.shell(Air.address)
            let watch = lab.watch()
            try watch.expect("satisfied wlan2=wifi@home good")
            try lab.checkDetails(network: "home", accessPoint: Air.addressOfA, frequency: 2412)

            try lab.shell(Air.accessPoint("wlan1", "home", channel: 6))
            try lab.shell("wpa_cli -p /run/wpa -i wlan2 scan_interval 1; wpa_cli -p /run/wpa -i wlan2 scan freq=2437")
            try lab.until("wpa_cli -p /run/wpa -i wlan2 scan_results | grep -q \(Air.addressOfB)")
            try lab.shell("wpa_cli -p /run/wpa -i wlan2 roam \(Air.addressOfB)")
            try lab.until("iw dev wlan2 link | grep -q \(Air.addressOfB)")
            try lab.until("ip link show wlan2 | grep -q 'state UP'")
            try lab.checkDetails(network: "home", accessPoint: Air.addressOfB, frequency: 2437)
            try lab.shell("ip route replace default via 192.0.2.3")
            try watch.pass(until: "satisfied wlan2=wifi@home good")
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
            try watch.expect("satisfied wlan2=wifi@cafe good")
        },
        Scenario("the radio is switched off and on (rfkill)") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.join("home")
            try lab.until("ip link show wlan2 | grep -q 'state UP'")
            try lab.shell(Air.address)
            let watch = lab.watch()
            try watch.expect("satisfied wlan2=wifi@home good")
            let radio = try lab.shell("grep -l phy2 /sys/class/rfkill/*/name | tr -dc 0-9")
            try lab.shell("rfkill block \(radio)")
            try watch.expect("unsatisfied radioOff wlan2 wifiDenied")
            lab.note(watch.path.diagnosis?.description ?? "no diagnosis")
            try lab.shell("rfkill unblock \(radio)")
            try watch.expect("unsatisfied allDown wlan2")
        },
        Scenario("Wi-Fi is asked for while Ethernet is preferred") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.shell(Wire.setUp)
            lab.atEnd(Wire.tearDown)
            try lab.join("home")
            try lab.until("ip link show wlan2 | grep -q 'state UP'")
            try lab.shell("ip addr add 192.0.2.2/24 dev wlan2; ip route add default via 192.0.2.1 metric 600")
            let any = lab.watch()
            let wifi = lab.watch(PathFilter(requiredType: .wifi))
            let noWiFi = lab.watch(PathFilter(prohibitedTypes: [.wifi]))
            try any.expect("satisfied wire0=wiredEthernet wlan2=wifi@home")
            try wifi.expect("satisfied wlan2=wifi@home good")
            try noWiFi.expect("satisfied wire0=wiredEthernet")
            try lab.shell("ip -n wire link set wire1 down")
            // The kernel still prefers the dead route: packets find nothing.
            try any.expect("unsatisfied noCarrier wire0")
            try noWiFi.expect("unsatisfied noCarrier wire0")
            try lab.shell("ip route del default dev wire0")
            try any.expect("satisfied wlan2=wifi@home good")
            try lab.shell("ip route del default")
            try any.expect("unsatisfied noRoute")
            try wifi.expect("unsatisfied noRoute")
        },
    ]
}

extension Lab {
    func setUpAir() throws {
        atEnd(Air.rest)
        try shell("[ -e /run/netns/ap ] || {\n\(Air.setUp)\n}")
    }

    func join(_ networks: String..., password: String? = Air.password) throws {
        atEnd(Air.leave)
        try shell(Air.join(networks, password: password))
    }

    /// Compares what the kernel says of `wlan2` with what must be.
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
}
