// SPDX-License-Identifier: Apache-2.0

import CBench
import Glibc
import Netlink
import NetlinkTesting

struct BenchError: Error, CustomStringConvertible {
    let description: String
    /// The exit status of the driver.
    let status: Int32
    init(_ description: String, status: Int32 = 1) { (self.description, self.status) = (description, status) }
}

/// A namespace with one uplink, `up0`, 192.0.2.2 with the router 192.0.2.1; the cable's other end is in another namespace.
///
/// IPv6 is off by default: the kernel's own IPv6 work would show in every figure. The calling thread moves into the namespace,
/// and so do the programs that it starts.
final class Lab {
    private var kernel: RouteNetlink
    let far: NetworkNamespace
    private let number: Int32
    let link: Int32
    private let address = NetworkPrefix("192.0.2.2/24")
    private var bridge: Int32 = 0
    private let bridgeAddress = NetworkPrefix("198.51.100.1/24")
    let gateway = NetworkAddress(192, 0, 2, 1)

    init(hasIPv6: Bool = false) throws {
        let error = bench_new_namespace()
        guard error == 0 else {
            let reason = String(cString: strerror(error))
            throw BenchError("No network namespace: \(reason). Run it through Scripts/in-user-namespace.")
        }
        number = bench_namespace()
        for which in hasIPv6 ? [] : ["all", "default"] {
            guard let file = fopen("/proc/sys/net/ipv6/conf/\(which)/disable_ipv6", "w") else { continue }
            fputs("1", file)
            fclose(file)
        }
        far = try NetworkNamespace()
        kernel = try RouteNetlink()
        try kernel.setLink(1, up: true)
        try kernel.createLink(.veth(name: "up0", peer: "far0"))
        link = try kernel.link(named: "up0").index
        try kernel.setLink(kernel.link(named: "far0").index, namespace: far)
        var other = try RouteNetlink(in: far)
        try other.setLink(other.link(named: "far0").index, up: true)
        try addAddress()
        try setLink(up: true)
        try addDefault()
    }

    deinit { close(number) }

    /// Moves the thread into this namespace, if there are several.
    func enter() { bench_enter(number) }

    func addDefault() throws { try kernel.addRoute(NewRoute(.all(.ipv4), via: gateway)) }

    func deleteDefault() throws { try kernel.deleteRoute(NewRoute(.all(.ipv4), via: gateway)) }

    func addAddress() throws {
        if let address { try kernel.addAddress(address, to: link) }
    }

    func deleteAddress() throws {
        if let address { try kernel.deleteAddress(address, from: link) }
    }

    /// Adds addresses to the link.
    func addAddresses(_ count: Int) throws {
        for number in 0..<count {
            let address = NetworkAddress(10, UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255))
            try kernel.addAddress(NetworkPrefix(host: address), to: link)
        }
    }

    /// Adds a link to a container, which is the other end, in another namespace.
    func addContainer(_ number: Int) throws {
        try kernel.createLink(.veth(name: "c\(number)", peer: "p\(number)"))
        try kernel.setLink(kernel.link(named: "p\(number)").index, namespace: far)
        try kernel.setLink(kernel.link(named: "c\(number)").index, up: true)
        var other = try RouteNetlink(in: far)
        try other.setLink(other.link(named: "p\(number)").index, up: true)
    }

    func deleteContainer(_ number: Int) throws { try kernel.deleteLink(kernel.link(named: "c\(number)").index) }

    /// Adds a bridge without ports, as of containers.
    func addBridge() throws {
        try kernel.createLink(.bridge(name: "br0"))
        bridge = try kernel.link(named: "br0").index
        try kernel.setLink(bridge, up: true)
    }

    func addBridgeAddress() throws {
        if let bridgeAddress { try kernel.addAddress(bridgeAddress, to: bridge) }
    }

    func deleteBridgeAddress() throws {
        if let bridgeAddress { try kernel.deleteAddress(bridgeAddress, from: bridge) }
    }

    /// Switches the uplink on or off; after switching it on, waits for its carrier.
    func setLink(up: Bool) throws {
        try kernel.setLink(link, up: up)
        while up, try !kernel.link(named: "up0").flags.contains(.running) { usleep(500) }
    }

    /// Adds or deletes routes to that many networks.
    func flood(add: Bool, _ count: Int, from first: Int = 0) throws {
        let error = bench_flood(add ? 1 : 0, UInt32(first), UInt32(count), 0xC000_0201, link)
        guard error == 0 else { throw BenchError("Cannot add or delete routes: \(String(cString: strerror(error)))") }
    }
}
