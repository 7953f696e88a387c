// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Testing

struct OutageTests {
    /// Start, end, state and ending of each outage, in short form.
    private func outages(_ transitions: [HistoryTransition]) -> String {
        Sample.timeline(0, 1000, transitions).outages.map { outage in
            let early = outage.mayHaveBegunEarlier ? " earlier" : ""
            return "\(Timeline.number(outage.start))-\(Timeline.number(outage.end)) \(outage.state) \(outage.ending)"
                + early
        }.joined(separator: ", ")
    }

    @Test(arguments: [
        ([Sample.transition(0, .online)], ""),
        (
            [Sample.transition(0, .online), Sample.transition(10, .offline), Sample.transition(20, .online)],
            "10-20 offline recovered"
        ),
        // Consecutive failure states are one outage, named by the worst.
        (
            [
                Sample.transition(0, .online), Sample.transition(10, .limited), Sample.transition(20, .offline),
                Sample.transition(30, .captivePortal), Sample.transition(40, .online),
            ], "10-40 offline recovered"
        ),
        // So are two failures with a short unknown state between them; an unknown state before the end does not count
        // as failure.
        (
            [
                Sample.transition(0, .online), Sample.transition(10, .offline), Sample.transition(20, .unverified),
                Sample.transition(25, .limited), Sample.transition(30, .unverified), Sample.transition(35, .online),
            ], "10-30 offline recovered"
        ),
        // Without checks, a path ends the outage.
        (
            [
                Sample.transition(0, .unverified), Sample.transition(10, .offline), Sample.transition(20, .unverified),
                Sample.transition(500, .offline), Sample.transition(510, .unverified),
            ], "10-20 offline undecided earlier, 500-510 offline undecided"
        ),
        // A sleep is not an outage, and ends one.
        (
            [
                Sample.transition(0, .online), Sample.transition(10, .offline), Sample.transition(20, .asleep),
                Sample.transition(90, .offline), Sample.transition(95, .online),
            ], "10-20 offline unwatched, 90-95 offline recovered earlier"
        ),
        // A crash during an outage: the outage ends where watching ended.
        (
            [
                Sample.transition(0, .online), Sample.transition(10, .offline), Sample.transition(20, .notWatching),
                Sample.transition(50, .unknown), Sample.transition(51, .online),
            ], "10-20 offline unwatched"
        ),
        ([Sample.transition(0, .online), Sample.transition(990, .offline)], "990-1000 offline windowEnd"),
        ([Sample.transition(-9, .offline), Sample.transition(5, .online)], "0-5 offline recovered earlier"),
        (
            [Sample.transition(0, .unknown), Sample.transition(1, .requiresConnection)],
            "1-1000 requiresConnection windowEnd earlier"
        ),
    ]) func `outages are derived from states`(transitions: [HistoryTransition], text: String) {
        #expect(outages(transitions) == text)
    }

    @Test func `an outage has the cause and the interface of its worst state`() throws {
        let timeline = Sample.timeline(
            0, 100,
            [
                Sample.transition(10, .limited, HistoryCause(rawValue: "timedOut"), "wlan0"),
                Sample.transition(20, .offline, HistoryCause(rawValue: "noCarrier"), "eth0"),
                Sample.transition(30, .offline, HistoryCause(rawValue: "noAddress"), "eth0"),
                Sample.transition(40, .online),
            ])
        let outage = try #require(timeline.outages.first)
        #expect(timeline.outages.count == 1)
        #expect(outage.cause?.rawValue == "noCarrier")
        #expect(outage.interfaceName == "eth0")
        #expect(outage.length == 30)
    }
}
