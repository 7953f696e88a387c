// SPDX-License-Identifier: Apache-2.0

/// Messages about policy rules, recorded on Linux 6.18.
enum RuleCaptures {
    static let all = [marked, suppressing, selective, ipv6Unreachable, local]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip rule add not fwmark 51820 table 51820 priority 32764
    /// ip rule show
    /// ```
    static let marked = Capture(
        """
        # nlmsghdr: length, RTM_NEWRULE, flags, sequence, port
        4c 00 00 00 20 00 02 00 18 00 00 00 13 04 00 00
        # fib_rule_hdr
        02 00 00 00 fc 00 00 01 02 00 00 00
        # FRA_TABLE
        08 00 0f 00 6c ca 00 00
        # FRA_SUPPRESS_PREFIXLEN
        08 00 0e 00 ff ff ff ff
        # FRA_PROTOCOL
        05 00 15 00 00 00 00 00
        # FRA_PRIORITY
        08 00 06 00 fc 7f 00 00
        # FRA_FWMARK
        08 00 0a 00 6c ca 00 00
        # FRA_FWMASK
        08 00 10 00 ff ff ff ff
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip rule add table main suppress_prefixlength 0 priority 32765
    /// ip rule show
    /// ```
    static let suppressing = Capture(
        """
        # nlmsghdr: length, RTM_NEWRULE, flags, sequence, port
        3c 00 00 00 20 00 02 00 19 00 00 00 13 04 00 00
        # fib_rule_hdr
        02 00 00 00 fe 00 00 01 00 00 00 00
        # FRA_TABLE
        08 00 0f 00 fe 00 00 00
        # FRA_SUPPRESS_PREFIXLEN
        08 00 0e 00 00 00 00 00
        # FRA_PROTOCOL
        05 00 15 00 00 00 00 00
        # FRA_PRIORITY
        08 00 06 00 fd 7f 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip rule add from 192.0.2.0/24 to 198.51.100.0/25 iif veth0 oif veth1 lookup 100 priority 900
    /// ip rule show
    /// ```
    static let selective = Capture(
        """
        # nlmsghdr: length, RTM_NEWRULE, flags, sequence, port
        64 00 00 00 20 00 02 00 1a 00 00 00 13 04 00 00
        # fib_rule_hdr
        02 19 18 00 64 00 00 01 00 00 00 00
        # FRA_TABLE
        08 00 0f 00 64 00 00 00
        # FRA_SUPPRESS_PREFIXLEN
        08 00 0e 00 ff ff ff ff
        # FRA_PROTOCOL
        05 00 15 00 00 00 00 00
        # FRA_IIFNAME
        0a 00 03 00 76 65 74 68 30 00 00 00
        # FRA_OIFNAME
        0a 00 11 00 76 65 74 68 31 00 00 00
        # FRA_PRIORITY
        08 00 06 00 84 03 00 00
        # FRA_DST
        08 00 01 00 c6 33 64 00
        # FRA_SRC
        08 00 02 00 c0 00 02 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip -6 rule add from all unreachable priority 901
    /// ip -6 rule show
    /// ```
    static let ipv6Unreachable = Capture(
        """
        # nlmsghdr: length, RTM_NEWRULE, flags, sequence, port
        3c 00 00 00 20 00 02 00 1b 00 00 00 13 04 00 00
        # fib_rule_hdr
        0a 00 00 00 00 00 00 07 00 00 00 00
        # FRA_TABLE
        08 00 0f 00 00 00 00 00
        # FRA_SUPPRESS_PREFIXLEN
        08 00 0e 00 ff ff ff ff
        # FRA_PROTOCOL
        05 00 15 00 00 00 00 00
        # FRA_PRIORITY
        08 00 06 00 85 03 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip rule show  # in a new namespace
    /// ```
    static let local = Capture(
        """
        # nlmsghdr: length, RTM_NEWRULE, flags, sequence, port
        34 00 00 00 20 00 02 00 1c 00 00 00 13 04 00 00
        # fib_rule_hdr
        02 00 00 00 ff 00 00 01 00 00 00 00
        # FRA_TABLE
        08 00 0f 00 ff 00 00 00
        # FRA_SUPPRESS_PREFIXLEN
        08 00 0e 00 ff ff ff ff
        # FRA_PROTOCOL
        05 00 15 00 02 00 00 00
        """)
}
