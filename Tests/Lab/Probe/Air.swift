//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Simulated radios: access points in a namespace of their own, and `wlan2` here.
enum Air {
    /// Access point A is `wlan0`, B is `wlan1`, both in the namespace `ap`; both are routers with the address 192.0.2.1.
    static let setUp = """
        modprobe mac80211_hwsim radios=3
        ip netns add ap
        iw phy phy0 set netns name ap
        iw phy phy1 set netns name ap
        ip -n ap link set lo up
        """
    /// Leaves the radios as `setUp` did: off, with nobody using them.
    static let rest = """
        rfkill unblock all
        for pid in /tmp/wlan?.pid; do kill -9 $(cat $pid); rm -f $pid; done
        for link in wlan0 wlan1; do ip -n ap link set $link down; ip -n ap addr flush dev $link; done
        ip link set wlan2 down
        ip addr flush dev wlan2
        """

    /// An access point's configuration and start: WPA2 with the password `correct horse`, or open.
    static func accessPoint(_ interface: String, _ network: String, channel: Int, isOpen: Bool = false) -> String {
        let security =
            isOpen
            ? "" : "wpa=2\nwpa_passphrase=\(password)\nwpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP"
        return """
            cat > /tmp/\(interface).conf <<END
            interface=\(interface)
            driver=nl80211
            ssid=\(network)
            hw_mode=g
            channel=\(channel)
            beacon_int=50
            \(security)
            END
            ip netns exec ap hostapd -B -P /tmp/\(interface).pid /tmp/\(interface).conf
            ip -n ap addr replace 192.0.2.1/24 dev \(interface)
            """
    }

    /// Stops an access point, which says goodbye to its stations.
    static func stop(_ interface: String) -> String { "kill $(cat /tmp/\(interface).pid)" }

    /// Starts the supplicant for `wlan2` with one network, or several.
    static func join(_ networks: [String], password: String?) -> String {
        let key = password.map { "psk=\"\($0)\"" } ?? "key_mgmt=NONE"
        let blocks = networks.map { "network={\nssid=\"\($0)\"\n\(key)\nscan_freq=2412 2437\nfreq_list=2412 2437\n}" }
        return """
            cat > /tmp/supplicant.conf <<END
            ctrl_interface=/run/wpa
            \(blocks.joined(separator: "\n"))
            END
            wpa_supplicant -B -i wlan2 -c /tmp/supplicant.conf -P /tmp/supplicant.pid
            """
    }

    /// Ends the supplicant.
    static let leave = """
        kill $(cat /tmp/supplicant.pid)
        while [ -e /tmp/supplicant.pid ]; do sleep 0.02; done
        """

    static let password = "correct horse"
    static let addressOfA = "02:00:00:00:00:00"
    static let addressOfB = "02:00:00:00:01:00"

    /// An address and a route, as a DHCP client would set them.
    static let address = """
        ip addr add 192.0.2.2/24 dev wlan2
        ip route add default via 192.0.2.1
        """
}
