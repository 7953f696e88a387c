// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import SystemSupport
import TestSupport
import Testing

/// The scripted Internet behaves as documented, so that tests that use it are meaningful.
@Suite(.real, .timeLimit(.minutes(5)))
struct ScriptedInternetTests {
    typealias Behavior = ScriptedInternet.Behavior

    /// Probes one endpoint and returns the evidence.
    private func ask(
        _ url: String, _ internet: ScriptedInternet, within limit: Duration = .seconds(20)
    ) async throws -> InternetCheck.Evidence {
        var configuration = internet.configuration
        configuration.endpoints = [.init(url)]
        configuration.timeouts = .init(tls: limit, headers: limit, body: limit, total: limit * 2)
        return try #require(try await InternetCheck(configuration).run().endpoints.first)
    }

    @Test func `behaviors can be changed while the server runs`() async throws {
        let internet = try ScriptedInternet()
        let url = "\(internet.http)/generate_204"
        for round in 0..<3 {
            internet.play(.online)
            #expect(try await ask(url, internet).passed, "\(round)")
            internet.play(.refusing)
            #expect(try await ask(url, internet).error?.code == .refused, "\(round)")
            internet.play(.portal(.networkAuthenticationRequired))
            #expect(try await ask(url, internet).status == 511, "\(round)")
        }
    }

    @Test func `a flapping behavior gives each connection the next behavior`() async throws {
        let internet = try ScriptedInternet(.flapping([.online, .portal(.content), .always(.answer(503))]))
        var statuses: [Int?] = []
        for _ in 0..<6 { statuses.append(try await ask("\(internet.http)/", internet).status) }
        #expect(statuses == [204, 200, 503, 204, 200, 503])
    }

    @Test func `requests are recorded as they arrived`() async throws {
        let internet = try ScriptedInternet()
        _ = try await ask("\(internet.https)/a/b?c=d", internet)
        let request = try #require(internet.requests.first)
        #expect(internet.requests.count == 1)
        #expect(request.isSecure)
        #expect(request.method == "GET")
        #expect(request.path == "/a/b")
        #expect(request.target.hasPrefix("/a/b?c=d&"))
        #expect(request.host == "127.0.0.1")
        #expect(request[field: "connection"] == "close")
        #expect(internet.connections == 1)
        #expect(internet.concurrencyPeak == 1)
    }

    @Test(arguments: [[0], [5], [3, 70], [70, 100_000]])
    func `a request may have a body, sent with its head or later`(pieces: [Int]) throws {
        let internet = try ScriptedInternet()
        let port = try #require(UInt16(internet.http.split(separator: ":").last ?? ""))
        let deadline = TimeSource.system.now + .seconds(60)
        let socket = try Sockets.openSocket(.ipv4, .stream)
        try Sockets.startConnecting(socket, to: NetworkAddress("127.0.0.1"), port: port)
        _ = PollSet.wait(writable: [socket.number], until: deadline, nil)
        let stream = ByteStream(socket)
        let length = pieces.reduce(0, +)
        var bytes = Array("POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n".utf8)
        for piece in pieces {
            bytes += [UInt8](repeating: 0x61, count: piece)
            try stream.send(bytes, until: deadline)
            bytes = []
        }
        var reply: [UInt8] = []
        while true {
            let received = try stream.receive(until: deadline)
            if received.isEmpty { break }
            reply += received
        }
        #expect(String(decoding: reply, as: UTF8.self).hasPrefix("HTTP/1.1 204"))
        #expect(internet.requests.map(\.method) == ["POST"])
        #expect(internet.requests.first?[field: "content-length"] == "\(length)")
    }

    @Test(arguments: [
        (Behavior.ConnectionBehavior.untrusted, "untrustedCertificate"), (.misnamed, "wrongCertificateName"),
        (.expired, "invalidCertificate"), (.silent, "timedOut"), (.closed, "refused"),
    ])
    func `HTTPS connections behave as the behavior says`(door: Behavior.ConnectionBehavior, code: String) async throws {
        let internet = try ScriptedInternet(Behavior(https: door))
        let limit = Duration.seconds(door == .silent ? 1 : 20)
        #expect(try await ask("\(internet.https)/", internet, within: limit).error?.code.description == code)
        #expect(try await ask("\(internet.http)/", internet).passed)
    }

    #if !canImport(Darwin)
    @Test func `certificates are valid for the given names only`() async throws {
        let internet = try ScriptedInternet(names: ["good.test", "*.wild.test"])
        let names = ScriptedResolver(otherwise: .addresses("127.0.0.1"))
        let port = internet.https.split(separator: ":").last ?? ""
        for (name, isGood) in [("good.test", true), ("a.wild.test", true), ("bad.test", false), ("localhost", true)] {
            var configuration = internet.configuration
            configuration.endpoints = [.init("https://\(name):\(port)/")]
            let check = try InternetCheck(configuration, prober: SocketHTTPProbe(resolver: names))
            let evidence = await check.run().endpoints[0]
            #expect(evidence.passed == isGood, "\(name)")
            #expect(isGood || evidence.error?.code == .wrongCertificateName)
        }
    }
    #endif

    @Test func `the scripted Internet serves IPv6`() async throws {
        let internet = try ScriptedInternet(address: "::1")
        let evidence = try await ask("\(internet.https)/", internet)
        #expect(evidence.passed, "\(evidence)")
        #expect(evidence.family == .ipv6)
    }

    @Test func `waiting for connections ends on cancellation`() async throws {
        let internet = try ScriptedInternet()
        let wait = Task { await internet.waitForConnections(2) }
        let cancelled = Task { await internet.waitForConnections(100) }
        _ = try await ask("\(internet.http)/", internet)
        _ = try await ask("\(internet.http)/", internet)
        await wait.value
        cancelled.cancel()
        await cancelled.value
        await internet.waitForConnections(1)
    }

    @Test func `a port in use is an error, not a trap`() throws {
        let internet = try ScriptedInternet()
        let port = try #require(UInt16(internet.http.split(separator: ":").last ?? ""))
        #expect(throws: ScriptingError.self) { try ScriptedInternet(httpPort: port) }
        #expect(throws: ScriptingError.self) { try ScriptedInternet(address: "nonsense") }
        #expect(throws: ScriptingError.self) { try ScriptedInternet(address: "192.0.2.99") }
    }

    @Test func `no server listens after its object is gone`() async throws {
        var internet: ScriptedInternet? = try ScriptedInternet()
        let url = try #require(internet?.http)
        let configuration = try #require(internet?.configuration)
        internet = nil
        var changed = configuration
        changed.endpoints = [.init("\(url)/")]
        let check = try InternetCheck(changed)
        // The thread that accepts connections takes a moment to end.
        try await eventually { await check.run().endpoints[0].error?.code == .refused }
    }
}
