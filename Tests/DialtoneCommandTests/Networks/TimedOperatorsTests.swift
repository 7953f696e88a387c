// SPDX-License-Identifier: Apache-2.0

import NetworkModel
import TestSupport
import Testing

/// The hosts that a check contacts: without answers within a second it begins to look for a fault.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct TimedOperatorsTests {
    @Test func `while all is well, only operators and the name server are contacted`() async throws {
        let lab = try await FaultLab()
        try await lab.join()
        let contacted = Recorder<NetworkAddress>()
        lab.wires.lan.play { packet in
            if packet.isOutward, !packet.isNeighborDiscovery, let destination = packet.destination,
                !destination.isMulticast
            {
                contacted.record(destination)
            }
            return .pass
        }
        for command in ["status", "check"] {
            #expect(try await lab.served.run([command]).exitStatus() == 0)
        }
        let operators = FaultLab.hosts.values.flatMap { ["203.0.113.\($0)", "2001:db8:2::\($0)"] }
        let allowed = Set((operators + ["203.0.113.53"]).compactMap { NetworkAddress($0) })
        #expect(!contacted.values.isEmpty)
        #expect(Set(contacted.values).subtracting(allowed) == [])
    }
}
