// SPDX-License-Identifier: Apache-2.0

import CLinux
import Dialtone
import Glibc
import Netlink
import NetlinkTesting

/// Records the kernel's messages about Wi-Fi, modems and tunnels, byte by byte, for the tests that run everywhere:
/// `LabProbe record` prints them.
enum Recording {
    static let scenarios = [
        Scenario("record Wi-Fi") { lab in try recordWiFi(lab) },
        Scenario("record modems", in: .machine) { lab in try recordModem(lab) },
        Scenario("record tunnels") { lab in try recordTunnels(lab) },
    ]

    private static func recordWiFi(_ lab: Lab) throws {
        let events = try RawSocket(protocol: NETLINK_ROUTE, groups: 1)
        try lab.setUpAir()
        try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
        try lab.shell("ip link show wlan2")
        print("# the link of a simulated radio appears")
        events.printAll()
        try lab.join("home")
        try lab.until("ip link show wlan2 | grep -q 'state UP'")
        print("# wlan2 joins a WPA2 network")
        events.printAll()
        var control = try GenericNetlink()
        guard let family = try control.families().first(where: { $0.name == "nl80211" }) else {
            throw Failure("no nl80211")
        }
        let index = index(of: "wlan2")
        for (command, name) in [(5, "GET_INTERFACE"), (17, "GET_STATION"), (32, "GET_SCAN")] as [(UInt8, String)] {
            print("# NL80211_CMD_\(name)")
            // NL80211_ATTR_IFINDEX.
            try RawSocket(protocol: NETLINK_GENERIC, groups: 0)
                .ask(family.type.rawValue, flags: 0x300, [command, 1, 0, 0] + attribute(3, index))
        }
        try lab.shell(Air.stop("wlan0"))
        try lab.until("! ip link show wlan2 | grep -q LOWER_UP")
        print("# its access point stops")
        events.printAll()
    }

    private static func recordModem(_ lab: Lab) throws {
        let events = try RawSocket(protocol: NETLINK_ROUTE, groups: 1)
        try lab.shell(Gadget.modem)
        try lab.shell(Gadget.plug("modem", port: 0))
        try lab.until("[ -e /sys/class/net/wwan0 ]")
        print("# a modem appears")
        events.printAll()
        try lab.shell("echo Y > /sys/class/net/wwan0/qmi/raw_ip; ip link set wwan0 up")
        usleep(500_000)
        print("# it carries bare IP")
        events.printAll()
    }

    private static func recordTunnels(_ lab: Lab) throws {
        try lab.shell(
            """
            ip link add wlan2 type dummy
            ip addr add 192.0.2.2/24 dev wlan2
            ip link set wlan2 up
            ip route add default via 192.0.2.1
            """)
        for (kind, options) in Tunnel.kinds {
            try lab.shell("ip link add tun9 type \(options)")
            print("# \(kind): ip link add tun9 type \(options)")
            // RTM_GETLINK, with an ifinfomsg and the attribute that skips statistics.
            var body = [UInt8](repeating: 0, count: 16)
            body.replaceSubrange(4..<8, with: bytes(index(of: "tun9")))
            try RawSocket(protocol: NETLINK_ROUTE, groups: 0).ask(18, flags: 0, body + attribute(29, 8))
            try lab.shell("ip link del tun9")
        }
        try lab.shell(Tunnel.wireGuard)
        try lab.shell("wg set wg0 peer $(wg show wg0 peers | head -n 1) allowed-ips 0.0.0.0/0,::/0")
        try lab.shell("wg set wg0 peer $(wg genkey | wg pubkey) allowed-ips 10.66.0.0/16")
        var control = try GenericNetlink()
        guard let family = try control.families().first(where: { $0.name == "wireguard" }) else {
            throw Failure("no wireguard")
        }
        print("# WG_CMD_GET_DEVICE")
        try RawSocket(protocol: NETLINK_GENERIC, groups: 0)
            .ask(family.type.rawValue, flags: 0x300, [0, 1, 0, 0] + attribute(1, index(of: "wg0")))
    }

    private static func index(of name: String) -> UInt32 {
        UInt32(NetworkPath.interfacesOfThisMachine().first { $0.name == name }?.index ?? 0)
    }

    private static func attribute(_ type: UInt16, _ value: UInt32) -> [UInt8] {
        bytes(UInt16(8)) + bytes(type) + bytes(value)
    }
}

private func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

/// A netlink socket that does not interpret messages.
private final class RawSocket {
    private let number: Int32

    init(protocol family: Int32, groups: UInt32) throws {
        number = socket(AF_NETLINK, CLinux_SOCK_RAW_CLOEXEC, family)
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = groups
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard result == 0 else { throw Failure("no netlink: errno \(errno)") }
    }

    deinit { close(number) }

    /// Sends a request, and prints the answers, which the kernel queues before the call returns.
    func ask(_ type: UInt16, flags: UInt16, _ body: [UInt8]) throws {
        // nlmsghdr, with NLM_F_REQUEST.
        let message =
            bytes(UInt32(16 + body.count)) + bytes(type) + bytes(flags | 1) + bytes(UInt32(1)) + bytes(UInt32(0)) + body
        guard send(number, message, message.count, 0) == message.count else { throw Failure("errno \(errno)") }
        usleep(100_000)
        printAll()
    }

    /// Prints each waiting datagram as a line of hexadecimal digits.
    func printAll() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(number, &buffer, buffer.count, CLinux_MSG_DONTWAIT)
            guard count > 0 else { return }
            print(buffer.prefix(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }
}
