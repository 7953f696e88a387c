//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import DialtoneServer

/// Answers that are asked for and not fetched.
@Suite(.timeLimit(.minutes(2)))
struct UnsentTests {
    @Test func `what nobody fetches is bounded, and given back when it ends`() async throws {
        let served = try await ServedNetwork { $0.limits.unsentBytes = 1 }
        var reply = try await served.get("/style.css")
        #expect(reply.status == 200)
        do {
            // More answers than the kernel keeps for one who does not read.
            let greedy = try RawClient(served.port, receiveBuffer: 4096)
            for _ in 0..<200 { try greedy.send(RawClient.text(served.port, "GET", "/style.css")) }
            while reply.status == 200 { reply = try await served.get("/style.css") }
            #expect(reply.status == 503)
            #expect(reply.fields["retry-after"] != nil)
            // What is short is answered all the same.
            #expect(try await served.get("/healthz").status == 200)
            withExtendedLifetime(greedy) {}
        }
        while reply.status != 200 { reply = try await served.get("/style.css") }
    }

    @Test func `a long answer comes whole`() async throws {
        let served = try await ServedNetwork()
        #expect(try await served.get("/style.css").body == StyleSheet.text)
        #expect(try await served.get("/dashboard.js").body == Script.text)
    }
}
