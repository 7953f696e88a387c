// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import OpenNetwork
import TestSupport
import Testing

/// Changes that the kernel announces as settings or links, and never as routes.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct SettingTransitionTests {
    static func seen(_ family: AddressFamily, over links: [String], _ number: Int) -> Seen {
        .satisfied(
            family == .ipv4 ? "ipv4" : "ipv6", over: links,
            gateways: ["\(router(family, number))"])
    }

    private static func router(_ family: AddressFamily, _ number: Int) -> NetworkAddress {
        family == .ipv4
            ? NetworkAddress(192, 0, UInt8(number), 1) : NetworkAddress("2001:db8:\(number)::1") ?? .any(.ipv6)
    }

    /// Two uplinks with default routes of a family; the first has the better metric.
    private func twoUplinks(_ family: AddressFamily) async throws -> Lab {
        let lab = try await Lab()
        for number in 0...1 {
            let address: NetworkPrefix? =
                family == .ipv4 ? NetworkPrefix("192.0.\(number).2/24") : NetworkPrefix("2001:db8:\(number)::2/64")
            try await lab.cable("up\(number)", addresses: [try #require(address)])
            let gateway = Self.router(family, number)
            try await lab.change { try $0.addDefault(via: gateway, priority: UInt32(100 + number)) }
        }
        return lab
    }

    @Test(.requires(.networkSettings), arguments: [AddressFamily.ipv4, .ipv6], ["all", "up0"])
    func `routes without carrier are ignored from the moment of the setting`(
        family: AddressFamily, scope: String
    ) async throws {
        let lab = try await twoUplinks(family)
        try await lab.setCarrier(of: "up0", false)
        try await lab.expect(.unsatisfied(.noCarrier, on: "up0"))
        let setting = "\(family == .ipv4 ? "ipv4" : "ipv6")/conf/\(scope)/ignore_routes_with_linkdown"
        try await lab.set(setting, 1)
        try await lab.expect(Self.seen(family, over: ["up1"], 1))
        try await lab.set(setting, 0)
        try await lab.expect(.unsatisfied(.noCarrier, on: "up0"))
    }

    @Test(arguments: [AddressFamily.ipv4, .ipv6])
    func `a link's group that a rule suppresses`(family: AddressFamily) async throws {
        let lab = try await twoUplinks(family)
        let table = RouteTable(rawValue: 100)
        let (first, second) = (Self.seen(family, over: ["up0", "up1"], 0), Self.seen(family, over: ["up1"], 1))
        try await lab.change { kernel in
            let index = try kernel.link(named: "up0").index
            let gateway = Self.router(family, 0)
            try kernel.deleteRoute(NewRoute(.all(gateway.version), via: gateway, interface: index, priority: 100))
            try kernel.addDefault(via: gateway, on: index, table: table)
            try kernel.addRule(RuleMessage(family: family, table: table, priority: 100, suppressedLinkGroup: 7))
        }
        try await lab.expect(first)
        for (group, expected) in [(UInt32(7), second), (0, first)] {
            try await lab.change { try $0.setLink(try $0.link(named: "up0").index, group: group) }
            try await lab.expect(expected)
        }
    }
}
#endif
