// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// Each of the kernel's changes to an IPv4 uplink: exactly one path update for each.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct TransitionTests {
    private let good = Seen.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"])

    private func uplink() async throws -> (Lab, Int32) {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(good)
        return (lab, index)
    }

    @Test func `carrier is lost and regained`() async throws {
        let (lab, _) = try await uplink()
        let (good, lost) = (good, Seen.unsatisfied(.noCarrier, on: "up0"))
        let away = try await lab.live.updates(until: { Seen($0) == lost }) {
            try await lab.setCarrier(of: "up0", false)
        }
        #expect(away.map(Seen.init) == [lost])
        let back = try await lab.live.updates(until: { Seen($0) == good }) {
            try await lab.setCarrier(of: "up0", true)
        }
        #expect(back.map(Seen.init) == [good])
    }

    @Test func `the link is switched off`() async throws {
        let (lab, index) = try await uplink()
        let updates = try await lab.live.updates { try await lab.change { try $0.setLink(index, up: false) } }
        #expect(updates.map(Seen.init) == [.unsatisfied(.allDown, on: "up0")])
    }

    @Test func `the last address is deleted`() async throws {
        let (lab, index) = try await uplink()
        let updates = try await lab.live.updates {
            try await lab.change { try $0.deleteAddress("192.0.2.2/24", from: index) }
        }
        #expect(updates.map(Seen.init) == [.unsatisfied(.noAddress, on: "up0")])
    }

    @Test func `the link is deleted`() async throws {
        let (lab, index) = try await uplink()
        let updates = try await lab.live.updates { try await lab.change { try $0.deleteLink(index) } }
        #expect(updates.map(Seen.init) == [.unsatisfied(.noInterface)])
    }

    @Test func `the default route is replaced`() async throws {
        let (lab, index) = try await uplink()
        let updates = try await lab.live.updates {
            try await lab.change { kernel in
                try kernel.replaceRoute(NewRoute(.all(.ipv4), via: "192.0.2.9", interface: index))
            }
        }
        #expect(updates.map(Seen.init) == [.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.9"])])
    }

    @Test func `a second default route with another metric causes no update until the first is deleted`() async throws {
        let (lab, index) = try await uplink()
        let added = try await lab.live.updates {
            try await lab.change { try $0.addDefault(via: "192.0.2.9", on: index, priority: 500) }
        }
        #expect(added == [])
        let removed = try await lab.live.updates {
            try await lab.change { kernel in
                try kernel.deleteRoute(NewRoute(.all(.ipv4), via: "192.0.2.1", interface: index))
            }
        }
        #expect(removed.map(Seen.init) == [.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.9"])])
    }

    @Test func `a rejecting rule is added and deleted`() async throws {
        let (lab, _) = try await uplink()
        let rule = RuleMessage(family: .ipv4, action: .unreachable, priority: 100)
        let added = try await lab.live.updates { try await lab.change { try $0.addRule(rule) } }
        #expect(added.map(Seen.init) == [.unsatisfied(.routeUnreachable)])
        let removed = try await lab.live.updates { try await lab.change { try $0.deleteRule(rule) } }
        #expect(removed.map(Seen.init) == [good])
    }

    @Test func `the second family appears and disappears`() async throws {
        let (lab, index) = try await uplink()
        try await lab.addAddress("2001:db8::2/64", to: index)
        let route = NewRoute(.all(.ipv6), via: "2001:db8::1", interface: index)
        let added = try await lab.live.updates { try await lab.change { try $0.addRoute(route) } }
        #expect(
            added.map(Seen.init) == [
                .satisfied("ipv4", "ipv6", over: ["up0"], gateways: ["192.0.2.1", "2001:db8::1"])
            ])
        let removed = try await lab.live.updates { try await lab.change { try $0.deleteRoute(route) } }
        #expect(removed.map(Seen.init) == [good])
    }

    @Test func `the default route moves to another uplink`() async throws {
        let (lab, index) = try await uplink()
        try await lab.cable("up1", addresses: ["198.51.100.2/24"])
        let second = try await lab.live.updates {
            try await lab.change { try $0.addDefault(via: "198.51.100.1", priority: 600) }
        }
        #expect(second.map(Seen.init) == [.satisfied("ipv4", over: ["up0", "up1"], gateways: ["192.0.2.1"])])
        let moved = try await lab.live.updates { try await lab.change { try $0.setLink(index, up: false) } }
        #expect(moved.map(Seen.init) == [.satisfied("ipv4", over: ["up1"], gateways: ["198.51.100.1"])])
    }

    @Test func `a link is renamed`() async throws {
        let (lab, index) = try await uplink()
        // On older kernels a link must be down to be renamed, which removes its routes.
        let updates = try await lab.live.updates { try await lab.change { try $0.rename(index, to: "wan0") } }
        #expect(updates.map(Seen.init) == [.satisfied("ipv4", over: ["wan0"], gateways: ["192.0.2.1"])])
    }
}
#endif
