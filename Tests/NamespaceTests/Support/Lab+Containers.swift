// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import TestSupport

extension Lab {
    /// Creates a bridge as container runtimes do.
    func makeContainerBridge(_ name: String, address: NetworkPrefix) async throws {
        try await change { kernel in
            try kernel.createLink(.bridge(name: name))
            let bridge = try kernel.link(named: name).index
            try kernel.add(address, to: bridge)
            try kernel.setLink(bridge, up: true)
        }
    }

    /// Creates a port of such a bridge, with a container at its other end.
    func startContainer(_ name: String, on bridge: String) async throws {
        let outside = outside
        try await change { kernel in
            try kernel.createLink(.veth(name: name, peer: "far-\(name)"))
            let port = try kernel.link(named: name).index
            try kernel.setLink(port, controller: try kernel.link(named: bridge).index)
            try kernel.setLink(try kernel.link(named: "far-\(name)").index, namespace: outside)
            try kernel.setLink(port, up: true)
        }
        try await setCarrier(of: name, true)
        // The container counts as started once the kernel has announced the carrier, which takes a moment.
        try await live.snapshot { $0.interface(named: name)?.isRunning == true }
    }

    /// Stops a container.
    func stopContainer(_ name: String) async throws {
        try await change { try $0.deleteLink(try $0.link(named: name).index) }
    }
}

extension RouteNetlink {
    /// Configures a link as uplink, with the address 192.0.2.2 and the router 192.0.2.1.
    mutating func makeUplink(_ link: NewLink) throws {
        try createLink(link)
        let index = try self.link(named: link.name).index
        try setLink(index, up: true)
        try add("192.0.2.2/24", to: index)
        try addDefault(via: "192.0.2.1", on: index)
    }
}
#endif
