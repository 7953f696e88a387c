//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CNetlinkShims
import Dialtone
import Glibc
import Netlink

/// Records what the kernel says of a Wi-Fi link that joins a network and of a modem, byte by byte, for the tests that run
/// everywhere: `LabProbe record`.
enum Recording {
    static func run(_ lab: Lab) throws {
        let events = try RawSocket(protocol: NETLINK_ROUTE, groups: 1)
        try lab.setUpAir()
        try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
        print("# the links of simulated radios appear")
        events.printAll()
        try lab.join("home")
        try lab.until("ip link show wlan2 | grep -q 'state UP'")
        print("# wlan2 joins a WPA2 network")
        events.printAll()
        var control = try GenericNetlink()
        guard let family = try control.family(named: "nl80211") else { throw Failure("no nl80211") }
        let index = UInt32(NetworkPath.interfacesOfThisMachine().first { $0.name == "wlan2" }?.index ?? 0)
        for (command, name) in [(5, "GET_INTERFACE"), (17, "GET_STATION"), (32, "GET_SCAN")] as [(UInt8, String)] {
            print("# NL80211_CMD_\(name)")
            let socket = try RawSocket(protocol: NETLINK_GENERIC, groups: 0)
            socket.sendDump(family.type.rawValue, command: command, index: index)
            usleep(200_000)
            socket.printAll()
        }
        try lab.shell(Air.stop("wlan0"))
        try lab.until("! ip link show wlan2 | grep -q LOWER_UP")
        print("# its access point stops")
        events.printAll()
        try lab.shell(Gadget.modem)
        lab.atEnd(Gadget.unplug("modem"))
        try lab.shell(Gadget.plug("modem", port: 0))
        try lab.until("[ -e /sys/class/net/wwan0 ]")
        print("# a modem appears")
        events.printAll()
        try lab.shell("echo Y > /sys/class/net/wwan0/qmi/raw_ip; ip link set wwan0 up")
        usleep(500_000)
        print("# it carries bare IP")
        events.printAll()
    }
}

/// A netlink socket without any interpretation.
private final class RawSocket {
    private let number: Int32

    init(protocol family: Int32, groups: UInt32) throws {
        number = socket(AF_NETLINK, CNetlink_SOCK_RAW_CLOEXEC, family)
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

    func sendDump(_ type: UInt16, command: UInt8, index: UInt32) {
        // nlmsghdr (NLM_F_REQUEST | NLM_F_DUMP), genlmsghdr, NL80211_ATTR_IFINDEX.
        var bytes: [UInt8] = []
        func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value) { bytes += Array($0) } }
        put(UInt32(28))
        put(type)
        put(UInt16(0x301))
        put(UInt32(1))
        put(UInt32(0))
        bytes += [command, 1, 0, 0]
        put(UInt16(8))
        put(UInt16(3))
        put(index)
        _ = send(number, bytes, bytes.count, 0)
    }

    /// Prints each waiting datagram as a line of hexadecimal digits.
    func printAll() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(number, &buffer, buffer.count, CNetlink_MSG_DONTWAIT)
            guard count > 0 else { return }
            print(buffer.prefix(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }
}
