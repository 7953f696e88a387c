// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import NetworkSimulation
import TestSupport
import Testing

@testable import DialtoneServer

@Suite(.real)
struct LoginTests {
    private static let token = "correct-horse-battery"

    @Test func `the token gives access, in a form or in a field`() async throws {
        let served = try await ServedNetwork { $0.token = Self.token }
        let door = try await served.get("/", ["Accept": "text/html"])
        #expect(door.status == 303 && door.fields["location"] == "/login")
        #expect(try await served.get("/api/status").status == 401)
        #expect(try await served.get("/healthz").status == 200)
        #expect(try await served.get("/api/status", ["Authorization": "Bearer \(Self.token)"]).status == 200)
        #expect(try await served.get("/api/status", ["Authorization": "Bearer wrong"]).status == 401)

        #expect(try await served.get("/login").body.contains("type=\"password\""))
        #expect(try await served.submit("/login", "token=wrong").status == 401)
        let login = try await served.submit("/login", "token=\(Self.token)")
        #expect(login.status == 303)
        let cookie = try #require(login.fields["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(Self.token))
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(try await served.get("/", ["Cookie": "a=b; \(pair)"]).status == 200)
        #expect(try await served.get("/api/status", ["Cookie": String(pair.dropLast())]).status == 401)
        // A cookie alone cannot change state from a page of another site.
        let foreign = try await served.submit("/check", "", ["Cookie": pair, "Origin": "http://evil.test"])
        #expect(foreign.status == 403)
    }

    @Test func `a wrong token is delayed, in a form and in a field, and is counted`() async throws {
        let clock = TestClock()
        // Nothing else has a deadline at these times.
        let delay = Duration.seconds(7)
        let served = try await ServedNetwork(time: clock.timeSource) { configuration in
            configuration.token = Self.token
            configuration.limits.wrongTokenDelay = delay
        }
        async let form = served.submit("/login", "token=guess").status
        try await eventually { clock.deadlines.contains(.init(offset: delay)) }
        // The right token is not delayed.
        #expect(try await served.submit("/login", "token=\(Self.token)").status == 303)
        clock.advance(by: delay)
        #expect(try await form == 401)
        async let field = served.get("/api/status", ["Authorization": "Bearer guess"]).status
        try await eventually { clock.deadlines.contains(.init(offset: delay * 2)) }
        clock.advance(by: delay)
        #expect(try await field == 401)
        let metrics = try await served.get("/metrics", ["Authorization": "Bearer \(Self.token)"])
        #expect(metrics.body.contains("\ndialtone_login_failures_total 2\n"))
    }

    @Test func `parallel wrong guesses do not lock out the right token or a session, as behind a proxy`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.token = Self.token
            // However slow the machine, the wrong guesses wait until the end of the test.
            configuration.limits.wrongTokenDelay = .seconds(3600)
            configuration.limits.wrongTokensPending = 8
        }
        let cookie = try await logIn(served)
        var pending: [RawClient] = []
        for _ in 0..<8 {
            let client = try RawClient(served.port)
            try client.send(
                RawClient.text(
                    served.port, "GET", "/metrics", ["Authorization": "Bearer guess", "Connection": "close"]))
            pending.append(client)
        }
        try await eventually { served.server.router.throttle.failures == 8 }
        // Bounded, because each delayed response holds a connection.
        #expect(try await served.get("/metrics", ["Authorization": "Bearer guess"]).status == 429)
        #expect(try await served.submit("/login", "token=guess").status == 429)
        for _ in 0..<5 {
            #expect(try await served.get("/metrics", ["Authorization": "Bearer \(Self.token)"]).status == 200)
            #expect(try await served.submit("/login", "token=\(Self.token)").status == 303)
            #expect(try await served.get("/metrics", ["Cookie": cookie]).status == 200)
        }
        #expect(served.server.router.throttle.failures == 10)
        withExtendedLifetime(pending) {}
    }

    @Test func `the cookie is limited to HTTPS if a proxy uses it`() async throws {
        let served = try await ServedNetwork { $0.token = Self.token }
        for (fields, isSecure) in [([:], false), (["X-Forwarded-Proto": "https"], true)] {
            let reply = try await served.submit("/login", "token=\(Self.token)", fields)
            #expect(reply.fields["set-cookie"]?.hasSuffix("; Secure") == isSecure)
        }
    }

    @Test func `logging out ends the session and its streams`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.token = Self.token
            configuration.keepAlive = .milliseconds(50)
        }
        let (first, second) = (try await logIn(served), try await logIn(served))
        let (ended, kept) = (try await served.listen(["Cookie": first]), try await served.listen(["Cookie": second]))
        _ = try await (ended.read(until: "online"), kept.read(until: "online"))
        let reply = try await served.submit("/logout", "", ["Cookie": first, "Content-Length": "0"])
        #expect(reply.status == 303 && reply.fields["set-cookie"]?.contains("Max-Age=0") == true)
        _ = try await ended.readToEnd()
        #expect(try await served.get("/api/status", ["Cookie": first]).status == 401)
        #expect(try await served.get("/api/status", ["Cookie": second]).status == 200)
        served.network.become(.offline)
        _ = try await kept.read(until: "\"connectivity\":\"offline\"")
    }

    /// Logs in.
    ///
    /// - Returns: the cookie.
    private func logIn(_ served: ServedNetwork) async throws -> String {
        let reply = try await served.submit("/login", "token=\(Self.token)")
        return String(try #require(reply.fields["set-cookie"]).prefix { $0 != ";" })
    }
}
