// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

@testable import DialtoneDemo
@testable import DialtoneServer

struct DemoHistoryTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let demo = DemoHistory(now: now)

    private static func overview(of demo: DemoHistory, from start: Date, to end: Date) -> TimelineOverview {
        TimelineOverview(from: start, to: end, transitions: demo.transitions, columns: TimelineMarks.columns)
    }

    @Test func `the generated history has every kind of time, and ends online`() throws {
        let overview = Self.overview(of: Self.demo, from: Self.now - 90 * 86_400, to: Self.now)
        for state in [HistoryState.online, .offline, .noInternet, .limited, .captivePortal, .asleep, .notWatching] {
            #expect(overview.summary.seconds[state, default: 0] > 0, "\(state)")
        }
        #expect(overview.summary.outages > 100)
        let availability = try #require(overview.summary.availability)
        #expect((0.9..<0.999).contains(availability))
        #expect(Self.demo.transitions.last?.state == .online)
        let times = Self.demo.transitions.map(\.time)
        #expect(times == times.sorted())
        // Once a week.
        #expect((12...13).contains(Self.demo.transitions.count { $0.state == .captivePortal }))
    }

    @Test func `the same time always has the same state and latency`() {
        let later = DemoHistory(now: Self.now + 7200)
        let (start, end) = (Self.now - 10 * 86_400, Self.now - 86_400)
        #expect(
            Self.overview(of: Self.demo, from: start, to: end) == Self.overview(of: later, from: start, to: end))
        func minutes(_ demo: DemoHistory) -> [HopMinute] {
            demo.minutes.filter { $0.start >= Self.now - 86_400 && $0.start < Self.now }
        }
        #expect(minutes(Self.demo) == minutes(later))
    }

    @Test(.real) func `it is recorded as a run of 90 days, which ends now`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let reading = ClockReading.now()
        await DemoHistory.record(in: directory, at: reading)
        let history = await HistoryStore.open(at: directory)
        #expect(history.status.isHealthy)
        let now = reading.wall
        let timeline = try await history.timeline(from: now - 90 * 86_400, to: now)
        let generated = Self.overview(of: DemoHistory(now: now), from: now - 90 * 86_400, to: now)
        #expect(timeline.summary.outages == generated.summary.outages)
        let unknown =
            timeline.summary.seconds[.unknown, default: 0] + timeline.summary.seconds[.notWatching, default: 0]
        #expect(abs(unknown - generated.summary.seconds[.notWatching, default: 0]) < 120, "\(timeline.summary)")
        let hops = try await history.hops(from: now - 90 * 86_400, to: now, limit: .max)
        for length in [60.0, 3600] { #expect(hops.count { $0.length == length } > 3 * 1000, "\(length)") }
        await history.close()
    }
}
