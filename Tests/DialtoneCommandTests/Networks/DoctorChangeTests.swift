// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// `dialtone doctor` while the network changes.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct DoctorChangeTests {
    @Test func `what was asked over a network that was left is not reported`() async throws {
        let lab = try await FaultLab()
        try await lab.join()
        let (queries, continuation) = AsyncStream.makeStream(of: Void.self)
        lab.wires.lan.play { packet in
            guard packet.isOutward, packet.hasPort(53) else { return .pass }
            continuation.yield()
            return .drop
        }
        let run = try await lab.served.run(["doctor", "--json"])
        for await _ in queries { break }
        try await lab.served.network.setCable(connected: false)
        _ = try await run.exitStatus()
        #expect(run.output.values.first?.contains(#""cause":"noCarrier""#) == true, "\(run.output.values)")
    }
}
