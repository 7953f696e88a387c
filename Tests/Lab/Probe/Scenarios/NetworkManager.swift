//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

extension Scenario {
    static let networkManager = [
        Scenario("NetworkManager: metered yes, no, by hint; restart; without the bus") { lab in
            try lab.shell(Wire.setUp)
            lab.atEnd(Wire.tearDown)
            let watch = lab.watch()
            try watch.expect("satisfied wire0=wiredEthernet")
            lab.atEnd(Manager.stop)
            // The bus comes after the monitor.
            try lab.shell(Manager.start)
            try lab.until("nmcli -t general", seconds: 60)
            try lab.shell(Manager.takeOver)
            try watch.pass(until: "satisfied wire0=wiredEthernet expensive", seconds: 60)
            try lab.shell("nmcli con mod cable connection.metered no; nmcli dev reapply wire0")
            try watch.expect("satisfied wire0=wiredEthernet")
            try lab.shell("nmcli con mod cable connection.metered yes; nmcli dev reapply wire0")
            try watch.expect("satisfied wire0=wiredEthernet expensive")
            // A program that starts now knows at once.
            try lab.watch().expect("satisfied wire0=wiredEthernet expensive")

            try lab.shell("kill -9 $(cat /tmp/manager.pid)")
            try watch.expect("satisfied wire0=wiredEthernet")
            try lab.shell(Manager.startManager)
            try lab.until("nmcli -t general", seconds: 60)
            try lab.shell("nmcli con up cable")
            try watch.pass(until: "satisfied wire0=wiredEthernet expensive", seconds: 60)

            try lab.shell("kill -9 $(cat /tmp/bus.pid)")
            try watch.pass(until: "satisfied wire0=wiredEthernet")
        },
        Scenario("NetworkManager relays a phone's hint (DHCP option 43)") { lab in
            try lab.shell(Wire.setUp)
            try lab.shell("ip addr flush dev wire0")
            lab.atEnd(Wire.tearDown)
            let watch = lab.watch()
            try watch.expect("unsatisfied noAddress wire0")
            lab.atEnd(Manager.stop)
            lab.atEnd("kill $(cat /tmp/dhcp.pid)")
            try lab.shell(
                """
                ip netns exec wire dnsmasq -p 0 -i wire1 --bind-interfaces --dhcp-range=198.51.100.50,198.51.100.99,1h \\
                    --dhcp-option-force=43,ANDROID_METERED --dhcp-leasefile=/tmp/leases --pid-file=/tmp/dhcp.pid --user=root
                """)
            try lab.shell(Manager.start)
            try lab.until("nmcli -t general", seconds: 60)
            try lab.shell(
                """
                nmcli dev set wire0 managed yes
                nmcli con add type ethernet ifname wire0 con-name phone ipv6.method disabled autoconnect no
                nmcli -w 60 con up phone
                """)
            try watch.pass(until: "satisfied wire0=wiredEthernet expensive", seconds: 60)
        },
    ]
}

/// NetworkManager and its bus, without systemd.
enum Manager {
    static let start = """
        [ -s /etc/machine-id ] || dbus-uuidgen --ensure=/etc/machine-id
        [ -S /run/dbus/system_bus_socket ] && rm /run/dbus/system_bus_socket
        dbus-daemon --system --fork --nopidfile --print-pid > /tmp/bus.pid
        [ -e /run/udev/control ] || /usr/lib/systemd/systemd-udevd --daemon
        udevadm trigger -c add -s net
        udevadm settle
        mkdir -p /etc/NetworkManager
        rm -f /etc/NetworkManager/system-connections/*
        cat > /etc/NetworkManager/NetworkManager.conf <<END
        [main]
        plugins=keyfile
        auth-polkit=root-only
        dhcp=internal
        dns=none
        no-auto-default=*
        END
        \(startManager)
        """

    static let startManager = "NetworkManager -n > /tmp/manager.log 2>&1 & echo $! > /tmp/manager.pid"

    /// The cable becomes NetworkManager's, which costs by volume.
    static let takeOver = """
        nmcli dev set wire0 managed yes
        nmcli con add type ethernet ifname wire0 con-name cable ipv6.method disabled autoconnect no \\
            ipv4.method manual ipv4.addresses 198.51.100.2/24 ipv4.gateway 198.51.100.1 connection.metered yes
        nmcli -w 30 con up cable
        """

    static let stop = """
        kill -9 $(cat /tmp/manager.pid) || true
        kill -9 $(cat /tmp/bus.pid) || true
        rm -f /run/dbus/system_bus_socket /etc/NetworkManager/system-connections/*
        """
}
