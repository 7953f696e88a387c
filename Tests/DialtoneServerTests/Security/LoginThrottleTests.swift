// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DialtoneServer

struct LoginThrottleTests {
    /// Records log lines.
    private struct Handler: LogHandler {
        let lines: Recorder<String>
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        init(_ lines: Recorder<String>) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).map { "\($0)=\($1)" }.joined(separator: " ")
            lines.record("\(event.message) \(values)")
        }
    }

    @Test func `one line summarises the failures that are not logged one by one`() async throws {
        let lines = Recorder<String>()
        let throttle = LoginThrottle(
            time: .seconds(60), limit: 2, summaryInterval: .milliseconds(50),
            logger: Logger(label: "test") { _ in Handler(lines) })
        for _ in 0..<500 { _ = throttle.attempt(nil, by: "form") { false } }
        #expect(try await lines.next { $0.hasPrefix("more") } == "more logins refused count=490")
        #expect(lines.values.count == 11)
        #expect(throttle.failures == 500)
    }

    @Test func `attempts are counted per client, and compared only below the limit`() throws {
        let throttle = LoginThrottle(
            time: .seconds(60), limit: 2, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let peers = try ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.1"]
            .map { Peer(try #require(NetworkAddress($0))) }
        #expect(peers[2] == peers[3] && peers[2] != peers[4] && peers[0] == peers[5])
        let local = try ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.3"]
            .map { Peer(try #require(NetworkAddress($0))) }
        #expect(Set(local).count == 1 && !peers.contains(local[0]))
        for _ in 0..<2 { #expect(throttle.attempt(peers[0], by: "form") { false } == .wrong) }
        #expect(throttle.attempt(peers[0], by: "form") { true } == .refused)
        #expect(throttle.attempt(peers[1], by: "form") { true } == .right)
    }
}
