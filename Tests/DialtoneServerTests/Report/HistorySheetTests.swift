// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

struct HistorySheetTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func transition(
        _ seconds: Double, _ state: HistoryState, _ fault: ConnectivityFault? = nil, cause: String? = nil,
        margin: Double = 0, reason: String? = nil, interface: String = "eth0"
    ) -> HistoryTransition {
        HistoryTransition(
            time: start + seconds, earliest: start + seconds - margin, state: state,
            cause: cause.map(HistoryCause.init(rawValue:)), interfaceName: interface, interfaceType: "wiredEthernet",
            reason: reason, fault: fault)
    }

    /// The sheet of a day, watched from its first second.
    private static func sheet(
        _ transitions: [HistoryTransition], silences: [Silence] = [], hops: [HopPeriod] = [],
        machine: String = "tester", in language: ReportWording.Language = .english
    ) -> HistorySheet {
        HistorySheet(
            Timeline(
                from: start, to: start + 86_400, transitions: [transition(0, .online)] + transitions, silences: silences
            ),
            hops: hops, machine: machine, made: start + 90_000, in: language)
    }

    private static func silence(_ start: Double, _ end: Double, router: Int, beyond: Int) -> Silence {
        Silence(
            earliestStart: Self.start + start - 4, start: Self.start + start, earliestEnd: Self.start + end - 0.5,
            end: Self.start + end, isDrop: true,
            counts: [HopCount(.router, sent: router, answered: router), HopCount(.beyond, sent: beyond, answered: 0)])
    }

    /// The texts of the cells of each row of a table below a heading.
    private static func rows(_ text: String, below heading: String) throws -> [[String]] {
        let part = try #require(text.components(separatedBy: "<h2>\(heading)</h2>").dropFirst().first)
        let table = try #require(part.components(separatedBy: "</table>").first).replacing(/<\/?span[^>]*>/, with: "")
        return table.components(separatedBy: "<tr>").dropFirst().map { row in
            row.matches(of: /<t[hd][^>]*>([^<]*)</).map { String($0.output.1) }
        }
    }

    @Test func `the sheet has the outages by side, and each with its times, margin and evidence`() throws {
        let sheet = Self.sheet(
            [
                Self.transition(3600, .noInternet, .provider, cause: "provider", margin: 5),
                Self.transition(4350, .online, margin: 4),
                Self.transition(7200, .offline, .machine, cause: "noCarrier"), Self.transition(7212, .online),
                Self.transition(9000, .captivePortal, .portal), Self.transition(9060, .asleep, cause: "suspended"),
                Self.transition(80_000, .online),
            ],
            silences: [Self.silence(3601, 4350, router: 9, beyond: 12), Self.silence(5000, 5004, router: 2, beyond: 7)])
        let text = sheet.text
        #expect(
            try Self.rows(text, below: "Outages by side") == [
                ["Side", "Outages", "Total time", "Margin"],
                ["This machine or its link", "1", "12 s", "none"], ["The router", "0", "0 s", "none"],
                ["Login page of the network", "1", "1 min", "none"],
                ["Beyond the router", "1", "12 min 30 s", "± 5 s"], ["All", "3", "13 min 42 s", "± 5 s"],
            ])
        func time(_ seconds: Double) -> String { LocalTime.text(Self.start + seconds, .second) }
        let rows = try Self.rows(text, below: "Outages")
        #expect(rows.count == 7)
        #expect(rows[1] == ["1", time(3600), time(4350), "12 min 30 s", "± 5 s", "Beyond the router"])
        let evidence = try #require(rows[2].last)
        #expect(
            evidence.hasPrefix(
                "No packet came back from beyond this machine&#39;s own network. Packets answered during it: ")
        )
        #expect(evidence.contains(": the router 9 of 9, beyond the router 0 of 12. Link: eth0 (wired Ethernet). "))
        #expect(evidence.hasSuffix("Started at most 5 s earlier, ended at most 4 s earlier."))
        #expect(rows[3] == ["2", time(7200), time(7212), "12 s", "none", "This machine or its link"])
        #expect(rows[6].last?.hasSuffix("No longer watched.") == true)
        #expect(
            try Self.rows(text, below: "Time that is not known") == [
                ["This machine was", "Total time", "Share of the period"],
                ["Asleep or off", "19 h 42 min 20 s", "82.10 %"], ["All", "19 h 42 min 20 s", "82.10 %"],
            ])
        #expect(
            try Self.rows(text, below: "Drops") == [
                ["Began", "Ended", "Duration", "Margin", "Packets answered"],
                [time(5000), time(5004), "4 s", "± 4 s", "the router 2 of 2, beyond the router 0 of 7"],
                ["All (1)", "4 s", "", ""],
            ])
        for (name, value) in [
            ("Machine", "tester"), ("Link", "eth0 (wired Ethernet)"),
            ("Period", "\(time(0)) to \(time(86_400)), 1 d"), ("Times", "local, UTC\(LocalTime.offset(Self.start))"),
            ("Available", "94.68 % ± 0.03 % of the known time (4 h 17 min)"),
        ] { #expect(text.contains("<dt>\(name)</dt><dd>\(value)</dd>"), "\(name)") }
        #expect(!text.contains("<h2>Outages shorter than their margin</h2>"))
    }

    @Test func `outages shorter than their margin are listed apart, and counted`() throws {
        let text = Self.sheet([
            Self.transition(100, .noInternet, .provider, margin: 4), Self.transition(103, .online, margin: 5),
            Self.transition(200, .noInternet, .provider, margin: 4), Self.transition(205, .online, margin: 5),
        ]).text
        #expect(try Self.rows(text, below: "Outages").filter { $0.first != "" }.map(\.first) == ["No.", "2"])
        let short = try Self.rows(text, below: "Outages shorter than their margin")
        #expect(short.filter { $0.first != "" }.map(\.first) == ["No.", "1"])
        #expect(try Self.rows(text, below: "Outages by side").last == ["All", "2", "8 s", "± 10 s"])
        let only = Self.sheet([
            Self.transition(100, .noInternet, .provider, margin: 4), Self.transition(103, .online, margin: 4),
        ]).text
        #expect(only.contains("<h2>Outages</h2>\n<p>None that is longer than its margin.</p>"))
    }

    @Test func `a period without outages or records says so`() {
        let quiet = Self.sheet([]).text
        #expect(quiet.contains("<h2>Outages</h2>\n<p>None.</p>"))
        #expect(quiet.contains("None: this machine was watched during the whole period."))
        let empty = HistorySheet(
            Timeline(from: Self.start, to: Self.start + 60, transitions: []), hops: [], machine: "tester",
            made: Self.start + 90_000
        ).text
        #expect(empty.contains("<dt>Available</dt><dd>Nothing was recorded in this time</dd>"))
        #expect(empty.contains("<dt>Link</dt><dd>not known</dd>"))
    }

    @Test func `no address, network name, login page or host leaves the house`() throws {
        let secrets = [
            "192.168.178.1", "10.0.0.1:3128", "203.0.113.9", "fe80::1%wlan0", "fd00::53", "02:42:ac:11:00:02",
            "http://login.hotel.example/?mac=0242ac110002", "Our Wi-Fi", "nas.home.arpa", "example.com",
        ]
        let states: [HistoryState] = [.offline, .requiresConnection, .captivePortal, .noInternet, .limited]
        let causes =
            [nil, "192.168.178.1", "partial"] + PathDiagnosis.Reason.allCases.map(\.rawValue)
            + InternetCheck.NoInternetReason.allCases.map(\.rawValue) + ConnectivityFault.allCases.map(\.rawValue)
        var transitions: [HistoryTransition] = []
        for fault in ConnectivityFault.allCases + [nil] {
            for (state, cause) in states.flatMap({ state in causes.map { (state, $0) } }) {
                let time = Double(transitions.count + 1) * 10
                let secret = secrets[transitions.count / 2 % secrets.count]
                transitions.append(
                    Self.transition(
                        time, state, fault, cause: cause, reason: "The router (\(secret)) does not answer “\(secret)”.",
                        interface: "enx0242ac110002"))
                transitions.append(Self.transition(time + 10, .online, interface: "enx0242ac110003"))
            }
        }
        let sheet = Self.sheet(transitions)
        let text = sheet.text
        let entries = text.components(separatedBy: "class=\"evidence\"").count - 1
        #expect(entries == transitions.count / 2)
        for secret in secrets + ["0242ac110002", "0242ac110003", "http", "src=", "://"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.contains("Link: enx… (wired Ethernet).") && text.lowercased().contains("moved to enx…"))
        for pattern in ["[0-9]+\\.[0-9]+\\.[0-9]+", "([0-9a-f]{2}:){5}", "[0-9a-f]+::"] {
            #expect(try !text.contains(Regex(pattern)), "\(pattern)")
        }
        // The word has its place in the advice, beside the limits of this evidence.
        let paragraphs = text.components(separatedBy: "\n").filter { $0.contains("provider") }
        #expect(paragraphs.count == 1)
        #expect(
            paragraphs.first?.contains("a broken cable or modem, or a wrong login, between the router and the provider")
                == true)
    }

    @Test func `an agreed availability has the time that it allows, and what was used`() {
        var sheet = Self.sheet([
            Self.transition(3600, .noInternet, .provider, margin: 5), Self.transition(4200, .online),
            Self.transition(5000, .offline, .machine), Self.transition(5060, .online),
        ])
        sheet.agreed = 0.995
        sheet.note = "Customer <12345>"
        let text = sheet.text
        #expect(
            text.contains(
                """
                <dt>Agreed</dt><dd>99.50 %, which allows 7 min 12 s without the Internet in this period. Without it: 11 min ± 5 s, \
                more than allowed; of that beyond the router: 10 min ± 5 s, more than allowed</dd>
                """))
        #expect(text.contains("<dt>Note</dt><dd>Customer &lt;12345&gt;</dd>"))
        // 0.7 % of a day are 604.8 s.
        for (agreed, verdict) in [
            (0.993, "too close to say whether it is allowed"), (0.992, "as allowed"), (0.994, "more than allowed"),
        ] {
            sheet.agreed = agreed
            #expect(sheet.text.contains("of that beyond the router: 10 min ± 5 s, \(verdict)</dd>"))
        }
    }

    @Test func `the times that are not known are listed, the longest ones`() throws {
        let transitions = (0..<14).flatMap { number in
            let start = 1000 + Double(number) * 3600
            return [
                Self.transition(start, .asleep), Self.transition(start + 60 + Double(number), .online),
                Self.transition(start + 1800, .asleep), Self.transition(start + 1830, .online),
            ]
        }
        let part = try #require(
            Self.sheet(transitions).text.components(separatedBy: "<h2>Time that is not known</h2>").last)
        let tables = part.components(separatedBy: "</table>")
        let durations = tables[1].matches(of: /<td class="number">([^<]*)</).map { String($0.output.1) }
        #expect(durations == (2..<14).map { "1 min \($0) s" })
        #expect(tables[2].contains("And 2 shorter ones, 2 min 1 s in total."))
    }

    @Test func `the sheet in German has no English word of the other one`() {
        let transitions = [
            Self.transition(3600, .noInternet, .provider, cause: "allSilent", margin: 5),
            Self.transition(4200, .online),
            Self.transition(5000, .offline, .machine, cause: "noCarrier"), Self.transition(5060, .asleep),
        ]
        let text = Self.sheet(
            transitions, silences: [Self.silence(600, 604, router: 2, beyond: 7)], in: .german
        ).text
        #expect(text.contains("Kurze Aussetzer") && text.contains("Router 2 von 2, hinter dem Router 0 von 7"))
        #expect(text.contains("<html lang=\"de\">") && text.contains("<h1>Internetausfälle am Gerät tester</h1>"))
        #expect(text.contains("Aufgezeichnete Ursache: Kein Signal an eth0: Steckt das Kabel?"))
        #expect(text.contains("Weder der Router noch etwas dahinter antwortet."))
        #expect(
            text.contains("<td class=\"number\">Hinter dem Router</td>") || text.contains("<td>Hinter dem Router</td>"))
        for word in ["Outage", " the ", "Margin", "not known", "Side<"] { #expect(!text.contains(word), "\(word)") }
    }

    @Test func `the times in which the heartbeat counted nothing are listed, without those of outages`() throws {
        func minute(_ start: Double, _ length: Double) -> HopPeriod {
            HopPeriod(
                start: Self.start + start, length: length, hop: .beyond, statistics: HopStatistics([.milliseconds(9)]))
        }
        let text = Self.sheet(
            [
                Self.transition(3600, .noInternet, .provider), Self.transition(4200, .online),
                Self.transition(50_400, .asleep),
            ],
            hops: [minute(0, 3600), minute(4260, 3600), minute(8400, 42_000)]
        ).text
        let rows = try Self.rows(text, below: "Time without a heartbeat")
        func time(_ seconds: Double) -> String { LocalTime.text(Self.start + seconds, .second) }
        #expect(rows == [["From", "To", "Duration"], [time(7860), time(8400), "9 min"]])
    }

    @Test func `the picture has a row for each day, and the evenings are beside the other hours`() throws {
        // 18 to 23 h of the first day, in the local time of this process.
        let day = try #require(LocalDay.days(from: Self.start, to: Self.start + 1).first)
        let evening = day.evening.lowerBound.timeIntervalSince(Self.start)
        let start = day.start.timeIntervalSince(Self.start)
        let timeline = Timeline(
            from: day.start, to: day.start + 3 * 86_400,
            transitions: [
                Self.transition(start, .online), Self.transition(evening + 600, .noInternet, .provider),
                Self.transition(evening + 1200, .online), Self.transition(evening + 90_000, .asleep),
            ])
        let hops = [
            HopPeriod(
                start: day.evening.lowerBound, length: 3600, hop: .beyond,
                statistics: HopStatistics([.milliseconds(40), nil])),
            HopPeriod(start: day.start, length: 3600, hop: .beyond, statistics: HopStatistics([.milliseconds(20)])),
        ]
        let text = HistorySheet(timeline, hops: hops, machine: "tester", made: Self.start).text
        #expect(text.components(separatedBy: "class=\"down\" d=\"M").count == 2)
        #expect(text.components(separatedBy: "class=\"known\"").count == 4)
        #expect(text.contains(">33.33 %</text>") && text.contains(">20 ms</text>"))
        let rows = try Self.rows(text, below: "Evenings and other hours")
        #expect(
            rows.dropFirst(2) == [
                ["Outages", "1", "0"], ["Without Internet", "10 min", "0 s"], ["Lost at the router", "–", "–"],
                ["Lost beyond it", "50 %", "0 %"], ["Round trip", "40 ms", "20 ms"],
            ])
        #expect(rows[1].first == "Available" && rows[1].last == "100 %")
    }

    @Test func `a picture of years is bounded, and its columns are`() {
        var transitions = [Self.transition(0, .online)]
        for number in 0..<3000 {
            transitions.append(Self.transition(Double(number) * 1000 + 10, .noInternet, .provider))
            transitions.append(Self.transition(Double(number) * 1000 + 20, .online))
        }
        let timeline = Timeline(from: Self.start, to: Self.start + 400 * 86_400, transitions: transitions)
        let picture = SheetDays(timeline, [], ReportWording.Language.english.wording).html?.description ?? ""
        #expect(picture.components(separatedBy: "class=\"known\"").count == 93)
        #expect(picture.contains("The latest 92 days of the period.") && picture.utf8.count < 100_000)
    }

    @Test func `names are escaped`() {
        let text = Self.sheet(
            [Self.transition(10, .offline, .machine, cause: "noCarrier", interface: "<i>\u{202E}")],
            machine: "</title><script>alert('x')</script>"
        ).text
        #expect(!text.contains("<script") && !text.contains("<i>") && !text.contains("\u{202E}"))
        #expect(text.contains("&lt;/title&gt;&lt;script&gt;") && text.contains("Link: &lt;i&gt;\u{FFFD}"))
    }

    @Test(arguments: [
        ("eth0", "eth0"), ("wlp3s0", "wlp3s0"), ("enx0242ac110002", "enx…"), ("wlx0242AC110002", "wlx…"),
        ("0242ac110002", "…"), ("deadbeef", "deadbeef"), ("wg-home.internal", "wg-home.internal"),
    ]) func `a hardware address in the name of an interface is removed`(name: String, shown: String) {
        #expect(HistorySheet.publicName(name) == shown)
    }

    @Test func `the command of the raw data covers the period`() throws {
        let text = HistorySheet(
            Timeline(from: Self.start + 0.4, to: Self.start + 60.2, transitions: []), hops: [], machine: "tester",
            made: Self.start + 90_000
        ).text
        let command = try #require(text.firstMatch(of: /<code>(.+)<\/code>/)).output.1.replacing(/<[^>]+>/, with: "")
        let parts = try #require(command.wholeMatch(of: /dialtone history --csv --outages --since (\S+) --until (\S+)/))
        for (written, time) in [(parts.output.1, Self.start), (parts.output.2, Self.start + 61)] {
            #expect(PointInTime(String(written))?.date(now: .sample) == time)
        }
    }
}
