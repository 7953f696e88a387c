// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport

/// A namespace with one uplink, `up0`, whose cable can be pulled.
struct Uplink {
    let namespace: NetworkNamespace
    /// Holds the other end of the cable.
    private let router: NetworkNamespace

    init() throws {
        let (namespace, router) = (try NetworkNamespace(), try NetworkNamespace())
        try namespace.run {
            var kernel = try RouteNetlink()
            try kernel.createLink(.veth(name: "up0", peer: "far0"))
            try kernel.setLink(kernel.link(named: "far0").index, namespace: router)
        }
        self.namespace = namespace
        self.router = router
    }

    /// Connects the cable, gives the uplink an address and a gateway, and waits until the kernel has reported the
    /// carrier, which it does with a delay.
    func connect() async throws {
        let events = try RouteEvents([.link], in: namespace)
        try plugCable()
        try await namespace.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "up0").index
            try kernel.setLink(index, up: true)
            try kernel.addAddress("192.0.2.2/24", to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: index))
        }
        for try await case .message(.newLink(let link)) in events
        where link.name == "up0" && link.flags.contains(.running) { return }
    }

    func plugCable() throws { try setFarEnd(up: true) }

    func pullCable() throws { try setFarEnd(up: false) }

    /// Pulls the cable, and waits until the kernel has reported that.
    func loseCarrier() async throws {
        let events = try RouteEvents([.link], in: namespace)
        try pullCable()
        for try await case .message(.newLink(let link)) in events
        where link.name == "up0" && !link.flags.contains(.running) { return }
    }

    private func setFarEnd(up: Bool) throws {
        try router.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(kernel.link(named: "far0").index, up: up)
        }
    }
}
