// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import NetworkSimulation
import TestSupport
import Testing

@testable import DialtoneServer

@Suite(.real, .timeLimit(.minutes(10)))
struct CrowdTests {
    @Test func `with 500 listeners, one that never reads is disconnected and delays no other`() async throws {
        let clock = TestClock()
        let served = try await ServedNetwork(time: clock.timeSource) { $0.limits.writeTime = .seconds(20) }
        // It has a minimal receive buffer, and reads nothing after the head.
        let slow = try await served.listen(receiveBuffer: 2048)
        let crowd = try Crowd(500, port: served.port)
        try await crowd.wait(for: "\"connectivity\":\"online\"")
        // Few long events fill the kernel's buffers with less work than many short ones.
        let suffix = String(repeating: "x", count: 6000)
        var round = 0
        repeat {
            round += 1
            // A listener gets an event once the kernel has accepted everything before it. So whatever a listener that reads has not
            // accepted when the clock advances was sent after the previous advance, which is less than its time.
            clock.advance(by: .seconds(15))
            for number in 0..<10 {
                served.network.become(number.isMultiple(of: 2) ? .offline : .wifi("Net \(number)" + suffix))
            }
            served.network.become(round.isMultiple(of: 2) ? .offline(.noAddress) : .offline(.radioOff))
            try await crowd.wait(for: round.isMultiple(of: 2) ? "noAddress" : "radioOff")
            // The slow listener is sent more than the kernel buffers, and nothing is buffered for it here: its slot is free.
        } while try await !served.get("/metrics").body.contains("dialtone_event_streams 500\n")
        _ = try await slow.readToEnd()
        served.network.become(.offline(.dormant))
        try await crowd.wait(for: "requiresConnection")
        #expect(crowd.lost == 0)
    }
}
