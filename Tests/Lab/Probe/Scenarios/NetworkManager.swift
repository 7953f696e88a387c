// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Scenario {
    static let networkManager = [
        Scenario("NetworkManager: metered yes and no, restart, without the bus, and with a new bus", in: .machine) {
            lab in
            try lab.setUpWire()
            let watch = lab.watch()
            try watch.expect(Wire.path)
            // The bus starts after the monitor.
            try lab.startNetworkManager()
            try lab.until("nmcli -t -f DEVICE dev | grep -qx wire0")
            try lab.shell(Manager.takeOver)
            // NetworkManager removes the address and sets it again.
            try watch.expect(
                "?unsatisfied noAddress wire0", "?unsatisfied noRoute", "?\(Wire.path)", "\(Wire.path) expensive",
                seconds: 60)
            try lab.shell("nmcli con mod cable connection.metered no; nmcli dev reapply wire0")
            try watch.expect(Wire.path)
            try lab.shell("nmcli con mod cable connection.metered yes; nmcli dev reapply wire0")
            try watch.expect("\(Wire.path) expensive")
            // A program that starts now knows it from the beginning.
            let other = lab.watch()
            try other.expect("\(Wire.path) expensive")
            try lab.end(other)

            try lab.shell("kill -9 $(cat /tmp/manager.pid)")
            try watch.expect(Wire.path)
            try lab.shell(Manager.startManager)
            // NetworkManager finds its connection unchanged.
            try watch.expect("\(Wire.path) expensive", seconds: 60)

            try lab.shell("kill -9 $(cat /tmp/bus.pid)")
            try watch.expect(Wire.path)
            // NetworkManager does not connect to a new bus, so both are restarted.
            try lab.shell("kill -9 $(cat /tmp/manager.pid) || true")
            try lab.startNetworkManager()
            try watch.expect("\(Wire.path) expensive", seconds: 60)
        }
    ]
}

extension Lab {
    /// Starts NetworkManager with a separate bus, without systemd.
    func startNetworkManager() throws {
        try shell(Manager.start)
        try until("nmcli -t general", seconds: 60)
    }
}

enum Manager {
    static let start = """
        [ -s /etc/machine-id ] || dbus-uuidgen --ensure=/etc/machine-id
        rm -f /run/dbus/system_bus_socket
        mkdir -p /run/dbus /run/udev /etc/NetworkManager/system-connections
        dbus-daemon --system --fork --nopidfile --print-pid > /tmp/bus.pid
        [ -e /run/udev/control ] || /usr/lib/systemd/systemd-udevd --daemon
        udevadm trigger -c add -s net
        udevadm settle
        cat > /tmp/manager.conf <<END
        [main]
        plugins=keyfile
        auth-polkit=root-only
        dhcp=internal
        dns=none
        no-auto-default=*
        END
        \(startManager)
        """

    static let startManager = """
        NetworkManager --debug --config=/tmp/manager.conf > /tmp/manager.log 2>&1 &
        echo $! > /tmp/manager.pid
        """

    /// Hands the cable to NetworkManager, with a metered connection.
    static let takeOver = """
        nmcli dev set wire0 managed yes
        nmcli con add type ethernet ifname wire0 con-name cable ipv6.method disabled autoconnect no \\
            ipv4.method manual ipv4.addresses 198.51.100.2/24 ipv4.gateway 198.51.100.1 connection.metered yes
        nmcli -w 30 con up cable
        """
}
