// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import TestSupport
import Testing

/// `withConnectivity` around a session, with a real server behind a router.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RetryingSessionTests {
    /// Answers the first request by breaking the connection, and every other one successfully.
    private static func breakingOffOnce(_ answer: TestServer.Answer) throws -> SessionLab {
        let isFirst = Once()
        return try SessionLab { _ in isFirst.take() ? answer : .respond(status: 200, body: "hello") }
    }

    @Test(arguments: [TestServer.Answer.dropMidBody, .hangUp])
    func `a GET whose connection breaks is retried`(answer: TestServer.Answer) async throws {
        let lab = try Self.breakingOffOnce(answer)
        try await lab.network.join()
        let run = try await lab.request("with-get", "--no-wait")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 hello", "ends"])
        #expect(lab.server.requests.values.map(\.method) == ["GET", "GET"])
    }

    @Test(arguments: [TestServer.Answer.dropMidBody, .hangUp])
    func `a POST whose connection breaks fails, since it may have taken effect`(answer: TestServer.Answer) async throws
    {
        let lab = try Self.breakingOffOnce(answer)
        try await lab.network.join()
        let run = try await lab.request("with-post", "--no-wait")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.dropFirst().first?.hasPrefix("error -") == true, "\(run.output.values)")
        #expect(lab.server.requests.values.map(\.method) == ["POST"])
    }

    @Test(arguments: [("http://203.0.113.1:81/", "-1004"), ("http://missing.invalid/", "-1003")])
    func `a POST is not sent again after a redirect to an unreachable host`(
        target: String, code: String
    ) async throws {
        let lab = try SessionLab { _ in .respond(status: 307, body: "", headers: ["Location": target]) }
        try await lab.network.join()
        let run = try await lab.request("with-post", "--no-wait")
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.dropFirst().first?.hasPrefix("error \(code)") == true, "\(run.output.values)")
        #expect(lab.server.requests.values.map(\.method) == ["POST"])
    }

    @Test(arguments: ["with-get", "with-post"])
    func `without a network either style waits, and the request arrives once`(style: String) async throws {
        let lab = try SessionLab()
        let run = try await lab.request(style, "--no-wait")
        _ = try await run.output.next { $0.hasPrefix("reason") }
        try await lab.network.join()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.last { $0.hasPrefix("status") } == "status 200 hello")
        #expect(run.output.values.filter { $0.hasPrefix("reason") }.count == 1)
        #expect(lab.server.requests.values.count == 1)
    }

    @Test func `a thousand requests wait on one monitor, all arrive, and the server never sees more than the limit`()
        async throws
    {
        let lab = try SessionLab { _ in .hold }
        let marker = try TestServer(in: lab.network.internet, port: 8080) { _ in .respond(status: 200, body: "there") }
        let run = try await lab.request("thousand", "--no-wait")
        _ = try await run.output.next(timeout: .seconds(60)) { $0 == "all wait" }
        #expect(lab.server.requests.values.isEmpty)
        try await lab.network.join()
        // The server answers no request until as many have arrived as the limit allows.
        for _ in 0..<32 { _ = try await lab.server.requests.next() }
        // If more requests were on their way, they would arrive before the answer to a program that is started now.
        let other = try await CommandRun.start(
            .sessionClient, ["data", "http://203.0.113.1:8080/", "--no-wait"], in: lab.network.client)
        #expect(try await other.exitStatus(timeout: .seconds(60)) == 0)
        #expect(marker.requests.values.count == 1)
        #expect(lab.server.requests.values.count == 32)
        lab.server.release()
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0)
        #expect(run.output.values == ["begins", "1 monitor of the kernel", "all wait", "1000 of 1000 done", "ends"])
        #expect(lab.server.requests.values.count == 1000)
        #expect(lab.server.mostAtOnce == 32)
    }
}
#endif
