// SPDX-License-Identifier: Apache-2.0

import NetworkModel
import Synchronization
import TestSupport
import Testing

/// Tests the packets of a check outside a VPN.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct VPNPrivacyTests {
    @Test func `outside a dead VPN, only the router is asked`() async throws {
        let lab = try await FaultLab(resolver: "10.8.0.1")
        try await lab.join()
        let wire = try await lab.startVPN(.halves)
        wire.play { _ in .drop }
        let seen = Mutex<Set<NetworkAddress>>([])
        lab.wires.lan.play { packet in
            if packet.isOutward, !packet.isNeighborDiscovery, let destination = packet.destination {
                seen.withLock { _ = $0.insert(destination) }
            }
            return .pass
        }
        let run = try await lab.served.run(["doctor", "--json"])
        _ = try await run.exitStatus()
        #expect(run.output.values.first?.contains(#""fault":"tunnel""#) == true, "\(run.output.values)")
        // The kernel itself reports its groups.
        let hosts: Set<NetworkAddress> = seen.withLock { $0.filter { !$0.isMulticast } }
        #expect(hosts == ["192.0.2.1", "fe80::1"])
    }
}
