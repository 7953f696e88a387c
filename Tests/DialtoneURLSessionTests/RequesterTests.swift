// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import TestSupport
import Testing

/// The loop of a "Request data" button, with Foundation's session and a real server behind a router.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RequesterTests {
    @Test func `the status is offline, then online, then a server error`() async throws {
        let isFirst = Once()
        let lab = try SessionLab { _ in
            isFirst.take() ? .respond(status: 200, body: #"{"degrees":21}"#) : .respond(status: 503, body: "{}")
        }
        let run = try await lab.request("requester", "--no-wait")
        _ = try await run.output.next { $0.hasPrefix("offline") }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        let checking = "checking: The request is under way."
        #expect(
            run.output.values == [
                "begins", "unknown: Request data to find out.", checking,
                "offline: up0 is switched off.", checking,
                "online: Based upon your last request, you are online.", checking,
                "serverTrouble: Your connection works. Please try again later. (503)", "values none 21 none", "ends",
            ])
        #expect(lab.server.requests.values.count == 2)
    }
}
#endif
