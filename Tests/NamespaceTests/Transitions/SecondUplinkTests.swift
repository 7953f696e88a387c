// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// Two uplinks, the preferred of which loses its carrier: the path follows the kernel's choice.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct SecondUplinkTests {
    private let first = Seen.satisfied("ipv4", over: ["up0", "up1"], gateways: ["192.0.2.1"])
    private let secondOnly = Seen.satisfied("ipv4", over: ["up1"], gateways: ["198.51.100.1"])
    private let lost = Seen.unsatisfied(.noCarrier, on: "up0")

    private func twoUplinks() async throws -> (Lab, Echo) {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.cable("up1", addresses: ["198.51.100.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1", priority: 100)
            try kernel.addDefault(via: "198.51.100.1", priority: 600)
        }
        // Behind both routers there is one host, which answers.
        try await lab.changeStreet { kernel in
            try kernel.setLink(1, up: true)
            try kernel.add("203.0.113.7/32", to: 1)
            try kernel.add("192.0.2.1/24", to: try kernel.link(named: "far-up0").index)
            try kernel.add("198.51.100.1/24", to: try kernel.link(named: "far-up1").index)
        }
        let echo = try await lab.outside.run { try Echo(on: "203.0.113.7") }
        try await lab.expect(first)
        return (lab, echo)
    }

    @Test func `the kernel prefers the dead link, so there is no path`() async throws {
        let (lab, echo) = try await twoUplinks()
        try await lab.run { try #expect(echo.ask("before") == "before") }
        try await lab.setCarrier(of: "up0", false)
        try await lab.expect(lost)
        // That it does not arrive is known when a later one has.
        try await lab.run { _ = try echo.ask("lost", seconds: 0) }
        // The second uplink alone would work.
        let index = try await lab.change { try $0.link(named: "up0").index }
        try await lab.change { try $0.setLink(index, up: false) }
        try await lab.expect(secondOnly)
        try await lab.run { try #expect(echo.ask("after") == "after") }
        #expect(echo.received.values == ["before", "after"])
    }

    @Test(.requires(.networkSettings))
    func `a kernel that ignores routes over dead links uses the other one`() async throws {
        let (lab, echo) = try await twoUplinks()
        try await lab.set("ipv4/conf/all/ignore_routes_with_linkdown", 1)
        let (first, secondOnly) = (first, secondOnly)
        let away = try await lab.live.updates(until: { Seen($0) == secondOnly }) {
            try await lab.setCarrier(of: "up0", false)
        }
        #expect(away.map(Seen.init) == [secondOnly])
        try await lab.expect(secondOnly)
        try await lab.run { try #expect(echo.ask("other way") == "other way") }
        let back = try await lab.live.updates(until: { Seen($0) == first }) {
            try await lab.setCarrier(of: "up0", true)
        }
        #expect(back.map(Seen.init) == [first])
    }

    @Test func `a program that requires a type gets the uplink that works`() async throws {
        let (lab, _) = try await twoUplinks()
        let wired = try await lab.watch(PathFilter(requiredType: .wiredEthernet))
        #expect(Seen(wired.path) == first)
        try await lab.setCarrier(of: "up0", false)
        let secondOnly = secondOnly
        try await wired.path { Seen($0) == secondOnly }
    }
}
#endif
