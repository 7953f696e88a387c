// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CLinux
import Glibc
import Netlink

/// A netlink socket that sends forged messages.
struct Spoofer {
    /// RTM_DELROUTE of an IPv4 default route: `struct nlmsghdr`, `struct rtmsg`.
    static let deletedDefaultRoute: [UInt8] = [
        28, 0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        2, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0,
    ]

    /// Sends to another socket of the calling thread's namespace, by its port.
    func send(_ bytes: [UInt8], to port: UInt32) throws {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var destination = sockaddr_nl()
        destination.nl_family = sa_family_t(AF_NETLINK)
        destination.nl_pid = port
        let sent = withUnsafePointer(to: &destination) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard sent == bytes.count else { throw NetlinkError.Errno(rawValue: errno) }
    }
}
#endif
