// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct LinkTopologyTests {
    @Test func `only a loopback link`() async throws {
        let lab = try await Lab()
        try await lab.expect(.unsatisfied(.noInterface))
        try await lab.change { try $0.setLink(1, up: true) }
        try await lab.expect(.unsatisfied(.noInterface))
    }

    @Test func `a link that is switched off`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", isUp: false)
        try await lab.expect(.unsatisfied(.allDown, on: "up0"))
    }

    @Test func `a link without carrier`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", hasCarrier: false)
        try await lab.expect(.unsatisfied(.noCarrier, on: "up0"))
    }

    @Test func `after a cable is unplugged the routes stay, but there is no path`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        try await lab.setCarrier(of: "up0", false)
        try await lab.expect(.unsatisfied(.noCarrier, on: "up0"))
        let routes = try await lab.change { try $0.routes(.ipv4, table: .main).count }
        #expect(routes == 2)
        try await lab.setCarrier(of: "up0", true)
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
    }

    @Test func `an uplink that is switched off loses its IPv4 routes silently`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        try await lab.change { try $0.setLink(index, up: false) }
        try await lab.expect(.unsatisfied(.allDown, on: "up0"))
        try await lab.change { try $0.setLink(index, up: true) }
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test func `the only uplink is deleted`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        try await lab.change { try $0.deleteLink(index) }
        try await lab.expect(.unsatisfied(.noInterface))
    }

    @Test func `a link that waits for authentication requires a connection`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            try kernel.setLink(index, operationalState: .dormant)
        }
        try await lab.expect(.requiresConnection("up0"))
        try await lab.change { try $0.setLink(index, operationalState: .up) }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
    }

    @Test(.requires(.linkKind("bridge")))
    func `a bridge has the type of its port`() async throws {
        let lab = try await Lab()
        let port = try await lab.cable("port0")
        let bridge = try await lab.change { kernel in
            try kernel.createLink(.bridge(name: "br0"))
            let bridge = try kernel.link(named: "br0").index
            try kernel.setLink(port, controller: bridge)
            try kernel.setLink(bridge, up: true)
            try kernel.add("192.0.2.2/24", to: bridge)
            try kernel.addDefault(via: "192.0.2.1")
            return bridge
        }
        try await lab.expect(.satisfied("ipv4", over: ["br0"], gateways: ["192.0.2.1"]))
        #expect(lab.live.path.usedInterfaceTypes == [.wiredEthernet])
        #expect(lab.live.snapshot?.interface(bridge)?.type == .wiredEthernet)
        try await lab.setCarrier(of: "port0", false)
        try await lab.expect(.unsatisfied(.noCarrier, on: "br0"))
    }

    @Test(.requires(.linkKind("macvlan")))
    func `a macvlan on an uplink`() async throws {
        let lab = try await Lab()
        let lower = try await lab.cable("up0")
        try await lab.change { try $0.makeUplink(.macvlan(name: "mac0", on: lower)) }
        try await lab.expect(.satisfied("ipv4", over: ["mac0"], gateways: ["192.0.2.1"]))
        #expect(lab.live.path.usedInterfaceTypes == [.wiredEthernet])
    }

    @Test(.requires(.linkKind("vlan")))
    func `a VLAN on an uplink`() async throws {
        let lab = try await Lab()
        let lower = try await lab.cable("up0")
        try await lab.change { try $0.makeUplink(.vlan(name: "up0.7", on: lower, identifier: 7)) }
        try await lab.expect(.satisfied("ipv4", over: ["up0.7"], gateways: ["192.0.2.1"]))
        #expect(lab.live.path.usedInterfaceTypes == [.wiredEthernet])
    }

    @Test(.requires(.linkKind("dummy")))
    func `a dummy link with the default route gives a path, because the kernel uses it`() async throws {
        let lab = try await Lab()
        try await lab.change { try $0.makeUplink(.dummy(name: "nil0")) }
        try await lab.expect(.satisfied("ipv4", over: ["nil0"], gateways: ["192.0.2.1"]))
        #expect(lab.live.path.usedInterfaceTypes == [.other])
    }

    @Test(.requires(.linkKind("bridge")))
    func `a container bridge beside a working uplink changes nothing`() async throws {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        let good = Seen.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"])
        try await lab.expect(good)
        let updates = try await lab.live.updates {
            try await lab.makeContainerBridge("docker0", address: "172.17.0.1/16")
            try await lab.startContainer("veth1", on: "docker0")
        }
        #expect(updates == [])
        try await lab.expect(good)
    }

    @Test(.requires(.linkKind("bridge")))
    func `a container bridge alone gives no path`() async throws {
        let lab = try await Lab()
        try await lab.makeContainerBridge("docker0", address: "172.17.0.1/16")
        try await lab.expect(.unsatisfied(.noRoute))
    }

    @Test(.requires(.tunnels))
    func `a tunnel with a program attached`() async throws {
        let lab = try await Lab()
        let tunnel = try await lab.run { try Tunnel(name: "tun0", carrying: .packets) }
        try await lab.change { kernel in
            let index = try kernel.link(named: "tun0").index
            try kernel.setLink(index, up: true)
            try kernel.add("10.8.0.2/24", to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: index))
        }
        try await lab.expect(.satisfied("ipv4", over: ["tun0"]))
        #expect(lab.live.path.usedInterfaceTypes == [.other])
        withExtendedLifetime(tunnel) {}
    }

    @Test(.requires(.tunnels))
    func `a tunnel without a program attached`() async throws {
        let lab = try await Lab()
        try await lab.run { try Tunnel.createPersistentLink(name: "tun0", carrying: .packets) }
        try await lab.change { kernel in
            let index = try kernel.link(named: "tun0").index
            try kernel.setLink(index, up: true)
            try kernel.add("10.8.0.2/24", to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: index))
        }
        try await lab.expect(.unsatisfied(.noCarrier, on: "tun0"))
    }
}
#endif
