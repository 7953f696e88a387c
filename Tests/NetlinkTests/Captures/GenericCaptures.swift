// SPDX-License-Identifier: Apache-2.0

/// Messages of generic netlink, recorded on Linux 6.18.
enum GenericCaptures {
    static let all = [controller]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// genl ctrl get name nlctrl
    /// ```
    static let controller = Capture(
        """
        # nlmsghdr
        88 00 00 00 10 00 00 00 01 00 00 00 13 04 00 00
        # genlmsghdr
        01 02 00 00
        # CTRL_ATTR_FAMILY_NAME
        0b 00 02 00 6e 6c 63 74 72 6c 00 00
        # CTRL_ATTR_FAMILY_ID
        06 00 01 00 10 00 00 00
        # CTRL_ATTR_VERSION
        08 00 03 00 02 00 00 00
        # CTRL_ATTR_HDRSIZE
        08 00 04 00 00 00 00 00
        # CTRL_ATTR_MAXATTR
        08 00 05 00 00 00 00 00
        # CTRL_ATTR_OPS
        2c 00 06 00 14 00 01 00 08 00 01 00 03 00 00 00 08 00 02 00 0e 00 00 00 14 00 02 00 08 00 01 00
        0a 00 00 00 08 00 02 00 0c 00 00 00
        # CTRL_ATTR_MCAST_GROUPS
        1c 00 07 00 18 00 01 00 08 00 02 00 10 00 00 00 0b 00 01 00 6e 6f 74 69 66 79 00 00
        """)
}
