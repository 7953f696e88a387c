//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
    }
}
