// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// Responses that clients request but do not read.
@Suite(.timeLimit(.minutes(2)))
struct UnsentTests {
    @Test func `unread responses are bounded, and released when the connection ends`() async throws {
        let served = try await ServedNetwork { $0.limits.unsentBytes = 1 }
        var reply = try await served.get("/style.css")
        #expect(reply.status == 200)
        do {
            // More responses than the kernel buffers for a client that does not read.
            let greedy = try RawClient(served.port, receiveBuffer: 4096)
            for _ in 0..<200 { try greedy.send(RawClient.text(served.port, "GET", "/style.css")) }
            try await eventually {
                // While this client's own responses are sent, the others may be refused, and be short.
                for _ in 0..<20 { try greedy.send(RawClient.text(served.port, "GET", "/style.css")) }
                reply = try await served.get("/style.css")
                return reply.status != 200
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
