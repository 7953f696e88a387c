// SPDX-License-Identifier: Apache-2.0

/// Simulated radios: access points in a namespace of their own, and `wlan2` in the scenario's namespace.
enum Air {
    /// Access point A is `wlan0`, B is `wlan1`, both in the namespace `ap`; both are routers with the address 192.0.2.1.
    static let setUp = """
        modprobe mac80211_hwsim radios=3
        ip netns add ap
        nsenter --net=/proc/1/ns/net --mount=/proc/1/ns/mnt sh -e <<'OUTSIDE'
        for link in wlan0 wlan1; do iw phy $(cat /sys/class/net/$link/phy80211/name) set netns name ap; done
        iw phy $(cat /sys/class/net/wlan2/phy80211/name) set netns name lab
        OUTSIDE
        ip -n ap link set lo up
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
            ip netns exec ap hostapd -B -f /tmp/\(interface).log -P /tmp/\(interface).pid /tmp/\(interface).conf
            ip -n ap addr replace 192.0.2.1/24 dev \(interface)
            """
    }

    /// Stops an access point, which deauthenticates its stations first.
    static func stop(_ interface: String) -> String { "kill $(cat /tmp/\(interface).pid)" }

    /// Starts the supplicant for `wlan2` with one or several networks; it can switch to another of them later.
    static func join(_ networks: [String], password: String?) -> String {
        let key = password.map { "psk=\"\($0)\"" } ?? "key_mgmt=NONE"
        let blocks = networks.map { "network={\nssid=\"\($0)\"\n\(key)\nscan_freq=2412 2437\nfreq_list=2412 2437\n}" }
        return """
            cat > /tmp/supplicant.conf <<END
            ctrl_interface=/run/wpa
            \(blocks.joined(separator: "\n"))
            END
            wpa_supplicant -B -f /tmp/supplicant.log -i wlan2 -c /tmp/supplicant.conf -P /tmp/supplicant.pid
            """
    }

    /// Whether both sides report that `wlan2` has joined access point A.
    ///
    /// On a busy machine an access point may miss the station's last frame, and deauthenticate it again.
    static let isJoined = "grep -q AP-STA-CONNECTED /tmp/wlan0.log && ip link show wlan2 | grep -q 'state UP'"

    static let password = "correct horse"
    static let addressOfA = "02:00:00:00:00:00"
    static let addressOfB = "02:00:00:00:01:00"

    /// An address and a route, as a DHCP client would set them.
    static let address = """
        ip addr add 192.0.2.2/24 dev wlan2
        ip route add default via 192.0.2.1
        """
    /// The path that results from them.
    static let path = "satisfied wlan2=wifi@home via-192.0.2.1 good"
}

extension Lab {
    func setUpAir() throws { try shell(Air.setUp) }

    func join(_ networks: String..., password: String? = Air.password) throws {
        try shell(Air.join(networks, password: password))
    }

    /// Joins `home` on access point A, and sets an address and a route, before any monitor starts.
    func beOnWiFi() throws {
        try setUpAir()
        try shell(Air.accessPoint("wlan0", "home", channel: 1))
        try join("home")
        try until(Air.isJoined)
        try shell(Air.address)
    }
}
