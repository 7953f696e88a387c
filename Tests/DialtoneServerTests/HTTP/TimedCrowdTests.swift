// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// Timed: a quarter of a million events keep every thread of the runtime busy; other tests would wait for their servers.
@Suite(.timeLimit(.minutes(5)))
struct TimedCrowdTests {
    @Test func `with 500 listeners, one that never reads delays no other`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.writeTime = .seconds(2)
            configuration.heartbeat = .milliseconds(500)
        }
        // It has a minimal receive buffer, and reads nothing after the head.
        let slow = try await served.listen(receiveBuffer: 2048)
        let crowd = try Crowd(500, port: served.port)
        try await crowd.wait(for: "\"connectivity\":\"online\"")
        // The rounds let the other listeners keep up. The slow one is sent more than the kernel buffers.
        for round in 1...8 {
            for number in 0..<60 {
                served.network.become(number.isMultiple(of: 2) ? .offline : .wifi("Net \(number)"))
            }
            served.network.become(round.isMultiple(of: 2) ? .offline(.noAddress) : .offline(.radioOff))
            try await crowd.wait(for: round.isMultiple(of: 2) ? "noAddress" : "radioOff")
        }
        try #require(crowd.lost == 0)
        // Nothing is buffered for the slow listener: it is disconnected, and its slot is free.
        try await eventually { try await served.get("/metrics").body.contains("dialtone_event_streams 500\n") }
        _ = try await slow.readToEnd()
        #expect(try await served.get("/healthz").status == 200)
    }
}
