// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// The request of the page's button, on the wire: only the expected answer means online; `PlainRequestTests` has more of them.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct ServeRequestTests {
    /// A situation that begins after the machine was verified to be online.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var url = "http://203.0.113.1/data"
        let behavior: ScriptedInternet.Behavior
        let outcome: String
        /// The title in the page's section.
        let title: String
        let connectivity: String
    }

    private static func data(_ response: ScriptedInternet.Response) -> ScriptedInternet.Behavior {
        .init { $0.path == "/data" ? response : ScriptedInternet.Behavior.success($0) }
    }

    private static let signIn = "Sign in to the network"

    static let cases = [
        Case(
            testDescription: "JSON", behavior: .servingData, outcome: "delivered", title: "Online",
            connectivity: "online"),
        Case(
            testDescription: "an exact body", url: "http://203.0.113.1/success.txt body:success", behavior: .online,
            outcome: "delivered", title: "Online", connectivity: "online"),
        Case(
            testDescription: "a redirect to a login page", behavior: .portal(.redirect), outcome: "captivePortal",
            title: signIn, connectivity: "captivePortal"),
        Case(
            testDescription: "a portal's certificate", url: "https://203.0.113.1/data",
            behavior: .portal(.redirect, https: .untrusted), outcome: "captivePortal", title: signIn,
            connectivity: "captivePortal"),
        Case(
            testDescription: "an untrusted certificate alone", url: "https://203.0.113.1/data",
            behavior: .init(https: .untrusted), outcome: "tlsFailure", title: "No secure connection",
            connectivity: "online"),
        Case(
            testDescription: "half of a JSON text", behavior: data(.answer(200, body: "{\"data\":")),
            outcome: "unexpectedBody", title: "Failed to parse JSON", connectivity: "online"),
        Case(
            testDescription: "an error of the server", behavior: data(.answer(503)), outcome: "serverError",
            title: "The server has a problem", connectivity: "online"),
    ]

    @Test(arguments: cases)
    func `online is concluded only from the expected answer`(example: Case) async throws {
        let lab = try await ServeLab(.online)
        try await lab.network.join()
        let serving = try await lab.serveAtRest(["--request-url", example.url])
        let events = try await serving.events()
        _ = try await events.read(until: "\"connectivity\":\"online\"")
        lab.internet.play(example.behavior)
        #expect(try await serving.submit("/request", "action=start").status == 303)
        let end = try await events.read(until: "\"outcome\":\"\(example.outcome)\"")
        // No other outcome comes first, not even for a moment.
        #expect(end.matches(of: /"outcome":"/).count == 1, "\(end)")
        #expect(
            try #require(try await serving.get("/api/status").object)["connectivity"] as? String == example.connectivity
        )
        let page = try await serving.get("/").body
        #expect(page.contains(">\(example.title)</p>"), "\(page)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test(.requires(.mounts)) func `the request waits while the name servers are silent, and the page is not online`()
        async throws
    {
        let lab = try await ServeLab(.servingData)
        let names = ScriptedResolver(otherwise: .addresses("203.0.113.1"))
        let nameServer = try await lab.network.internet.run {
            try ScriptedNameServer(playing: names, address: "203.0.113.53")
        }
        let mounts = try await OwnMounts(nameServer: "203.0.113.53")
        try await lab.network.join()
        let serving = try await lab.serve(
            only: [
                "serve", "--endpoint", "http://server.example/generate_204", "--interval", "600",
                "--listen", "127.0.0.1:0", "--data-dir", lab.directory.path,
                "--request-url", "http://server.example/data",
            ], among: mounts)
        let events = try await serving.events()
        _ = try await events.read(until: "\"connectivity\":\"online\"")
        names.play(.silence)
        #expect(try await serving.submit("/request", "action=start").status == 303)
        var text = try await events.read(until: "\"state\":\"waiting\"")
        if !text.contains("\"connectivity\":\"limited\"") {
            text += try await events.read(until: "\"connectivity\":\"limited\"")
        }
        #expect(text.contains("\"ended\":null") && !text.contains("\"ended\":\""), "\(text)")
        names.play(.addresses("203.0.113.1"))
        _ = try await events.read(until: "\"outcome\":\"delivered\"")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
        withExtendedLifetime((nameServer, mounts)) {}
    }
}
#endif
