// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Netlink
import TestSupport
import Testing

/// A request that waits for a verified Internet, behind a login page.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct VerifiedSessionTests {
    @Test(arguments: ScriptedInternet.Behavior.Portal.allCases)
    func `behind a login page a request waits, reports it once, and completes after the login`(
        portal: ScriptedInternet.Behavior.Portal
    ) async throws {
        let network = try RoutedLab()
        let internet = try await network.internet.run {
            try ScriptedInternet(.portal(portal), address: "203.0.113.1", httpPort: 80)
        }
        try await network.join()
        let run = try await CommandRun.start(
            .sessionClient, ["verified", "http://203.0.113.1/data", "--no-wait"], in: network.client)
        // The first reason may be that no check has run yet; the check's requests show when it reached the portal.
        _ = try await run.output.next { $0.hasPrefix("reason") }
        await internet.waitForConnections(2)
        #expect(!internet.requests.contains { $0.path == "/data" })
        internet.play(
            ScriptedInternet.Behavior { request in
                request.path == "/data" ? .answer(200, body: "hello") : ScriptedInternet.Behavior.success(request)
            })
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values.filter { $0.hasPrefix("reason") }.count == 1)
        #expect(Array(run.output.values.suffix(2)) == ["status 200 hello", "ends"])
        #expect(internet.requests.filter { $0.path == "/data" }.count == 1)
    }
}
#endif
