// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

/// The hops that the server queries when a check fails.
@Suite(.requires(.networkNamespaces))
struct DiagnosisTests {
    @Test func `behind a dead uplink the page says that the router answers, and forgets it once the uplink is back`()
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        let events = try await serving.events()
        _ = try await events.read(until: "\"online\"")
        try lab.network.setUplink(up: false)
        _ = try await events.read(until: "event: diagnosis")
        let page = try await serving.get("/").body
        #expect(page.contains("data-hop=\"router\" data-standing=\"works\""), "\(page)")
        #expect(page.contains("data-hop=\"internet\" data-standing=\"broken\""), "\(page)")
        #expect(page.contains("The router answers, but nothing beyond it does"), "\(page)")

        try lab.network.setUplink(up: true)
        while try await !serving.get("/").body.contains("Every hop answers.") {
            _ = try await events.read(until: "\n\n")
        }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }
}
#endif
