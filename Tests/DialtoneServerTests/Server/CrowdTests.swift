//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneTesting
import Foundation
import Testing

@testable import DialtoneServer

struct CrowdTests {
    @Test func `five hundred listen, and one that never reads delays nobody`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.writeTime = .seconds(2)
            configuration.heartbeat = .milliseconds(500)
        }
        // It reads the head, and then nothing any more, with next to no room in its kernel.
        let slow = try await served.listen(receiveBuffer: 2048)
        let crowd = try Crowd(500, port: served.port)
        try await crowd.wait(for: "\"connectivity\":\"online\"")
        // Round by round, so that nobody but the slow one falls behind: it gets more than kernels keep for it.
        for round in 1...8 {
            for number in 0..<60 {
                served.network.become(number.isMultiple(of: 2) ? .offline : .wifi("Net \(number)"))
            }
            served.network.become(round.isMultiple(of: 2) ? .offline(.noAddress) : .offline(.radioOff))
            try await crowd.wait(for: round.isMultiple(of: 2) ? "noAddress" : "radioOff")
        }
        #expect(crowd.lost == 0)
        // Nothing is kept for the slow one: it is cut off, and its place is free.
        while !(try await served.get("/metrics").body.contains("dialtone_event_streams 500\n")) {
            try await Task.sleep(for: .milliseconds(50))
        }
        _ = try await slow.readToEnd()
        #expect(try await served.get("/healthz").status == 200)
    }
}
