// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// A host whose samples a real vmagent keeps on disk during an outage, and a real VictoriaMetrics that receives them
/// afterwards.
///
/// The agent collects every half second instead of every 15 s: in twenty seconds it buffers as many samples as in ten minutes.
@Suite(
    .requires(.networkNamespaces), .requires(.program("vmagent")), .requires(.program("victoria-metrics")),
    .requires(.program("curl")))
struct VMAgentTests {
    /// The number of collections in each half of the outage.
    private static let half = 20

    @Test(arguments: [SIGTERM, SIGKILL])
    func `the store has an outage at its times, although the host restarted during it`(signal: Int32) async throws {
        let (lab, place) = (try RoutedLab(), try Workplace())
        let web = try TestServer(in: lab.internet, port: 80) { _ in .respond(status: 204, body: "") }
        let store = try await SampleStore(in: lab.internet, place)
        defer { withExtendedLifetime(web) { store.stop() } }
        try await lab.join()
        let first = try await ReportingHost(in: lab.client, place)
        try await store.waitUntilOne("dialtone_connectivity_state{state='online'}")

        let start = Date.wall.timeIntervalSince1970
        try await lab.setCable(connected: false)
        try await first.collect(Self.half)
        let collected = try await first.collections()
        try await first.end(by: signal)
        let restart = Date.wall.timeIntervalSince1970
        let second = try await ReportingHost(in: lab.client, place)
        defer { second.terminate() }
        try await second.collect(Self.half)
        let end = Date.wall.timeIntervalSince1970
        #expect(
            try await store.samples("max_over_time(dialtone_connectivity_state{state='offline'}[10m])").first?.value
                == 0)
        try await lab.setCable(connected: true)
        let plugged = Date.wall.timeIntervalSince1970
        try await store.waitUntilOne("dialtone_connectivity_state{state='online'}", after: end)

        // Every collection arrives, but after SIGKILL not those of the last seconds, which were not on disk yet.
        let up = try await store.samples("up[10m]").filter { $0.time < restart }
        #expect(up.count >= collected - (signal == SIGKILL ? 6 : 0), "\(up.count) of \(collected)")

        let online = try await store.samples("dialtone_connectivity_state{state='online'}[10m]")
        let offline = try await store.samples("dialtone_connectivity_state{state='offline'}[10m]").filter {
            $0.value == 1
        }
        for (half, period) in [start...restart, restart...end].enumerated() {
            let count = offline.count { period.contains($0.time) }
            let lost = half == 0 && signal == SIGKILL ? 6 : 0
            #expect(count >= Self.half * 3 / 4 - lost, "half \(half): \(count)")
        }
        let (firstTime, lastTime) = (try #require(offline.first).time, try #require(offline.last).time)
        #expect(firstTime > start && firstTime < start + 5)
        #expect(lastTime > end - 2 && lastTime < plugged + 15)
        #expect(!online.contains { $0.value == 1 && $0.time > firstTime && $0.time < lastTime })

        // While the host was offline, the counter of the outage's seconds grew as time did.
        let seconds = try await store.samples("dialtone_outage_seconds_total{fault='machine'}[10m]")
        try #require(firstTime < restart && restart < lastTime)
        for period in [firstTime...restart, restart...lastTime] {
            // A collection that fails leaves a sample that is no number.
            let counted = seconds.filter { period.contains($0.time) && !$0.value.isNaN }
            let (earlier, later) = (try #require(counted.first), try #require(counted.last))
            #expect(abs((later.value - earlier.value) - (later.time - earlier.time)) < 2)
        }
        let outages = try await store.samples("dialtone_outages_total[10m]")
        // The state and the counter change shortly after each other.
        #expect(abs(try #require(outages.first { $0.value == 1 }).time - firstTime) < 2)
        // Time in which `dialtone serve` did not run is not counted. The bounds are the samples around each half: on a busy
        // machine they are seconds apart.
        let halves = [
            offline.filter { $0.time < restart }.map(\.time), offline.filter { $0.time > restart }.map(\.time),
        ]
        let ran = halves.reduce(0) { $0 + ($1.last ?? 0) - ($1.first ?? 0) }
        let before = try #require(online.last { $0.value == 1 && $0.time < firstTime }).time
        let after = try #require(online.first { $0.value == 1 && $0.time > lastTime }).time
        let increase = try #require(await store.samples("sum(increase(dialtone_outage_seconds_total[10m]))").first)
            .value
        #expect(increase > ran - 1 && increase < after - before + 1, "\(increase) s, in halves of \(ran) s")
    }
}
#endif
