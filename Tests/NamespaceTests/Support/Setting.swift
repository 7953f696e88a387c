// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport

/// The kernel's settings of the calling thread's namespace.
enum Setting {
    static func write(_ setting: String, _ value: Int) throws {
        try "\(value)".write(toFile: "/proc/sys/net/\(setting)", atomically: false, encoding: .utf8)
    }
}

extension Capability {
    /// Writable settings in a namespace: containers often mount them read-only.
    static let networkSettings = Capability("network settings") {
        try NetworkNamespace().run { try Setting.write("ipv4/conf/all/ignore_routes_with_linkdown", 0) }
    }

    /// Links with a program at the other end.
    static let tunnels = Capability("tun links") {
        try NetworkNamespace().run { _ = try TunLink(name: "probe") }
    }

    /// Nexthop objects: Linux 5.3.
    static let nextHopObjects = Capability("nexthop objects") {
        try NetworkNamespace().run {
            var kernel = try RouteNetlink()
            _ = try kernel.nextHops()
        }
    }
}
#endif
