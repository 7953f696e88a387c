// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

/// Requests without a path, in sessions that fail at once.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct FailingSessionTests {
    private static let urls = ["http://203.0.113.1/", "http://does-not-matter.example/", "http://[2001:db8::1]/"]

    @Test(arguments: ["data", "shared"], urls)
    func `a request without a path fails with -1009`(style: String, url: String) async throws {
        let lab = try SessionLab()
        let run = try await CommandRun.start(
            .sessionClient, [style, url, "--no-wait", "--fail"], in: lab.network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1009 -", "ends"])
    }

    @Test(arguments: ["default", "ephemeral", "shared"])
    func `Apple-style source fails at once without a path, and succeeds with one`(style: String) async throws {
        let lab = try SessionLab()
        let offline = try await CommandRun.start(
            .appleSessionClient, [style, "http://does-not-matter.example/"], in: lab.network.client)
        #expect(try await offline.exitStatus() == 0)
        #expect(offline.output.values == ["offline"])
        try await lab.network.join()
        let online = try await CommandRun.start(
            .appleSessionClient, [style, "http://203.0.113.1/"], in: lab.network.client)
        #expect(try await online.exitStatus() == 0)
        #expect(online.output.values == ["status 200 hello"])
    }

    @Test func `Apple-style source waits for connectivity, and its delegate is notified`() async throws {
        let lab = try SessionLab()
        let run = try await CommandRun.start(
            .appleSessionClient, ["waiting", "http://203.0.113.1/"], in: lab.network.client)
        _ = try await run.output.next { $0 == "waiting" }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["waiting", "status 200 hello"])
    }

    @Test func `a request while the cable is unplugged fails with -1009`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try await lab.network.setCable(connected: false)
        let run = try await lab.request("data", "--no-wait", "--fail")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1009 -", "ends"])
    }

    @Test(arguments: ["data", "shared"])
    func `a request with a path succeeds`(style: String) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request(style, "--no-wait", "--fail")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
    }

    /// 300 rounds of each client, or that number times `DIALTONE_ROUNDS`.
    @Test func `cancelling requests while others end never hangs`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request("rounds", "--no-wait", "--fail")
        let waiting = try await lab.request("rounds")
        let apple = try await CommandRun.start(
            .appleSessionClient, ["rounds", "http://203.0.113.1/"], in: lab.network.client)
        for run in [run, waiting, apple] {
            #expect(try await run.exitStatus() == 0)
            #expect(run.output.values.contains("rounds end"), "\(run.output.values)")
        }
    }

    /// An isolated network: addresses, but no route to the Internet.
    private func isolated() async throws -> NetworkNamespace {
        let namespace = try NetworkNamespace()
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        return namespace
    }

    @Test func `a host on this machine needs no path`() async throws {
        let namespace = try await isolated()
        let server = try TestServer(in: namespace) { _ in .respond(status: 200, body: "local") }
        for url in ["http://127.0.0.1/", "http://localhost/"] {
            let run = try await CommandRun.start(.sessionClient, ["data", url, "--no-wait", "--fail"], in: namespace)
            #expect(try await run.exitStatus() == 0)
            #expect(run.output.values == ["begins", "status 200 local", "ends"])
        }
        #expect(server.requests.values.count == 2)
    }

    @Test func `a proxy that has a route needs no path`() async throws {
        let namespace = try await isolated()
        let server = try TestServer(in: namespace, port: 3128) { _ in .respond(status: 200, body: "by proxy") }
        let run = try await CommandRun.start(
            .sessionClient, ["data", "http://example.com/", "--no-wait", "--fail"], in: namespace,
            environment: ["http_proxy": "http://127.0.0.1:3128"])
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 by proxy", "ends"])
        #expect(server.requests.values.first?.path == "http://example.com/")
    }
}
#endif
