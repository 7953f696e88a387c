// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// Requests that may not use the available network, with Foundation's session over a real path.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RestrictedSessionTests {
    @Test(arguments: ["expensive", "constrained", "ultra-constrained"])
    func `a request over a network that it may not use fails, and the error states why`(cost: String) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request("data", "--no-wait", "--\(cost)", "--no-\(cost)")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1009 \(Self.reason(cost))", "ends"])
        #expect(lab.server.requests.values.isEmpty)
    }

    @Test(arguments: ["expensive", "constrained", "ultra-constrained"])
    func `a request's own settings forbid a network, too`(cost: String) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request("data-request", "--no-wait", "--fail", "--\(cost)", "--request-no-\(cost)")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1009 \(Self.reason(cost))", "ends"])
        #expect(lab.server.requests.values.isEmpty)
    }

    private static func reason(_ cost: String) -> String { cost == "ultra-constrained" ? "ultraConstrained" : cost }

    @Test(arguments: [
        ["--expensive"], ["--constrained"], ["--no-expensive", "--no-constrained"],
        ["--expensive", "--no-constrained"],
    ])
    func `a network that is not forbidden is used`(options: [String]) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await CommandRun.start(
            .sessionClient, ["data", "http://203.0.113.1/", "--no-wait"] + options, in: lab.network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
    }

    @Test func `with waitsForConnectivity a request waits until the network is no longer expensive`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request("data", "--expensive", "--no-expensive", "--until-signal")
        _ = try await run.output.next { $0 == "waiting" }
        #expect(lab.server.requests.values.isEmpty)
        kill(run.identifier, SIGUSR1)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }
}
#endif
