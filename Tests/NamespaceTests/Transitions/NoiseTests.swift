// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// Changes that do not affect the path cause no update.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct NoiseTests {
    private func uplink() async throws -> (Lab, Int32) {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            try kernel.addDefault(via: "2001:db8::1")
        }
        try await lab.live.path { $0.supportsIPv4 && $0.supportsIPv6 }
        try await lab.checkOfAddresses()
        return (lab, index)
    }

    @Test(.requires(.linkKind("bridge")))
    func `containers starting and stopping`() async throws {
        let (lab, _) = try await uplink()
        let updates = try await lab.live.updates {
            try await lab.makeContainerBridge("docker0", address: "172.17.0.1/16")
            for round in 1...3 {
                try await lab.startContainer("veth\(round)", on: "docker0")
                try await lab.stopContainer("veth\(round)")
            }
        }
        #expect(updates == [])
    }

    @Test func `renewed addresses`() async throws {
        let (lab, index) = try await uplink()
        let snapshots = lab.live.snapshotCount
        let updates = try await lab.live.updates {
            for lifetime: UInt32 in 1000...1010 {
                try await lab.change { kernel in
                    try kernel.renew("192.0.2.2/24", on: index, lifetime: lifetime)
                    try kernel.renew("2001:db8::2/64", on: index, lifetime: lifetime)
                }
            }
        }
        #expect(updates == [])
        // Not even the state is published again: the only two reports are the marks.
        #expect(lab.live.snapshotCount == snapshots + 2)
    }

    @Test func `a link's other properties`() async throws {
        let (lab, index) = try await uplink()
        let snapshots = lab.live.snapshotCount
        let updates = try await lab.live.updates {
            for size: UInt32 in [1400, 1500, 1400, 1500] { try await lab.change { try $0.setSize(of: index, size) } }
        }
        #expect(updates == [])
        #expect(lab.live.snapshotCount == snapshots + 2)
    }

    @Test func `routes to other networks`() async throws {
        let (lab, index) = try await uplink()
        let snapshots = lab.live.snapshotCount
        let updates = try await lab.live.updates {
            try await lab.change { kernel in
                for number: UInt8 in 0..<200 {
                    let network = NetworkPrefix(NetworkAddress(10, number, 0, 0), length: 16) ?? .all(.ipv4)
                    try kernel.addRoute(NewRoute(network, via: "192.0.2.1", interface: index))
                }
                for network: NetworkPrefix in ["2001:db8:1::/48", "fd00::/8"] {
                    try kernel.addRoute(NewRoute(network, via: "2001:db8::1", interface: index))
                }
            }
        }
        #expect(updates == [])
        #expect(lab.live.snapshotCount == snapshots + 2)
    }

    @Test func `another link that is plugged in but not used`() async throws {
        let (lab, _) = try await uplink()
        let updates = try await lab.live.updates {
            try await lab.cable("spare0", addresses: ["198.51.100.2/24"])
            try await lab.change { try $0.deleteLink(try $0.link(named: "spare0").index) }
        }
        #expect(updates == [])
    }

    @Test func `rules for other packets`() async throws {
        let (lab, _) = try await uplink()
        let rule = RuleMessage(
            family: .ipv4, table: RouteTable(rawValue: 77), priority: 50, source: "198.51.100.0/24")
        let updates = try await lab.live.updates {
            try await lab.change { kernel in
                try kernel.addRule(rule)
                try kernel.deleteRule(rule)
            }
        }
        #expect(updates == [])
    }
}
#endif
