//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// Requests that may not use what there is, with Foundation's session over a real path.
@Suite(.requires(.networkNamespaces))
struct RestrictedSessionTests {
    @Test(arguments: ["expensive", "constrained"])
    func `a network that may not be used is refused, and the error says why`(cost: String) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request("data", "--no-wait", "--\(cost)", "--no-\(cost)")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1009 \(cost)", "ends"])
        #expect(lab.server.requests.values.isEmpty)
    }

    @Test(arguments: [
        ["--expensive"], ["--constrained"], ["--no-expensive", "--no-constrained"],
        ["--expensive", "--no-constrained"],
    ])
    func `what is not forbidden is used`(options: [String]) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await CommandRun.start(
            .sessionClient, ["data", "http://203.0.113.1/", "--no-wait"] + options, in: lab.network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
    }

    @Test func `with waitsForConnectivity it is waited out until the network costs nothing any more`() async throws {
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
