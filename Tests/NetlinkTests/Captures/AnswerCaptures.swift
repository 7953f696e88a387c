// SPDX-License-Identifier: Apache-2.0

/// Answers to requests, recorded on Linux 6.18.
enum AnswerCaptures {
    static let all = [errorWithWholeRequest, errorWithRequestHeader, acknowledgement, done, doneWithError]

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default via 203.0.113.1 metric 9
    /// ```
    static let errorWithWholeRequest = Capture(
        """
        # nlmsghdr: length, NLMSG_ERROR, flags, sequence, port
        60 00 00 00 02 00 00 02 01 00 00 00 0a 13 85 d2
        # the error, negative
        9b ff ff ff
        # the request
        2c 00 00 00 18 00 05 06 01 00 00 00 00 00 00 00 02 00 00 00 fe 03 00 01 00 00 00 00 08 00 05 00
        cb 00 71 01 08 00 06 00 09 00 00 00
        # NLMSGERR_ATTR_MSG
        20 00 01 00 4e 65 78 74 68 6f 70 20 68 61 73 20 69 6e 76 61 6c 69 64 20 67 61 74 65 77 61 79 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route add default via 203.0.113.1 metric 9
    /// # with NETLINK_CAP_ACK
    /// ```
    static let errorWithRequestHeader = Capture(
        """
        # nlmsghdr: length, NLMSG_ERROR, flags, sequence, port
        44 00 00 00 02 00 00 03 01 00 00 00 8a 80 e3 bc
        # the error, negative
        9b ff ff ff
        # the request, its header only
        2c 00 00 00 18 00 05 06 01 00 00 00 00 00 00 00
        # NLMSGERR_ATTR_MSG
        20 00 01 00 4e 65 78 74 68 6f 70 20 68 61 73 20 69 6e 76 61 6c 69 64 20 67 61 74 65 77 61 79 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip link set lo up
    /// ```
    static let acknowledgement = Capture(
        """
        # nlmsghdr: length, NLMSG_ERROR, flags, sequence, port
        24 00 00 00 02 00 00 01 01 00 00 00 5e d0 a5 d0
        # the error, negative
        00 00 00 00
        # the request, its header only
        20 00 00 00 13 00 05 00 01 00 00 00 00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip rule show
    /// ```
    static let done = Capture(
        """
        # nlmsghdr: length, NLMSG_DONE, flags, sequence, port
        14 00 00 00 03 00 02 00 01 00 00 00 55 fb a6 90
        00 00 00 00
        """)

    /// The kernel's message after these commands.
    ///
    /// ```sh
    /// ip route show table 99  # which does not exist
    /// ```
    static let doneWithError = Capture(
        """
        # nlmsghdr: length, NLMSG_DONE, flags, sequence, port
        38 00 00 00 03 00 22 02 01 00 00 00 f1 b4 69 91
        fe ff ff ff 23 00 01 00 69 70 76 34 3a 20 46 49 42 20 74 61 62 6c 65 20 64 6f 65 73 20 6e 6f 74
        20 65 78 69 73 74 00 00
        """)
}
