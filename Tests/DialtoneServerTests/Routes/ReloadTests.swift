// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

/// The replacement of the configuration of a running server.
@Suite(.real, .timeLimit(.minutes(3)))
struct ReloadTests {
    private static let (token, otherToken) = ("correct-horse-battery", "another-horse-battery")

    private static func configuration(
        _ served: ServedNetwork, _ change: (inout ServedConfiguration) throws -> Void
    ) rethrows -> ServedConfiguration {
        var configuration = ServedConfiguration(listen: served.server.addresses)
        try change(&configuration)
        return configuration
    }

    private func logIn(_ served: ServedNetwork, _ token: String) async throws -> String {
        let reply = try await served.submit("/login", "token=\(token)")
        return String(try #require(reply.fields["set-cookie"]).prefix { $0 != ";" })
    }

    @Test func `a new token ends what the old one has opened`() async throws {
        // Without heartbeats, which would end the streams too.
        let served = try await ServedNetwork { configuration in
            configuration.token = Self.token
            configuration.keepAlive = .seconds(3600)
            configuration.limits.wrongTokenDelay = .zero
        }
        let cookie = try await logIn(served, Self.token)
        let streams = [
            try await served.listen(["Cookie": cookie]),
            try await served.listen(["Authorization": "Bearer \(Self.token)"]),
        ]
        for stream in streams { _ = try await stream.read(until: "event: connectivity") }
        try served.reload(Self.configuration(served) { $0.token = Self.otherToken })
        for stream in streams { _ = try await stream.readToEnd() }
        #expect(try await served.get("/api/status", ["Cookie": cookie]).status == 401)
        #expect(try await served.get("/api/status", ["Authorization": "Bearer \(Self.token)"]).status == 401)
        #expect(try await served.submit("/login", "token=\(Self.token)").status == 401)
        #expect(try await served.get("/api/status", ["Authorization": "Bearer \(Self.otherToken)"]).status == 200)
        let new = try await logIn(served, Self.otherToken)
        #expect(try await served.get("/api/status", ["Cookie": new]).status == 200)
    }

    @Test func `with the same token, sessions and streams continue`() async throws {
        let served = try await ServedNetwork { $0.token = Self.token }
        let cookie = try await logIn(served, Self.token)
        let stream = try await served.listen(["Cookie": cookie])
        _ = try await stream.read(until: "event: connectivity")
        for _ in 0..<10 {
            try served.reload(
                Self.configuration(served) { configuration in
                    configuration.token = Self.token
                    configuration.allowedHosts = ["dash.example"]
                })
        }
        #expect(try await served.get("/api/status", ["Cookie": cookie, "Host": "dash.example"]).status == 200)
        served.network.become(.offline)
        _ = try await stream.read(until: "\"connectivity\":\"offline\"")
    }

    @Test func `hosts and their interval are replaced`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.isPassive = true
            configuration.hosts = [try WatchedHost("127.0.0.1:1"), try WatchedHost("127.0.0.2:2")]
        }
        try served.reload(
            try Self.configuration(served) { configuration in
                configuration.hosts = [try WatchedHost("127.0.0.3:3"), try WatchedHost("127.0.0.2:2")]
                configuration.hostInterval = .seconds(5)
            })
        let list = try JSONSerialization.jsonObject(with: Data(try await served.get("/api/hosts").body.utf8))
        let names = (list as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == ["127.0.0.3:3", "127.0.0.2:2"])
    }

    @Test func `an invalid configuration is refused as a whole`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.token = Self.token
            configuration.allowedHosts = ["dash.example"]
        }
        let changes: [@Sendable (inout ServedConfiguration) -> Void] = [
            { $0.token = "short" }, { $0.token = nil }, { $0.allowedHosts = ["not a host"] },
            { $0.hostInterval = .milliseconds(1) },
        ]
        for change in changes {
            let new = Self.configuration(served) { configuration in
                configuration.token = Self.otherToken
                configuration.allowedHosts = ["other.example"]
                change(&configuration)
            }
            #expect(throws: (any Error).self) { try served.reload(new) }
        }
        let fields = ["Authorization": "Bearer \(Self.token)", "Host": "dash.example"]
        #expect(try await served.get("/api/status", fields).status == 200)
    }

    @Test func `the address that the server listens on decides whether a token is required`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.token = Self.token
            configuration.listen = [try ListenAddress(parsing: "0.0.0.0:0")]
        }
        let new = try Self.configuration(served) { $0.listen = [try ListenAddress(parsing: "127.0.0.1:0")] }
        let error = #expect(throws: ServiceError.self) { try served.reload(new) }
        #expect(error?.description.contains("set a token") == true)
    }

    @Test func `new connections get the new certificate, and open ones continue`() async throws {
        let (first, second) = (try TestAuthority(named: "First"), try TestAuthority(named: "Second"))
        let served = try await ServedNetwork { $0.identity = try ServerIdentity(first.issueForServer()) }
        let stream = try await TLSClient(served.port, trusting: first)
        try await stream.send(RawClient.text(served.port, "GET", "/events"))
        _ = try await stream.read(until: "event: connectivity")
        try served.reload(
            try Self.configuration(served) { $0.identity = try ServerIdentity(second.issueForServer()) })
        #expect(try await TLSClient.ask(served.port, trusting: second, "/healthz").status == 200)
        await #expect(throws: (any Error).self) {
            try await TLSClient.ask(served.port, trusting: first, "/healthz")
        }
        served.network.become(.offline)
        _ = try await stream.read(until: "\"connectivity\":\"offline\"")
        // HTTPS is not turned off.
        try served.reload(Self.configuration(served) { _ in })
        #expect(try await TLSClient.ask(served.port, trusting: second, "/healthz").status == 200)
    }
}
