// SPDX-License-Identifier: Apache-2.0

/// Messages about neighbours, recorded on Linux 6.18.
enum NeighborCaptures {
    static let all = [ipv4Permanent, ipv6StaleRouter, forwarding]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip neighbour add 192.0.2.9 lladdr 02:00:00:00:00:09 dev veth0 nud permanent
    /// ip neighbour show nud all
    /// ```
    static let ipv4Permanent = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEIGH, flags, sequence, port
        4c 00 00 00 1c 00 02 00 1d 00 00 00 13 04 00 00
        # ndmsg
        02 00 00 00 03 00 00 00 80 00 00 01
        # NDA_DST
        08 00 01 00 c0 00 02 09
        # NDA_LLADDR
        0a 00 02 00 02 00 00 00 00 09 00 00
        # NDA_PROBES
        08 00 04 00 00 00 00 00
        # NDA_CACHEINFO
        14 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip neighbour add 2001:db8::9 dev veth0 router lladdr 02:00:00:00:00:09 nud stale
    /// ip -6 neighbour show
    /// ```
    static let ipv6StaleRouter = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEIGH, flags, sequence, port
        58 00 00 00 1c 00 02 00 1e 00 00 00 13 04 00 00
        # ndmsg
        0a 00 00 00 03 00 00 00 04 00 80 01
        # NDA_DST
        14 00 01 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 09
        # NDA_LLADDR
        0a 00 02 00 02 00 00 00 00 09 00 00
        # NDA_PROBES
        08 00 04 00 00 00 00 00
        # NDA_CACHEINFO
        14 00 03 00 70 17 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// bridge fdb add 02:00:00:00:00:07 dev p0 master static
    /// bridge fdb show
    /// ```
    static let forwarding = Capture(
        """
        # nlmsghdr: length, RTM_NEWNEIGH, flags, sequence, port
        4c 00 00 00 1c 00 02 00 1f 00 00 00 13 04 00 00
        # ndmsg
        07 00 00 00 06 00 00 00 40 00 00 00
        # NDA_LLADDR
        0a 00 02 00 02 00 00 00 00 07 00 00
        # NDA_MASTER
        08 00 09 00 04 00 00 00
        # NDA_FLAGS_EXT
        08 00 0f 00 00 00 00 00
        # NDA_CACHEINFO
        14 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """)
}
