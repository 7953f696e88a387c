// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// Tasks whose connection cannot be established although there is a path: some wait, others fail at once.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
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
        try await lab.network.setCable(connected: false)
        let runs = [try await lab.request("data"), try await lab.request("upload")]
        for run in runs { _ = try await run.output.next { $0 == "waiting" } }
        try lab.network.silenceRouter()
        try await lab.network.setCable(connected: true)
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

    @Test func `a task that was redirected to a host without a route ends, because a server has its request`()
        async throws
    {
        let lab = try SessionLab { _ in .respond(status: 303, body: "", headers: ["Location": "http://203.0.113.9/"]) }
        try await lab.network.join()
        try await lab.network.client.run {
            var kernel = try RouteNetlink()
            try kernel.addRoute(NewRoute("203.0.113.9/32", type: .unreachable))
        }
        let run = try await lab.request("post")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1004 -", "ends"])
        #expect(lab.server.requests.values.map(\.method) == ["POST"])
    }

    @Test func `the resource timeout ends the wait for a silent router`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try lab.network.silenceRouter()
        let run = try await lab.request("data", "--resource-timeout-15")
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
        case refusal, deadNeighbor

        var url: String {
            switch self {
            case .refusal: "http://203.0.113.1:81/"
            case .deadNeighbor: "http://192.0.2.77/"
            }
        }

        var description: String { rawValue }
    }

    @Test(arguments: Fault.allCases)
    func `a host that is at fault itself fails at once with -1004`(fault: Fault) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await CommandRun.start(
            .sessionClient, ["data", fault.url, "--texts"], in: lab.network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.prefix(3) == ["begins", "error -1004 -", "text Could not connect to the server."])
        #expect(lab.server.requests.values.isEmpty)
    }

    @Test(.requires(.sandbox), arguments: [[], ["--no-wait", "--fail"]], ["192.0.2.1", "server.example"])
    func `in a sandbox without sockets, the sandbox is the reason`(options: [String], host: String) async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.network.client.run {
            try Sandbox.refuse(.allSockets)
            return try CommandRun(.sessionClient, ["data", "http://\(host)/", "--texts"] + options)
        }
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        let texts = run.output.values.filter { $0.hasPrefix("error") || $0.hasPrefix("reason") }
        #expect(texts.first == "error -1009 -")
        #expect(texts.last?.hasPrefix("reason A sandbox forbids network sockets") == true, "\(run.output.values)")
    }

    @Test func `while the Internet answers, a host that a router reports as unreachable is an error`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try await lab.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.addRoute(NewRoute("198.51.100.1/32", type: .unreachable))
        }
        let run = try await CommandRun.start(
            .sessionClient, ["data", "http://198.51.100.1/", "--texts", "--checks-203.0.113.1"], in: lab.network.client)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values.prefix(3) == ["begins", "error -1004 -", "text Could not connect to the server."])
    }

    @Test func `a task waits while no packet is forwarded, longer than its request timeout`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let swallowed = NewRoute("203.0.113.1/32", type: .blackhole)
        try await lab.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.addRoute(swallowed)
        }
        // Where a host answers the checks, the Internet works, and the silent host is at fault.
        let other = try await lab.request("data", "--request-timeout-5", "--checks-203.0.113.53")
        let run = try await lab.request("data", "--request-timeout-5", "--checks-203.0.113.1")
        #expect(try await other.exitStatus(timeout: .seconds(60)) == 0)
        #expect(other.output.values == ["begins", "error -1001 -", "ends"])
        _ = try await run.output.next(timeout: .seconds(60)) { $0 == "waiting" }
        try await lab.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.deleteRoute(swallowed)
        }
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
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
@Suite(.requires(.networkNamespaces), .requires(.mounts), .timeLimit(.minutes(5)))
struct NamedSessionTests {
    private let lab: NamedLab

    init() async throws {
        lab = try await NamedLab()
        try await lab.network.join()
    }

    @Test(arguments: [ScriptedResolver.Answer.serverFailure, .silence])
    func `a task waits while the name servers give no answer`(answer: ScriptedResolver.Answer) async throws {
        lab.names.play(answer)
        let run = try await lab.request("data")
        _ = try await run.output.next { $0 == "waiting" }
        lab.names.play(.addresses("203.0.113.1"))
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }

    /// The rounds of the next test: 1, or `DIALTONE_ROUNDS`.
    private static let rounds = 0..<(Int(ProcessInfo.processInfo.environment["DIALTONE_ROUNDS"] ?? "") ?? 1)
    private static let tasks = 6

    @Test(arguments: [("data", "203.0.113.1"), ("post", "203.0.113.1"), ("post", "server.example")], rounds)
    func `tasks wait while a router without an uplink reports that the host is unreachable`(
        request: (style: String, host: String), round: Int
    ) async throws {
        // Of six tasks in one program, at most five get a report at once: the kernel of the router sends one in this time to
        // each host, after a burst of five. With the default of a second, what the tasks send while they wait can use up the reports
        // until the sixth is out of time.
        try await lab.network.runInRouter { try Setting.write("ipv4/icmp_ratelimit", 100) }
        try lab.network.setUplink(up: false)
        let run = try await lab.request(
            request.style, "--tasks-\(Self.tasks)", "--checks-203.0.113.1", host: request.host)
        // In the first round all tasks wait; in the others, the uplink comes up while some of them determine the cause.
        for _ in 0..<Self.tasks - round % Self.tasks {
            _ = try await run.output.next { $0 == "waiting" }
        }
        try lab.network.setUplink(up: true)
        #expect(try await run.exitStatus() == 0)
        // Each task says at most once that it waits.
        #expect(run.output.values.count { $0 == "waiting" } <= Self.tasks)
        let lines = run.output.values.filter { $0 != "waiting" }
        #expect(lines == ["begins"] + Array(repeating: "status 200 hello", count: Self.tasks) + ["ends"])
        #expect(lab.server.requests.values.count { $0.path == "/" } == Self.tasks)
    }

    @Test func `a name that does not exist is an error at once`() async throws {
        lab.names.play(.notFound)
        let run = try await lab.request("data", "--texts")
        #expect(try await run.exitStatus() == 0)
        #expect(
            run.output.values == [
                "begins", "error -1003 -", "text The server's name could not be found.",
                "reason There is no such name.", "advice Server not found", "ends",
            ])
    }
}
#endif
