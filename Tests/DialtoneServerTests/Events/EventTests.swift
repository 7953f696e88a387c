// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

@Suite(.real)
struct EventTests {
    /// Parses the events in a part of a stream.
    private func events(_ text: String) -> [(id: String, name: String, data: String)] {
        text.components(separatedBy: "\n\n").compactMap { block in
            let pairs = block.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
            let fields = Dictionary(
                pairs.filter { $0.count == 2 }.map { ($0[0], $0[1].trimmingCharacters(in: .whitespaces)) },
                uniquingKeysWith: { $0 + "\n" + $1 })
            guard let id = fields["id"], let name = fields["event"], let data = fields["data"] else { return nil }
            return (id, name, data)
        }
    }

    @Test func `the current state comes first, then each change`() async throws {
        let served = try await ServedNetwork()
        let listener = try await served.listen()
        let first = try await listener.read(until: "\"connectivity\":\"online\"")
        #expect(first.contains("event: connectivity"))
        served.network.become(.offline)
        let second = try await listener.read(until: "\"connectivity\":\"offline\"")
        #expect(second.contains("event: connectivity"))
        #expect(try await listener.read(until: "\n\n").contains("noCarrier"))
    }

    @Test func `a reconnecting client gets the events it missed, once`() async throws {
        let served = try await ServedNetwork()
        let listener = try await served.listen()
        let text = try await listener.read(until: "online") + listener.read(until: "\n\n")
        let last = try #require(events(text).last)
        for path in [SimulatedPath.offline, .wired, .cellular] { served.network.become(path) }
        let later = try await listener.read(until: "wwan0") + listener.read(until: "\n\n")
        let missed = events(later)

        let back = try await served.listen(["Last-Event-ID": last.id])
        let again = events(try await back.read(until: "wwan0") + back.read(until: "\n\n"))
        #expect(again.map(\.id) == missed.map(\.id))
        #expect(again.map(\.data) == missed.map(\.data))

        let stranger = try await served.listen(["Last-Event-ID": "other-1"])
        let fresh = events(try await stranger.read(until: "wwan0") + stranger.read(until: "\n\n"))
        #expect(fresh.count == 1)
        #expect(fresh.first?.data.contains("wwan0") == true)
    }

    @Test(.timeLimit(.minutes(2))) func `a listener that may no longer wait does not begin to`() async {
        let hub = EventHub(series: "a", keepAlive: .seconds(3600), listenerLimit: 1)
        // It is not registered yet, so this does not wake it.
        hub.recheck()
        guard case .end = await hub.next(after: 0, if: { false }) else {
            Issue.record("it continues")
            return
        }
    }

    @Test func `a stream without events sends heartbeats`() async throws {
        let served = try await ServedNetwork { $0.keepAlive = .milliseconds(50) }
        let listener = try await served.listen()
        _ = try await listener.read(until: "online")
        for _ in 0..<3 { _ = try await listener.read(until: ": heartbeat\n\n") }
    }

    @Test func `listeners above the limit are refused, and a released slot can be used again`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.streams = 2
            configuration.keepAlive = .milliseconds(20)
        }
        let first = try await served.listen()
        do {
            let second = try await served.listen()
            _ = try await (first.read(until: "online"), second.read(until: "online"))
            #expect(try await served.get("/events").status == 503)
            #expect(try await RawClient.ask(served.port, "HEAD", "/events").status == 503)
        }
        try await eventually {
            let client = try RawClient(served.port)
            try client.send(RawClient.text(served.port, "GET", "/events"))
            return try await client.read(until: "\r\n\r\n").contains("200 OK")
        }
    }
}
