// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import NetworkSimulation
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

/// The form that adds a host, and the button that removes it.
@Suite(.real)
struct HostFormTests {
    /// Submits a host that is rejected.
    ///
    /// - Returns: the page that the browser loads then.
    private func rejected(_ served: ServedNetwork, _ text: String) async throws -> String {
        let reply = try await served.submit("/hosts", "host=\(text)")
        let location = try #require(reply.fields["location"])
        #expect(reply.status == 303 && location.hasPrefix("/?entry=") && location.hasSuffix("#host"), "\(location)")
        return try await served.get(String(location.dropLast("#host".count))).body
    }

    @Test(arguments: [
        ("", "", ""), ("a+b", "a b", "&#39;a b&#39;."),
        ("%22%3E%3Cb%3Ex", "&quot;&gt;&lt;b&gt;x", "&#39;&quot;&gt;&lt;b&gt;x&#39;."),
        ("example.com%3A99999", "example.com:99999", "A port is a number from 1 to 65535: &#39;99999&#39;."),
        ("[%3A%3A1", "[::1", "The bracket is not closed: &#39;[::1&#39;."),
        (String(repeating: "a", count: 254), "", "A host has at most 253 characters."),
    ])
    func `an invalid host is explained beside the field, and what was entered is kept`(
        text: String, kept: String, problem: String
    ) async throws {
        let served = try await ServedNetwork()
        let page = try await rejected(served, text)
        #expect(page.contains("\(problem)</p>"), "\(page)")
        #expect(page.contains("id=\"host-error\"") && page.contains("aria-describedby=\"host-error host-hint\""))
        #expect(page.contains("aria-invalid=\"true\"") && page.contains(" value=\"\(kept)\""), "\(page)")
        #expect(try await served.get("/api/hosts").body == "[]\n")
        // The next page is without it, as is one with an unknown identifier.
        for target in ["/", "/?entry=0"] { #expect(try await !served.get(target).body.contains("aria-invalid")) }
    }

    @Test func `a password in a URL is neither in the address nor in the list`() async throws {
        let served = try await ServedNetwork()
        #expect(
            try await served.submit("/hosts", "host=ssh%3A%2F%2Fu%3Asecret%40127.0.0.1%3A9").fields["location"]
                == "/#hosts-title")
        let reply = try await served.submit("/hosts", "host=ssh%3A%2F%2Fu%3Asecret%40a%20b")
        #expect(reply.fields["location"]?.contains("secret") == false)
        let list = try await served.get("/api/hosts").body
        #expect(list.contains("\"name\":\"ssh://127.0.0.1:9\"") && !list.contains("secret"))
    }

    @Test func `a host is added once, and only a few at a time`() async throws {
        let served = try await ServedNetwork()
        #expect(try await served.submit("/hosts", "host=127.0.0.1%3A1").fields["location"] == "/#hosts-title")
        #expect(try await rejected(served, "127.0.0.1%3A1").contains(">127.0.0.1:1 is already watched.</p>"))
        for port in 3...5 { _ = try await served.submit("/hosts", "host=127.0.0.1%3A\(port)") }
        let page = try await rejected(served, "127.0.0.1%3A9")
        #expect(page.contains(">Too many requests. Try again shortly.</p>") && page.contains(" value=\"127.0.0.1:9\""))
    }

    @Test func `the number of added hosts is limited, and a place becomes free`() async throws {
        let served = try await ServedNetwork()
        let network = SimulatedNetwork(.wired)
        let monitor = try ConnectivityMonitor(simulating: network, .withoutJitter)
        let watch = HostWatch(
            { monitor.current }, interval: .seconds(30), connects: false, history: served.history, onChange: { _ in })
        defer { watch.stop() }
        for index in 0..<HostWatch.addedLimit { try watch.add(WatchedHost("h\(index).test"), .added) }
        #expect(throws: HostWatch.Refusal.tooMany) { try watch.add(WatchedHost("one.test"), .added) }
        // Configured hosts have no limit, and are not removed.
        try watch.add(WatchedHost("one.test"), .configured)
        #expect(throws: HostWatch.Refusal.duplicate) { try watch.add(WatchedHost("one.test"), .added) }
        watch.remove("one.test")
        #expect(watch.rows.count == HostWatch.addedLimit + 1)
        watch.remove("h7.test")
        try watch.add(WatchedHost("two.test"), .added)
        await served.history.flush()
        let stored = try await served.history.storedHosts().added
        #expect(stored.count == HostWatch.addedLimit && stored.contains("two.test") && !stored.contains("h7.test"))
    }

    @Test func `with a token, only a visitor who is logged in adds and removes hosts`() async throws {
        let served = try await ServedNetwork { $0.token = "correct-horse-battery" }
        #expect(try await served.submit("/hosts", "host=127.0.0.1").status == 401)
        let login = try await served.submit("/login", "token=correct-horse-battery")
        let cookie = ["Cookie": String(try #require(login.fields["set-cookie"]).prefix { $0 != ";" })]
        #expect(try await served.submit("/hosts", "host=127.0.0.1%3A1", cookie).fields["location"] == "/#hosts-title")
        #expect(try await served.get("/api/hosts", cookie).body.contains("\"name\":\"127.0.0.1:1\""))
        #expect(try await served.submit("/hosts", "remove=127.0.0.1%3A1").status == 401)
        #expect(try await served.get("/api/hosts", cookie).body.contains("\"name\":\"127.0.0.1:1\""))
        #expect(try await served.submit("/hosts", "remove=127.0.0.1%3A1", cookie).status == 303)
        #expect(try await served.get("/api/hosts", cookie).body == "[]\n")
    }

    @Test func `in a demo, visitors' hosts are few, are not stored, and cannot be removed`() async throws {
        let served = try await ServedNetwork { $0.isDemo = true }
        for index in 0..<5 { _ = try await served.submit("/hosts", "host=192.0.2.\(index)") }
        let rows = try await served.get("/api/hosts").body
        #expect(rows.matches(of: /"origin":"visitor"/).count == 4 && !rows.contains("192.0.2.0\""), "\(rows)")
        _ = try await served.submit("/hosts", "remove=192.0.2.4")
        #expect(try await served.get("/api/hosts").body.matches(of: /"origin":"visitor"/).count == 4)
        #expect(try await !served.get("/").body.contains("name=\"remove\""))
        await served.history.flush()
        #expect(try await served.history.storedHosts().added.isEmpty)
    }

    @Test func `the form is outside the part that the page's script replaces`() async throws {
        let served = try await ServedNetwork()
        let page = try await served.get("/").body
        #expect(page.contains("<input id=\"host\""))
        let parts = try #require(try await served.get("/parts").object?["parts"] as? [String: String])
        #expect(try #require(parts["hosts"]).contains("id=\"host\"") == false)
    }
}
