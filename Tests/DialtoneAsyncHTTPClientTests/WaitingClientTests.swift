// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && AsyncHTTPClient
import DialtoneTesting
import Foundation
import NIOSSL
import Netlink
import TestSupport
import Testing

@testable import DialtoneAsyncHTTPClient

/// An async-http-client that waits, with a real server behind a router.
@Suite(.requires(.networkNamespaces))
struct WaitingClientTests {
    private let network: RoutedLab
    /// Name servers and mounts that must live as long as the programs that use them.
    private let keptAlive = Recorder<(ScriptedNameServer, OwnMounts)>()

    init() throws { network = try RoutedLab() }

    private func serve(_ answer: @escaping @Sendable (TestServer.Request) -> TestServer.Answer) throws -> TestServer {
        try TestServer(in: network.internet, answer: answer)
    }

    /// Gives the first request this answer, and every other one a successful answer.
    private func serve(first: TestServer.Answer) throws -> TestServer {
        let isTaken = Recorder<Void>()
        return try serve { _ in
            defer { isTaken.record(()) }
            return isTaken.values.isEmpty ? first : .respond(status: 200, body: "hello")
        }
    }

    private func request(
        _ style: String, _ url: String = "http://203.0.113.1/", environment: [String: String] = [:]
    ) async throws -> CommandRun {
        try await CommandRun.start(.built("AsyncClient"), [style, url], in: network.client, environment: environment)
    }

    @Test(arguments: ["get", "post", "head"])
    func `without a network a request waits, reports it once, and arrives once`(style: String) async throws {
        let server = try serve { _ in .respond(status: 200, body: "hello") }
        let run = try await request(style)
        _ = try await run.output.next { $0.hasPrefix("reason") }
        #expect(server.requests.values.isEmpty)
        try await network.join()
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values.filter { $0.hasPrefix("reason") }.count == 1)
        #expect(run.output.values.contains(style == "head" ? "status 200" : "status 200 hello"))
        #expect(server.requests.values.count == 1)
    }

    @Test(arguments: [TestServer.Answer.dropMidBody, .hangUp])
    func `a GET whose connection breaks is retried`(answer: TestServer.Answer) async throws {
        let server = try serve(first: answer)
        try await network.join()
        let run = try await request("get")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
        #expect(server.requests.values.map(\.method) == ["GET", "GET"])
    }

    @Test(arguments: [TestServer.Answer.dropMidBody, .hangUp])
    func `a POST whose connection breaks fails, since it may have taken effect`(answer: TestServer.Answer) async throws
    {
        let server = try serve(first: answer)
        try await network.join()
        let run = try await request("post")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "error connectionLost perhaps", "ends"])
        #expect(server.requests.values.map(\.method) == ["POST"])
    }

    @Test(.requires(.mounts), arguments: ["http://server.example:81/", "http://missing.example/"])
    func `a POST is not sent again after a redirect to an unreachable host`(target: String)
        async throws
    {
        let server = try serve { _ in .respond(status: 307, body: "", headers: ["Location": target]) }
        let names = ScriptedResolver(["server.example": .addresses("203.0.113.1")], otherwise: .notFound)
        let run = try await request("post-briefly", playing: names)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        let kind = target.contains("missing") ? "nameNotFound" : "cannotConnect"
        #expect(run.output.values == ["begins", "error \(kind) never", "ends"])
        #expect(server.requests.values.map(\.method) == ["POST"])
    }

    @Test func `a POST that no server accepted never reached the server`() async throws {
        try await network.join()
        let run = try await request("post-briefly")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "error cannotConnect never", "ends"])
    }

    /// Runs a request for a name, which this name server resolves.
    private func request(_ style: String, playing names: ScriptedResolver) async throws -> CommandRun {
        let server = try await network.internet.run { try ScriptedNameServer(playing: names, address: "203.0.113.53") }
        let mounts = try await OwnMounts(nameServer: "203.0.113.53")
        try await network.join()
        let run = try await CommandRun.start(
            mounts.program, mounts.arguments(.built("AsyncClient"), [style, "http://server.example/"]),
            in: network.client)
        keptAlive.record((server, mounts))
        return run
    }

    @Test(.requires(.mounts)) func `a request for a name that is not found never reached the server`() async throws {
        let run = try await request("post-briefly", playing: ScriptedResolver(otherwise: .notFound))
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "error nameNotFound never", "ends"])
    }

    @Test(.requires(.mounts)) func `a request waits while the name servers fail`() async throws {
        let names = ScriptedResolver(otherwise: .serverFailure)
        let server = try serve { _ in .respond(status: 200, body: "hello") }
        let run = try await request("get-soon", playing: names)
        _ = try await run.output.next { $0.hasPrefix("reason The DNS servers") || $0.hasPrefix("reason DNS servers") }
        names.play(.addresses("203.0.113.1"))
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(Array(run.output.values.suffix(2)) == ["body hello", "ends"])
        withExtendedLifetime(server) {}
    }

    @Test func `a request waits while the router does not answer, more often than it may be attempted`() async throws {
        let server = try serve { _ in .respond(status: 200, body: "hello") }
        try await network.join()
        try network.silenceRouter()
        let run = try await request("get-soon")
        _ = try await run.output.next { $0.hasPrefix("reason") }
        try await network.waitForSilence(of: NetworkAddress(192, 0, 2, 1))
        try network.restoreRouter()
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values.contains("reason The router 192.0.2.1 does not answer."), "\(run.output.values)")
        #expect(Array(run.output.values.suffix(2)) == ["body hello", "ends"])
        withExtendedLifetime(server) {}
    }

    @Test func `a request waits while a router has no uplink, more often than it may be attempted`() async throws {
        let server = try serve { _ in .respond(status: 200, body: "hello") }
        try await network.runInRouter { try Setting.write("ipv4/icmp_ratelimit", 0) }
        try await network.join()
        try network.setUplink(up: false)
        let run = try await request("get-soon")
        _ = try await run.output.next(timeout: .seconds(60)) { $0.hasPrefix("reason") }
        try network.setUplink(up: true)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(Array(run.output.values.suffix(2)) == ["body hello", "ends"])
        #expect(run.output.values.count { $0.hasPrefix("reason") } == 1)
        withExtendedLifetime(server) {}
    }

    @Test func `a request that is cancelled while waiting ends at once`() async throws {
        let run = try await request("cancel")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(Array(run.output.values.suffix(2)) == ["error cancelled", "ends"])
    }

    @Test func `the deadline ends the wait`() async throws {
        let run = try await request("deadline")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "error waiting deadlinePassed", "ends"])
    }

    @Test func `an untrusted certificate is reported as such, and the request is not retried`() async throws {
        let internet = try await network.internet.run {
            try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80, httpsPort: 443)
        }
        try await network.join()
        let run = try await request("get-briefly", "https://203.0.113.1/")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "error tlsFailure never", "ends"])
        #expect(internet.requests.isEmpty)
    }

    @Test(arguments: [
        ("requester-full", "https", "authenticated true"), ("requester-full", "http", "authenticated false"),
        ("requester-names", "https", "authenticated false"), ("requester-none", "https", "authenticated false"),
    ])
    func `only a response over HTTPS whose certificate was validated is proof`(
        style: String, scheme: String, line: String
    ) async throws {
        let internet = try await network.internet.run {
            try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80, httpsPort: 443)
        }
        try await network.join()
        let file = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString).pem")
        try Data(internet.trustAnchor.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let run = try await request(
            style, "\(scheme)://203.0.113.1/success.txt", environment: ["AUTHORITY": file.path])
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", line, "ends"])
    }

    @Test func `the configuration of any other client than the shared one is unknown`() async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        var request = HTTPClientRequest(url: "https://one.example/")
        #expect(HTTPClient.shared.isKnownToValidate(request))
        #expect(HTTPClient.forRequesters.isKnownToValidate(request))
        #expect(!client.isKnownToValidate(request))
        request.tlsConfiguration = .makeClientConfiguration()
        #expect(client.isKnownToValidate(request))
        request.tlsConfiguration?.certificateVerification = .none
        #expect(!HTTPClient.shared.isKnownToValidate(request))
        try await client.shutdown()
    }

    @Test(.requires(.mounts), arguments: ["203.0.113.1", "server.example"])
    func `without a path, a request of a requester fails before its time limit`(host: String) async throws {
        let run = try await request("requester-patient", "http://\(host)/")
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "outcome offline", "offline", "ends"])
    }

    @Test func `a request of a requester ends when the network is lost`() async throws {
        let server = try serve { _ in .hold }
        try await network.join()
        let run = try await request("requester-sensitive")
        _ = try await server.requests.next()
        try await network.setCable(connected: false)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        #expect(run.output.values == ["begins", "outcome offline", "offline", "ends"])
        server.release()
    }

    @Test func `a request of a requester survives a shorter loss of the network`() async throws {
        let server = try serve { _ in .hold }
        try await network.join()
        let run = try await request("requester-patient")
        _ = try await server.requests.next()
        try await network.setCable(connected: false)
        // Another program, started afterwards, shows that the loss has been noticed.
        let other = try await request("requester")
        #expect(try await other.exitStatus(timeout: .seconds(60)) == 0)
        try await network.setCable(connected: true)
        server.release()
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        // The body is not the expected JSON.
        #expect(run.output.values == ["begins", "outcome unexpectedBody", "failed", "ends"])
    }

    @Test func `a requester works with this client too`() async throws {
        let server = try serve { request in
            request.path == "/weather"
                ? .respond(status: 200, body: #"{"degrees":21}"#) : .respond(status: 503, body: "")
        }
        let offline = try await request("requester", "http://203.0.113.1/weather")
        #expect(try await offline.exitStatus(timeout: .seconds(60)) == 0)
        #expect(offline.output.values == ["begins", "outcome offline", "offline", "ends"])
        try await network.join()
        let online = try await request("requester-patient", "http://203.0.113.1/weather")
        #expect(try await online.exitStatus(timeout: .seconds(60)) == 0)
        #expect(online.output.values == ["begins", "21 degrees", "online", "ends"])
        let trouble = try await request("requester-patient", "http://203.0.113.1/else")
        #expect(try await trouble.exitStatus(timeout: .seconds(60)) == 0)
        #expect(trouble.output.values == ["begins", "outcome serverError", "serverTrouble", "ends"])
        withExtendedLifetime(server) {}
    }
}
#endif
