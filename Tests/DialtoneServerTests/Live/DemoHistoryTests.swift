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
    private static let demo = DemoHistory(
        current: HistoryTransition(time: now - 100, state: .captivePortal, interfaceName: "wlan0"), now: now)

    @Test func `the generated history has every kind of time, and ends with the scene`() throws {
        let demo = Self.demo
        let overview = demo.timeline(from: Self.now - 91 * 86_400, to: Self.now + 10)
        for state in [HistoryState.online, .offline, .noInternet, .limited, .captivePortal, .asleep, .notWatching] {
            #expect(overview.summary.seconds[state, default: 0] > 0, "\(state)")
        }
        #expect(overview.summary.outages > 100)
        let availability = try #require(overview.summary.availability)
        #expect((0.9..<0.999).contains(availability))
        let last = try #require(overview.outages.last)
        #expect(last.state == .captivePortal && last.start == Self.now - 100 && last.end == Self.now)
        let times = demo.transitions.map(\.time)
        #expect(times == times.sorted())
        // Once a week, and the scene.
        #expect((13...14).contains(demo.transitions.count { $0.state == .captivePortal }))
    }

    @Test func `the same time always has the same state and latency`() {
        let later = DemoHistory(
            current: HistoryTransition(time: Self.now + 7100, state: .online), now: Self.now + 7200)
        let (start, end) = (Self.now - 10 * 86_400, Self.now - 86_400)
        #expect(Self.demo.timeline(from: start, to: end) == later.timeline(from: start, to: end))
        #expect(Self.demo.checks(from: start, to: end) == later.checks(from: start, to: end))
    }

    @Test(arguments: TimelineWindow.allCases)
    func `the checks fit the timeline`(window: TimelineWindow) {
        let checks = Self.demo.checks(from: Self.now - window.seconds, to: Self.now)
        #expect(checks.count <= HistorySection.maximumChecks && checks.count > HistorySection.maximumChecks / 2)
        for check in checks {
            #expect(check.meanLatency.map { (0.01..<0.2).contains($0) } ?? (check.verdicts[.noInternet] != nil))
        }
        if window == .hour { #expect(checks.last?.meanLatency == nil) }
    }

    @Test(.real) func `a scene shows the generated history, and nothing of it is recorded`() async throws {
        let served = try await ServedNetwork { $0.isDemo = true }
        _ = try await served.listen().read(until: "\"connectivity\":\"online\"")
        let real = try await served.get("/?window=quarter").body
        #expect(!real.contains("demo-history") && real.contains("/api/history.csv"))
        #expect(try await served.submit("/simulate", "scene=offline").status == 303)
        while true {
            let page = try await served.get("/?window=quarter").body
            guard page.contains("demo-history") else { continue }
            #expect(!page.contains("/api/history.csv") && page.contains(">Show more</summary>"))
            break
        }
        let file = try await served.get("/api/history.csv?from=0").body
        #expect(!file.contains("wlan0") && !file.contains("captivePortal"))
        #expect(try await served.submit("/simulate", "scene=").status == 303)
        #expect(!(try await served.get("/?window=quarter").body.contains("demo-history")))
    }
}
