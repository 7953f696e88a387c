// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import SystemSupport
@testable import Netlink

/// A tun link in the calling thread's namespace, with this object as the program at its other end.
final class TunLink: Sendable {
    let name: String
    private let reader: Descriptor

    init(name: String) throws {
        self.name = name
        reader = try Syscall.openFile("/dev/net/tun", flags: O_RDWR | O_NONBLOCK)
        // IFF_TUN | IFF_NO_PI (linux/if_tun.h).
        try Syscall.attachTun(reader, name: name, flags: 0x1001)
    }

    /// Creates a persistent link without a program at its other end.
    static func makeWithoutReader(name: String) throws {
        let link = try TunLink(name: name)
        try Syscall.setTunPersistent(link.reader)
    }
}
#endif
