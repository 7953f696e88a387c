// SPDX-License-Identifier: Apache-2.0

extension RouteCaptures {
    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip -6 route add default via fe80::1 dev veth0 metric 1024 proto ra
    /// ip -6 route show table all
    /// ```
    static let ipv6Default = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        74 00 00 00 18 00 22 00 0c 00 00 00 13 04 00 00
        # rtmsg
        0a 00 00 00 fe 09 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_PRIORITY
        08 00 06 00 00 04 00 00
        # RTA_GATEWAY
        14 00 05 00 fe 80 00 00 00 00 00 00 00 00 00 00 00 00 00 01
        # RTA_OIF
        08 00 04 00 03 00 00 00
        # RTA_CACHEINFO
        24 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00
        # RTA_PREF
        05 00 14 00 00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip -6 route add unreachable default metric 4096
    /// ip -6 route show table all
    /// ```
    static let ipv6Unreachable = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        60 00 00 00 18 00 22 00 0e 00 00 00 13 04 00 00
        # rtmsg
        0a 00 00 00 fe 03 00 07 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_PRIORITY
        08 00 06 00 00 10 00 00
        # RTA_OIF
        08 00 04 00 01 00 00 00
        # RTA_CACHEINFO
        24 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00
        # RTA_PREF
        05 00 14 00 00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip -6 route add default nexthop via 2001:db8::3 dev veth0 nexthop via 2001:db8::4 dev veth0
    /// ip -6 route show table all
    /// ```
    static let ipv6Multipath = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        94 00 00 00 18 00 22 00 10 00 00 00 13 04 00 00
        # rtmsg
        0a 00 00 00 fe 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_PRIORITY
        08 00 06 00 00 04 00 00
        # RTA_MULTIPATH
        3c 00 09 00 1c 00 00 00 03 00 00 00 14 00 05 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 03
        1c 00 00 00 03 00 00 00 14 00 05 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 04
        # RTA_CACHEINFO
        24 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00
        # RTA_PREF
        05 00 14 00 00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip -6 route add default via 2001:db8::fe dev veth0 expires 600
    /// ip -6 route show table all
    /// ```
    static let ipv6Expiring = Capture(
        """
        # nlmsghdr: length, RTM_NEWROUTE, flags, sequence, port
        74 00 00 00 18 00 22 00 12 00 00 00 13 04 00 00
        # rtmsg
        0a 00 00 00 fe 03 00 01 00 00 00 00
        # RTA_TABLE
        08 00 0f 00 fe 00 00 00
        # RTA_PRIORITY
        08 00 06 00 00 04 00 00
        # RTA_GATEWAY
        14 00 05 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 fe
        # RTA_OIF
        08 00 04 00 03 00 00 00
        # RTA_CACHEINFO
        24 00 0c 00 00 00 00 00 00 00 00 00 60 ea 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00
        # RTA_PREF
        05 00 14 00 00 00 00 00
        """)
}
