// SPDX-License-Identifier: Apache-2.0

/// Messages about routes, recorded on Linux 6.18.
enum RouteCaptures {
    static let all = [
        ipv4Default, ipv6Default, ipv4Blackhole, ipv6Unreachable, ipv4Multipath, ipv6Multipath, ipv4ViaIPv6,
        ipv6Expiring, ipv4InLargeTable, ipv4OnLink, ipv4LinkDown, ipv4Replaced, ipv4WithNextHopObject,
    ]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default via 192.0.2.254 dev veth0 metric 100 proto dhcp src 192.0.2.1
    /// ip route show table all
    /// ```
    static let ipv4Default = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        44 00 00 00 18 00 22 00 0b 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fe 10 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_PRIORITY
        08 00 06 00 64 00 00 00
        # RTA_PREFSRC
        08 00 07 00 c0 00 02 01
        # RTA_GATEWAY
        08 00 05 00 c0 00 02 fe
        # RTA_OIF
        08 00 04 00 03 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add blackhole 203.0.113.0/24
    /// ip route show table all
    /// ```
    static let ipv4Blackhole = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        2c 00 00 00 18 00 22 00 0d 00 00 00 13 04 00 00
        # rtmsg
        02 18 00 00 fe 03 00 06 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_DST
        08 00 01 00 cb 00 71 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default nexthop via 192.0.2.2 dev veth0 weight 1 nexthop via inet6 2001:db8::9 dev veth0 weight 5
    /// ip route show table all
    /// ```
    static let ipv4Multipath = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        58 00 00 00 18 00 22 00 0f 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fe 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_MULTIPATH
        34 00 09 00 10 00 00 00 03 00 00 00 08 00 05 00 c0 00 02 02 20 00 00 04 03 00 00 00 16 00 12 00
        0a 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 09 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip -4 route add default via inet6 fe80::1 dev veth0
    /// ip route show table all
    /// ```
    static let ipv4ViaIPv6 = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        44 00 00 00 18 00 22 00 11 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fe 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_VIA
        16 00 12 00 0a 00 fe 80 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00
        # RTA_OIF
        08 00 04 00 03 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default via 192.0.2.254 dev veth0 table 70000
    /// ip route show table all
    /// ```
    static let ipv4InLargeTable = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        34 00 00 00 18 00 22 00 13 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fc 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 70 11 01 00
        # RTA_GATEWAY
        08 00 05 00 c0 00 02 fe
        # RTA_OIF
        08 00 04 00 03 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default via 203.0.113.1 dev veth0 onlink
    /// ip route show table all
    /// ```
    static let ipv4OnLink = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        34 00 00 00 18 00 22 00 14 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fe 03 00 01 04 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_GATEWAY
        08 00 05 00 cb 00 71 01
        # RTA_OIF
        08 00 04 00 03 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip link set veth1 down
    /// ip route add default via 192.0.2.254 dev veth0
    /// ip route show table all
    /// ```
    static let ipv4LinkDown = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        34 00 00 00 18 00 22 00 15 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fe 03 00 01 10 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_GATEWAY
        08 00 05 00 c0 00 02 fe
        # RTA_OIF
        08 00 04 00 03 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default via 192.0.2.254
    /// ip monitor route &
    /// ip route replace default via 192.0.2.253
    /// ```
    static let ipv4Replaced = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        34 00 00 00 18 00 00 01 8f 0b 01 6b 7f 05 00 00
        # rtmsg
        02 00 00 00 fe 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_GATEWAY
        08 00 05 00 c0 00 02 fd
        # RTA_OIF
        08 00 04 00 03 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip nexthop add id 3 group 1,10/5,256
    /// ip route add default nhid 3
    /// ip route show
    /// ```
    static let ipv4WithNextHopObject = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        50 00 00 00 18 00 22 00 17 00 00 00 13 04 00 00
        # rtmsg
        02 00 00 00 fe 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_NH_ID
        08 00 1e 00 03 00 00 00
        # RTA_MULTIPATH
        24 00 09 00 10 00 00 09 03 00 00 00 08 00 05 00 c0 00 02 02 10 00 00 ff 03 00 00 00 08 00 05 00
        c0 00 02 03
        """)
}
