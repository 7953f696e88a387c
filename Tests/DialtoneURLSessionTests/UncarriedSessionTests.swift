// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Netlink
import TestSupport
import Testing

/// Tasks whose connection cannot be established although there is a path: some wait, others fail at once.
@Suite(.requires(.networkNamespaces))
struct UncarriedSessionTests {
    private static let router = NetworkAddress(192, 0, 2, 1)

    @Test(arguments: ["data", "download", "upload", "post"])
    func `a task waits while the router does not answer, and completes when it does`(style: String) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try lab.network.silenceRouter()
        let run = try await lab.request(style)
        _ = try await run.output.next { $0 == "waiting" }
        #expect(lab.server.requests.values.isEmpty)
        try lab.network.restoreRouter()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
        #expect(lab.server.requests.values.count == 1)
    }

    @Test func `tasks that waited for the link keep waiting until the router answers`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try lab.network.setCable(connected: false)
        let runs = [try await lab.request("data"), try await lab.request("upload")]
        for run in runs { _ = try await run.output.next { $0 == "waiting" } }
        try lab.network.silenceRouter()
        try lab.network.setCable(connected: true)
        try await lab.network.waitForSilence(of: Self.router)
        try lab.network.restoreRouter()
        for run in runs {
            #expect(try await run.exitStatus() == 0)
            #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
        }
        #expect(lab.server.requests.values.count == 2)
    }

    @Test func `a task waits until there is a route to its host`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let unreachable = NewRoute("203.0.113.1/32", type: .unreachable)
        try await lab.network.client.run {
            var kernel = try RouteNetlink()
            try kernel.addRoute(unreachable)
        }
        let run = try await lab.request("data")
        _ = try await run.output.next { $0 == "waiting" }
        try await lab.network.client.run {
            var kernel = try RouteNetlink()
            try kernel.deleteRoute(unreachable)
        }
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }

    @Test func `the resource timeout ends the wait for a silent router`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try lab.network.silenceRouter()
        let run = try await lab.request("data", "--resource-timeout-6")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "error -1001 -", "ends"])
    }

    @Test func `a task that does not wait fails with -1004 if there is no route to the host`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try lab.network.silenceRouter()
        for style in ["data", "shared"] {
            let run = try await lab.request(style, "--no-wait", "--fail", "--texts")
            #expect(try await run.exitStatus() == 0)
            #expect(
                run.output.values == [
                    "begins", "error -1004 -", "text Could not connect to the server.", "reason -",
                    "advice Server not reachable", "ends",
                ])
        }
    }

    /// A host that is at fault itself.
    enum Fault: String, CaseIterable, CustomStringConvertible {
        case refusal, deadNeighbor, reportedUnreachable

        var url: String {
            switch self {
            case .refusal: "http://203.0.113.1:81/"
            case .deadNeighbor: "http://192.0.2.77/"
            case .reportedUnreachable: "http://203.0.113.1/"
            }
        }

        var description: String { rawValue }
    }

    @Test(arguments: Fault.allCases)
    func `a host that is at fault itself fails at once with -1004`(fault: Fault) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        if fault == .reportedUnreachable { try lab.network.setUplink(up: false) }
        let run = try await CommandRun.start(
            .sessionClient, ["data", fault.url, "--texts"], in: lab.network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.prefix(3) == ["begins", "error -1004 -", "text Could not connect to the server."])
        #expect(lab.server.requests.values.isEmpty)
    }

    @Test(arguments: [TestServer.Answer.hangUp, .dropMidBody], ["data", "upload", "post"])
    func `a request that was sent is not repeated`(answer: TestServer.Answer, style: String) async throws {
        let lab = try SessionLab { _ in answer }
        try await lab.network.join()
        let run = try await lab.request(style)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.dropFirst().first?.hasPrefix("error ") == true, "\(run.output.values)")
        #expect(lab.server.requests.values.count == 1)
    }

    @Test func `with a proxy, the route to the proxy decides`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try lab.network.silenceRouter()
        let run = try await CommandRun.start(
            .sessionClient, ["data", "http://no-such-name.example/"], in: lab.network.client,
            environment: ["http_proxy": "http://203.0.113.1:80"])
        _ = try await run.output.next { $0 == "waiting" }
        try lab.network.restoreRouter()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
        #expect(lab.server.requests.values.map(\.path) == ["http://no-such-name.example/"])
    }
}

/// Tasks whose host has a name, with a name server on the Internet.
@Suite(.requires(.networkNamespaces), .requires(.mounts))
struct NamedSessionTests {
    private let lab: SessionLab
    private let names = ScriptedResolver()
    private let server: ScriptedNameServer
    private let mounts: OwnMounts

    init() async throws {
        lab = try SessionLab()
        let names = names
        server = try await lab.network.internet.run {
            try ScriptedNameServer(playing: names, address: "203.0.113.53")
        }
        mounts = try await OwnMounts(
            """
            mount -t tmpfs tmpfs /mnt
            printf 'nameserver 203.0.113.53\noptions timeout:1 attempts:1\n' > /mnt/resolv.conf
            mount --bind /mnt/resolv.conf /etc/resolv.conf
            """, [])
        try await lab.network.join()
    }

    private func request(_ options: String...) async throws -> CommandRun {
        try await CommandRun.start(
            mounts.program, mounts.arguments(.sessionClient, ["data", "http://server.example/"] + options),
            in: lab.network.client)
    }

    @Test(arguments: [ScriptedResolver.Answer.serverFailure, .silence])
    func `a task waits while the name servers give no answer`(answer: ScriptedResolver.Answer) async throws {
        names.play(answer)
        let run = try await request()
        _ = try await run.output.next { $0 == "waiting" }
        names.play(.addresses("203.0.113.1"))
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }

    @Test func `a name that does not exist is an error at once`() async throws {
        names.play(.notFound)
        let run = try await request("--texts")
        #expect(try await run.exitStatus() == 0)
        #expect(
            run.output.values == [
                "begins", "error -1003 -", "text The server's name could not be found.",
                "reason There is no such name.", "advice Server not found", "ends",
            ])
    }
}
#endif
