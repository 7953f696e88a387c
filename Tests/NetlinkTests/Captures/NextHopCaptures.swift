// SPDX-License-Identifier: Apache-2.0

/// Messages about nexthop objects, recorded on Linux 6.18.
enum NextHopCaptures {
    static let all = [single, singleIPv6, group, blackhole]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip nexthop add id 1 via 192.0.2.2 dev veth0
    /// ip nexthop show
    /// ```
    static let single = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEXTHOP, flags, sequence, port
        30 00 00 00 68 00 02 00 16 00 00 00 13 04 00 00
        # nhmsg
        02 fd 00 00 00 00 00 00
        # NHA_ID
        08 00 01 00 01 00 00 00
        # NHA_OIF
        08 00 05 00 03 00 00 00
        # NHA_GATEWAY
        08 00 06 00 c0 00 02 02
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip nexthop add id 2 via 2001:db8::5 dev veth0
    /// ip nexthop show
    /// ```
    static let singleIPv6 = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEXTHOP, flags, sequence, port
        3c 00 00 00 68 00 02 00 16 00 00 00 13 04 00 00
        # nhmsg
        0a fd 00 00 00 00 00 00
        # NHA_ID
        08 00 01 00 02 00 00 00
        # NHA_OIF
        08 00 05 00 03 00 00 00
        # NHA_GATEWAY
        14 00 06 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 05
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip nexthop add id 5 via 192.0.2.3 dev veth0
    /// ip nexthop add id 3 group 1,10/5,256
    /// ip nexthop show
    /// ```
    static let group = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEXTHOP, flags, sequence, port
        44 00 00 00 68 00 02 00 16 00 00 00 13 04 00 00
        # nhmsg
        00 00 00 00 00 00 00 00
        # NHA_ID
        08 00 01 00 03 00 00 00
        # NHA_GROUP_TYPE
        06 00 03 00 00 00 00 00
        # NHA_GROUP
        14 00 02 00 01 00 00 00 09 00 00 00 05 00 00 00 ff 00 00 00
        # attribute 14
        08 00 0e 00 00 00 00 80
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip nexthop add id 4 blackhole
    /// ip nexthop show
    /// ```
    static let blackhole = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEXTHOP, flags, sequence, port
        24 00 00 00 68 00 02 00 16 00 00 00 13 04 00 00
        # nhmsg
        02 00 00 00 00 00 00 00
        # NHA_ID
        08 00 01 00 04 00 00 00
        # NHA_BLACKHOLE
        04 00 04 00
        """)
}
