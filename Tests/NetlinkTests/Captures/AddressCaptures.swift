// SPDX-License-Identifier: Apache-2.0

/// Messages about addresses, recorded on Linux 6.18.
enum AddressCaptures {
    static let all = [ipv4WithLabel, ipv6WithoutDetection, ipv6Tentative, ipv4Peer]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip address add 192.0.2.1/24 dev veth0 label veth0:x
    /// ip address show veth0
    /// ```
    static let ipv4WithLabel = Capture(
        """
        # nlmsghdr: length, RTM_NEWADDR, flags, sequence, port
        50 00 00 00 14 00 02 00 07 00 00 00 13 04 00 00
        # ifaddrmsg
        02 18 80 00 03 00 00 00
        # IFA_ADDRESS
        08 00 01 00 c0 00 02 01
        # IFA_LOCAL
        08 00 02 00 c0 00 02 01
        # IFA_LABEL
        0c 00 03 00 76 65 74 68 30 3a 78 00
        # IFA_FLAGS
        08 00 08 00 80 00 00 00
        # IFA_CACHEINFO
        14 00 06 00 ff ff ff ff ff ff ff ff 1d 15 08 00 1d 15 08 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip address add 2001:db8::1/64 dev veth0 nodad
    /// ip address show veth0
    /// ```
    static let ipv6WithoutDetection = Capture(
        """
        # nlmsghdr: length, RTM_NEWADDR, flags, sequence, port
        48 00 00 00 14 00 02 00 08 00 00 00 13 04 00 00
        # ifaddrmsg
        0a 40 82 00 03 00 00 00
        # IFA_ADDRESS
        14 00 01 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 01
        # IFA_CACHEINFO
        14 00 06 00 ff ff ff ff ff ff ff ff 1e 15 08 00 1e 15 08 00
        # IFA_FLAGS
        08 00 08 00 82 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip address add 2001:db8::2/64 dev veth0 valid_lft 3600 preferred_lft 1800
    /// ip address show veth0
    /// ```
    static let ipv6Tentative = Capture(
        """
        # nlmsghdr: length, RTM_NEWADDR, flags, sequence, port
        48 00 00 00 14 00 02 00 09 00 00 00 13 04 00 00
        # ifaddrmsg
        0a 40 40 00 03 00 00 00
        # IFA_ADDRESS
        14 00 01 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 02
        # IFA_CACHEINFO
        14 00 06 00 08 07 00 00 10 0e 00 00 1e 15 08 00 1e 15 08 00
        # IFA_FLAGS
        08 00 08 00 40 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip address add 198.51.100.1/32 peer 198.51.100.2 dev veth0
    /// ip address show veth0
    /// ```
    static let ipv4Peer = Capture(
        """
        # nlmsghdr: length, RTM_NEWADDR, flags, sequence, port
        50 00 00 00 14 00 02 00 0a 00 00 00 13 04 00 00
        # ifaddrmsg
        02 20 80 00 03 00 00 00
        # IFA_ADDRESS
        08 00 01 00 c6 33 64 02
        # IFA_LOCAL
        08 00 02 00 c6 33 64 01
        # IFA_LABEL
        0a 00 03 00 76 65 74 68 30 00 00 00
        # IFA_FLAGS
        08 00 08 00 80 00 00 00
        # IFA_CACHEINFO
        14 00 06 00 ff ff ff ff ff ff ff ff 1e 15 08 00 1e 15 08 00
        """)
}
