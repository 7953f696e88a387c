// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation

/// A netlink socket that has joined groups, from `/proc/net/netlink`.
struct ListeningSocket {
    let port: UInt32
    /// The number of messages lost because its buffer was full.
    let drops: Int

    /// The sockets of the calling thread's namespace.
    static func all() throws -> [ListeningSocket] {
        let lines = try String(contentsOfFile: "/proc/thread-self/net/netlink", encoding: .utf8).split(separator: "\n")
        return lines.dropFirst().compactMap { line in
            // sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode; protocol 0 is NETLINK_ROUTE.
            let words = line.split(separator: " ")
            guard words.count > 8, words[1] == "0", let groups = UInt32(words[3], radix: 16), groups != 0,
                let port = UInt32(words[2]), let drops = Int(words[8])
            else { return nil }
            return ListeningSocket(port: port, drops: drops)
        }
    }
}
#endif
