// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport

extension Capability {
    /// Writable settings in a namespace: containers often mount them read-only.
    static let networkSettings = Capability("network settings") {
        try NetworkNamespace().run { try Setting.write("ipv4/conf/all/ignore_routes_with_linkdown", 0) }
    }

    /// Links with a program at the other end.
    static let tunnels = Capability("tun links") {
        try NetworkNamespace().run { _ = try Tunnel(name: "probe", carrying: .packets) }
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
