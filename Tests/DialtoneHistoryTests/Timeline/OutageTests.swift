// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Testing

struct OutageTests {
    /// The cause of a path that is never checked, and its code in histories of 1.0.0-rc.1.
    private static let (unchecked, passive) = (HistoryCause(.notChecked), HistoryCause(rawValue: "passive"))

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
        // Consecutive failure states are one outage, named by the longest; by the worst of several equally long ones.
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
        // Without checks, no doubt is left that could join two outages.
        (
            [
                Sample.transition(0, .unverified, unchecked), Sample.transition(10, .offline),
                Sample.transition(11, .unverified, unchecked), Sample.transition(19, .offline),
                Sample.transition(20, .unverified, unchecked),
            ], "10-11 offline undecided, 19-20 offline undecided"
        ),
        // The network state cannot be read for a moment; that is a doubt without checks, too.
        (
            [
                Sample.transition(0, .unverified, passive), Sample.transition(10, .offline),
                Sample.transition(11, .unknown), Sample.transition(12, .offline),
                Sample.transition(20, .unverified, passive),
            ], "10-20 offline undecided"
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

    static let rows: [(transitions: [HistoryTransition], notes: [String], seconds: Double)] = [
        (
            [
                Sample.transition(0, .online), Sample.transition(100, .noInternet, margin: 5),
                Sample.transition(200, .online, margin: 7.5),
            ], ["started at most 5 s earlier", "ended at most 8 s earlier"], 7.5
        ),
        // A report of the kernel has no margin.
        (
            [Sample.transition(0, .online), Sample.transition(100, .offline), Sample.transition(200, .online)], [], 0
        ),
        // Not observed, as in records of older versions.
        (
            [
                Sample.transition(0, .online), Sample.transition(100, .noInternet, margin: nil),
                Sample.transition(200, .online, margin: nil),
            ], ["may have started earlier"], 0
        ),
        // Another state in the same outage does not move its beginning; the end of the window is not its end.
        (
            [
                Sample.transition(0, .online), Sample.transition(100, .limited, margin: 60),
                Sample.transition(200, .noInternet, margin: 3),
            ], ["started at most 1 min earlier"], 60
        ),
        // It was in progress when the window began, or when the machine woke up.
        (
            [Sample.transition(-5, .offline, margin: 2), Sample.transition(200, .online)], ["may have started earlier"],
            0
        ),
        (
            [
                Sample.transition(0, .online), Sample.transition(50, .asleep),
                Sample.transition(60, .offline, margin: 9),
                Sample.transition(70, .online, margin: 1),
            ], ["may have started earlier", "ended at most 1 s earlier"], 1
        ),
        // The end is the first sign that the Internet was there, not the check that confirmed it.
        (
            [
                Sample.transition(0, .online), Sample.transition(100, .offline), Sample.transition(150, .unverified),
                Sample.transition(155, .online, margin: 4),
            ], [], 0
        ),
    ]

    @Test(arguments: rows) func `both ends of an outage have a margin`(
        transitions: [HistoryTransition], notes: [String], seconds: Double
    ) throws {
        let timeline = Sample.timeline(0, 1000, transitions)
        let outage = try #require(timeline.outages.first)
        #expect(timeline.outages.count == 1)
        #expect(ReportWording.english.margins(outage.startMargin, outage.endMargin) == notes)
        #expect(timeline.summary.outageMargin == seconds)
        #expect(outage.mayHaveBegunEarlier == notes.contains { $0.contains("started") })
    }

    @Test func `the margins are in the JSON, the CSV and the availability`() throws {
        let timeline = Sample.timeline(
            0, 1000,
            [
                Sample.transition(0, .online), Sample.transition(100, .noInternet, margin: 5),
                Sample.transition(200, .online, margin: 7.5),
            ])
        #expect(HistoryWording.availability(timeline.summary) == "90 % ± 0.75 %")
        let json = try HistoryReport(timeline).json()
        for text in [
            #""availabilityMargin":0.0075"#, #""outageMargin":7.5"#,
            #""earliestFrom":"2027-01-15T08:01:35.000Z","earliestTo":"2027-01-15T08:03:12.500Z""#,
            #""mayHaveBegunEarlier":true"#,
        ] { #expect(json.contains(text), "\(json)") }
        #expect(
            HistoryCSV.lines(outages: timeline.outages).last?
                .hasSuffix(
                    ",true,recovered,,2027-01-15T08:01:35.000Z,2027-01-15T08:03:12.500Z,,100.0 noInternet") == true)
        #expect(HistoryCSV.lines(spans: timeline.spans)[2].hasSuffix(",2027-01-15T08:01:35.000Z"))
    }

    @Test func `the phases and the next interface are in the JSON, the CSV and the words`() throws {
        var records = [
            Sample.transition(0, .online, nil, "eth0"),
            Sample.transition(10, .offline, HistoryCause(rawValue: "noCarrier"), "eth0"),
            Sample.transition(15, .noInternet, HistoryCause(.router), "eth0"),
            Sample.transition(40, .limited, nil, "eth0"), Sample.transition(60, .online, nil, "wlan0"),
        ]
        (records[1].record.fault, records[2].record.fault, records[3].record.fault) = (.machine, .router, .router)
        for index in records.indices { records[index].record.interfaceType = "wiredEthernet" }
        let timeline = Sample.timeline(0, 1000, records)
        let json = try HistoryReport(timeline).json()
        for text in [
            #""nextInterface":"wlan0","phases":[{"after":0,"cause":"noCarrier","fault":"machine","interface":"eth0""#,
            #"{"after":5,"cause":"router","fault":"router","interface":"eth0","interfaceType":"wiredEthernet","reason":null,"seconds":25,"#,
        ] { #expect(json.contains(text), "\(json)") }
        #expect(
            HistoryCSV.lines(outages: timeline.outages).last?
                .hasSuffix(
                    ",wlan0,5.0 offline machine noCarrier; 25.0 noInternet router router; 20.0 limited router") == true)
        let outage = try #require(timeline.outages.first)
        #expect(ReportWording.english.phases(outage) == "this machine or its link 5 s, then the router 45 s")
    }

    @Test func `an outage without a margin has none after the clock was set back over its beginning`() throws {
        let timeline = Sample.timeline(
            0, 1000,
            [
                Sample.transition(0, .online), Sample.transition(100, .noInternet, margin: 5),
                Sample.transition(200, .notWatching, .clockSet), Sample.transition(110, .noInternet, margin: nil),
                Sample.transition(300, .online, margin: 2),
            ])
        #expect(timeline.outages.first?.start == Sample.time(100))
        #expect(timeline.outages.first?.startMargin == 5)
        #expect(timeline.outages.last?.end == Sample.time(300) && timeline.outages.last?.endMargin == 2)
    }

    @Test func `an outage has the state, the cause and the interface that lasted longest`() throws {
        let (down, names) = (HistoryCause(rawValue: "allDown"), HistoryCause(rawValue: "dnsSilent"))
        let timeline = Sample.timeline(
            0, 1000,
            [
                // A link that was down for an instant, then a login page.
                Sample.transition(0, .online), Sample.transition(10, .offline, down, "eth0"),
                Sample.transition(10.02, .captivePortal, nil, "eth0"), Sample.transition(17, .online),
                // The longest cause of the longest state, although another state's cause lasted longer.
                Sample.transition(100, .limited, names, "eth0"), Sample.transition(103, .offline, down, "eth1"),
                Sample.transition(107, .limited, HistoryCause(.partial), "eth0"),
                Sample.transition(109, .limited, names, "wlan0"),
                Sample.transition(110, .online),
            ])
        let texts = timeline.outages.map { outage in
            "\(outage.length) \(outage.state) \(outage.cause?.rawValue ?? "-") \(outage.interfaceName ?? "-")"
        }
        #expect(texts == ["7.0 captivePortal - eth0", "10.0 limited dnsSilent eth0"])
        let report = try HistoryReport(timeline).json()
        #expect(report.contains("\"longestOutage\":{\"cause\":\"dnsSilent\""), "\(report)")
        let lines = HistoryCSV.lines(outages: timeline.outages)
        #expect(lines[1].contains(",7.0,captivePortal,,eth0,") && lines[2].contains(",10.0,limited,dnsSilent,eth0,"))
    }

    @Test func `equally long causes are named by the worst state and the first cause`() throws {
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
