// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

/// `waitsForConnectivity`, with Foundation's own session and a real server behind a router.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct WaitingSessionTests {
    @Test(arguments: ["data", "data-request", "download", "upload", "handler"])
    func `a request without a network waits, reports it once, and completes when the link is up`(style: String)
        async throws
    {
        let lab = try SessionLab()
        let run = try await lab.request(style)
        _ = try await run.output.next { $0 == "waiting" }
        #expect(lab.server.requests.values.isEmpty)
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
        #expect(lab.server.requests.values.count == 1)
    }

    @Test func `a task with only a delegate waits too`() async throws {
        let lab = try SessionLab()
        let run = try await lab.request("delegate")
        _ = try await run.output.next { $0 == "waiting" }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "data hello", "completed well", "ends"])
    }

    @Test func `a delegate that cannot be notified of the wait is explained once`() async throws {
        let lab = try SessionLab()
        let run = try await lab.request("data", "--plain-delegate")
        let line = try await run.errors.next { $0.contains("PlainDelegate is not notified") }
        #expect(line.contains("URLSessionConnectivityDelegate"))
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
        #expect(run.errors.values.count { $0.contains("is not notified") } == 1)
    }

    @Test func `with a link there is no wait`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        let run = try await lab.request("data")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
    }

    @Test func `a request to this machine does not wait, and fails if the port refuses it`() async throws {
        let namespace = try NetworkNamespace()
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let run = try await CommandRun.start(.sessionClient, ["data", "http://127.0.0.1:9/"], in: namespace)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1004 -", "ends"])
    }

    @Test(arguments: ["host", "proxy"])
    func `a waiting task starts when its host or its proxy gets a route, without a path`(contact: String) async throws {
        let namespace = try NetworkNamespace()
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let server = try TestServer(in: namespace, port: 3128) { _ in .respond(status: 200, body: "hello") }
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: false)
        }
        let address = "http://127.0.0.1:3128"
        let run = try await CommandRun.start(
            .sessionClient, ["data", contact == "host" ? "\(address)/" : "http://example.com/"], in: namespace,
            environment: contact == "host" ? [:] : ["http_proxy": address])
        _ = try await run.output.next { $0 == "waiting" }
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
        #expect(server.requests.values.count == 1)
    }

    @Test func `a link that flaps while a task waits is reported once`() async throws {
        let lab = try SessionLab()
        try await lab.network.join()
        try await lab.network.setCable(connected: false)
        let run = try await lab.request("data")
        _ = try await run.output.next { $0 == "waiting" }
        try await lab.network.setCable(connected: true)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }

    @Test func `the resource timeout runs while waiting, and ends the task with timedOut`() async throws {
        let run = try await SessionLab().request("data", "--resource-timeout-10")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "error -1001 -", "ends"])
    }

    @Test func `the resource timeout ends a transfer too`() async throws {
        let lab = try SessionLab { _ in .hold }
        try await lab.network.join()
        let run = try await lab.request("data", "--resource-timeout")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error -1001 -", "ends"])
        lab.server.release()
    }

    @Test func `the request timeout does not run while waiting`() async throws {
        let lab = try SessionLab()
        let run = try await lab.request("data", "--request-timeout-5")
        _ = try await run.output.next { $0 == "waiting" }
        // Another client's request times out meanwhile: the time has passed for both.
        let other = try await lab.request("data", "--resource-timeout-6")
        _ = try await other.output.next { $0 == "error -1001 -" }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }

    @Test(arguments: ["cancel", "cancel-task"])
    func `a task that is cancelled while it waits ends with cancelled`(style: String) async throws {
        let run = try await SessionLab().request(style)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "error -999 -", "ends"])
    }

    @Test func `a task that is suspended while it waits continues when it is resumed`() async throws {
        let lab = try SessionLab()
        let run = try await lab.request("handler", "--suspend")
        _ = try await run.output.next { $0 == "waiting" }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "waiting", "status 200 hello", "ends"])
    }

    @Test func `by default Foundation's behaviour is unchanged`() async throws {
        let run = try await SessionLab().request("data", "--no-wait")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.count == 3)
        // The code depends on whether the system needs the name or the route first.
        #expect(run.output.values.dropFirst().first?.hasPrefix("error -") == true, "\(run.output.values)")
    }

    @Test func `forty endless requests all start after an outage`() async throws {
        let lab = try SessionLab { _ in .stream }
        let run = try await lab.request("endless")
        _ = try await run.output.next { $0 == "all wait" }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "all wait", "40 started", "ends"])
        #expect(lab.server.mostAtOnce == 40)
        lab.server.release()
    }

    /// A server that accepts a request but does not respond for a long time, as in long polling.
    @Test func `forty requests without a response all start after an outage`() async throws {
        let lab = try SessionLab { _ in .hold }
        let run = try await lab.request("endless")
        _ = try await run.output.next { $0 == "all wait" }
        try await lab.network.join()
        for _ in 0..<40 { _ = try await lab.server.requests.next() }
        lab.server.release()
        #expect(try await run.exitStatus() == 0)
    }

    @Test func `a connection that breaks later is an error`() async throws {
        let lab = try SessionLab { _ in .dropMidBody }
        try await lab.network.join()
        let run = try await lab.request("data")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.dropFirst().first?.hasPrefix("error ") == true, "\(run.output.values)")
        #expect(lab.server.requests.values.count == 1)
    }

    @Test func `a server on this machine needs no network`() async throws {
        let lab = try SessionLab()
        try await lab.network.client.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let local = try TestServer(in: lab.network.client) { _ in .respond(status: 200, body: "local") }
        let run = try await CommandRun.start(.sessionClient, ["data", "http://127.0.0.1/"], in: lab.network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 local", "ends"])
        #expect(local.requests.values.count == 1)
    }
}
#endif
