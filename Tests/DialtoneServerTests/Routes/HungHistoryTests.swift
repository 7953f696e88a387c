// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

/// A history on a disk that does not respond: all reads and writes of the store wait.
@Suite(.real, .timeLimit(.minutes(3)))
struct HungHistoryTests {
    @Test func `requests end with an error, and the server stops`() async throws {
        let served = try await ServedNetwork { configuration in
            configuration.limits.historyTime = .milliseconds(200)
            configuration.limits.grace = .milliseconds(100)
        }
        let disk = DispatchSemaphore(value: 0)
        defer { for _ in 0..<3 { disk.signal() } }
        let reader = try #require(served.history.state.withLock { $0.opening?.reader })
        let (waits, wait) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<2 {
            Task {
                try? await reader.read(in: served.directory) { _ in
                    wait.yield()
                    disk.wait()
                }
            }
        }
        served.history.queue.async {
            wait.yield()
            disk.wait()
        }
        for await _ in waits.prefix(3) {}

        for _ in 0..<4 {
            let past = try await served.get("/api/history")
            #expect(past.status == 503 && past.fields["retry-after"] != nil)
        }
        let page = try await served.get("/")
        #expect(page.status == 200 && page.body.contains("role=\"alert\">The history could not be read in time."))
        #expect(try await served.get("/api/status").status == 200)

        served.server.stop()
        try await served.running.value
    }
}
