// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// Responses that clients request but do not read.
@Suite(.real, .timeLimit(.minutes(2)))
struct UnsentTests {
    @Test func `unread responses are bounded, and released when the connection ends`() async throws {
        let served = try await ServedNetwork { $0.limits.unsentBytes = 1 }
        var reply = try await served.get("/style.css")
        #expect(reply.status == 200)
        do {
            // More responses than the kernel buffers for a client that does not read.
            func startGreedyClient() throws -> RawClient {
                let client = try RawClient(served.port, receiveBuffer: 4096)
                for _ in 0..<200 { try client.send(RawClient.text(served.port, "GET", "/style.css")) }
                return client
            }
            var greedy = try startGreedyClient()
            try await eventually {
                for _ in 0..<100 {
                    reply = try await served.get("/style.css")
                    if reply.status != 200 { return true }
                }
                // Its response that waits for the kernel may be a refusal, which is short and counts nothing.
                greedy = try startGreedyClient()
                return false
            }
            #expect(reply.status == 503)
            #expect(reply.fields["retry-after"] != nil)
            // Short responses are still sent.
            #expect(try await served.get("/healthz").status == 200)
            withExtendedLifetime(greedy) {}
        }
        try await eventually { try await served.get("/style.css").status == 200 }
    }

    @Test func `a long response is complete`() async throws {
        let served = try await ServedNetwork()
        #expect(try await served.get("/style.css").body == String(decoding: Asset.style.bytes, as: UTF8.self))
        #expect(try await served.get("/dashboard.js").body == String(decoding: Asset.script.bytes, as: UTF8.self))
    }
}
