//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneTesting
import Foundation
import Testing

@testable import DialtoneServer

struct LoginTests {
    private static let token = "correct-horse-battery"

    @Test func `who knows the token gets in, by a form or by a field`() async throws {
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
        // A cookie alone changes nothing when the page is another's.
        let foreign = try await served.submit(
            "/request", "action=start", ["Cookie": pair, "Origin": "http://evil.test"])
        #expect(foreign.status == 403)
    }

    @Test func `guessing is slowed down`() async throws {
        let served = try await ServedNetwork { $0.token = Self.token }
        var statuses: Set<Int> = []
        for _ in 0..<15 { statuses.insert(try await served.submit("/login", "token=guess").status) }
        #expect(statuses == [401, 429])
        // Of both ways, and of wrong tokens alone.
        let guess = try await served.get("/api/status", ["Authorization": "Bearer guess"])
        #expect(guess.status == 429)
        #expect(try await served.get("/api/status").status == 401)
        #expect(try await served.get("/api/status", ["Authorization": "Bearer \(Self.token)"]).status == 200)
        #expect(try await served.submit("/login", "token=\(Self.token)").status == 303)
    }

    @Test func `guessing by a field is slowed down as well`() async throws {
        let served = try await ServedNetwork { $0.token = Self.token }
        var statuses: Set<Int> = []
        for _ in 0..<15 {
            statuses.insert(try await served.get("/metrics", ["Authorization": "Bearer guess"]).status)
        }
        #expect(statuses == [401, 429])
        #expect(try await served.submit("/login", "token=guess").status == 429)
    }

    @Test func `logging out ends the session, and its streams`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.token = Self.token
            configuration.heartbeat = .milliseconds(50)
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
