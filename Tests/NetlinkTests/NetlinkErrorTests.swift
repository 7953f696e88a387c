// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import Testing

@testable import Netlink

struct NetlinkErrorTests {
    static let texts: [(NetlinkError, String)] = [
        (
            NetlinkError(
                .kernel, operation: "RTM_NEWROUTE ::/0", errno: .networkUnreachable,
                message: "Nexthop has invalid gateway"),
            "RTM_NEWROUTE ::/0: Network is unreachable (Nexthop has invalid gateway)"
        ),
        (NetlinkError(SystemError(1), operation: "socket"), "socket: Operation not permitted"),
        (NetlinkError(.timedOut, operation: "recvfrom"), "recvfrom: timedOut"),
        (.truncated("4 bytes at 8", available: 9), "reading: truncated (4 bytes at 8 where there are 9)"),
    ]

    @Test(arguments: texts) func `an error's description is one line`(error: NetlinkError, text: String) {
        #expect(error.description == text)
    }

    @Test func `an unknown error number is kept and described`() {
        #expect(Errno(rawValue: 12345).description.contains("12345"))
    }
}
