// SPDX-License-Identifier: Apache-2.0

import Dialtone
package import DialtoneHistory
package import SystemSupport

/// A period of the history as one page of HTML without scripts and other files, to print or to hand over to a provider or a
/// landlord.
///
/// It leaves the house: it has the names of this machine and its interfaces, but no address, network name, login page or watched
/// host. Its sentences are built from the recorded codes, so that nothing that the network chose can appear in it.
package struct HistorySheet {
    private let timeline: Timeline
    private let hops: [Int64: [HopPeriod]]
    private let machine: String
    private let made: Date
    /// What the server's page has in addition; nil for the command's output.
    var served: Served?

    /// The additions of the server's page.
    struct Served {
        /// The other months to show.
        let months: [String]
        /// The nonce by which the content security policy allows the style.
        let styleNonce: String
    }

    /// Creates the sheet of a timeline.
    ///
    /// - Parameters:
    ///   - timeline: the timeline, with all of its outages.
    ///   - hops: the periods of the hops in its window.
    ///   - machine: the name of this machine.
    ///   - made: the current time.
    package init(_ timeline: Timeline, hops: [HopPeriod], machine: String, made: Date) {
        self.timeline = timeline
        self.hops = Dictionary(grouping: hops) { Self.hour($0.start) }
        self.machine = machine
        self.made = made
    }

    /// The text of the page.
    package var text: String { html.description }

    private var title: String { "Internet outages of \(machine)" }

    private var html: HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light">
        <title>\(title), \(Self.date(timeline.start))</title>
        <style\(served.map { " nonce=\"\($0.styleNonce)\"" as HTML })>\(Self.style)</style>
        </head>
        <body>
        \(served.map(navigation))
        <main>
        <h1>\(title)</h1>
        \(facts)
        <p>\(Self.method)</p>
        <h2>Outages by side</h2>
        \(sides)
        <p>\(Self.advice)</p>
        \(outages)
        <h2>Time that is not known</h2>
        \(unknown)
        <h2>Raw data</h2>
        <p>This command prints the same outages as comma-separated values on \(machine): \(command)</p>
        </main>
        </body>
        </html>
        """
    }

    /// The links above the sheet, which are not printed.
    private func navigation(_ served: Served) -> HTML {
        let months: [HTML] = served.months.map { "<a href=\"/report?month=\($0)\">\($0)</a>" }
        let bounds = wholeSeconds.map { $0.milliseconds / 1000 }
        return """
            <nav>\(months)<a href="/api/history.csv?kind=outages&amp;from=\(bounds[0])&amp;to=\(bounds[1])" download>\
            Outages as CSV</a><a href="/">Dashboard</a></nav>
            """
    }

    private var facts: HTML {
        let lines: [(String, String)] = [
            ("Machine", machine), ("Link", link ?? "not known"),
            ("Period", "\(time(timeline.start)) to \(time(timeline.end)), \(Figures.duration(length))"),
            ("Times", zone), ("Available", available), ("Made", "\(time(made)) by dialtone"),
        ]
        return "<dl>\(lines.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as HTML })</dl>"
    }

    private var length: Double { timeline.end.timeIntervalSince(timeline.start) }

    private var available: String {
        guard let availability = HistoryWording.availability(timeline.summary) else {
            return HistoryWording.available(timeline.summary).withoutFullStop
        }
        let known = timeline.summary.seconds(.up) + timeline.summary.seconds(.down)
        return "\(availability) of the known time (\(Figures.duration(known)))"
    }

    /// The interfaces that were in use, the one with the most time first.
    private var link: String? {
        var seconds: [String: Double] = [:]
        for span in timeline.spans where span.state.isWatched {
            guard let name = Self.interface(span) else { continue }
            seconds[name, default: 0] += span.length
        }
        let names = seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The name and the type of an interface.
    private static func interface(_ record: some StateRecordProtocol) -> String? {
        record.interfaceName.map { "\(publicName($0)) (\(Wording.type(HistoryWording.interfaceType(record))))" }
    }

    /// The name of an interface without the hardware address that some names have, such as `enx0242ac110002`.
    static func publicName(_ name: String) -> String {
        let address = name.suffix(12)
        return name.count > 12 && address.allSatisfy(\.isHexDigit) ? name.dropLast(12) + "…" : name
    }

    private static let method = """
        The program dialtone on this machine recorded what the operating system reports about the link, and the answers of the \
        router, of name servers and of the servers of several operators to small requests, as far as these are enabled. An outage \
        lasts from its first sign to the first sign that the Internet is there again; the margin is the time since the opposite \
        was last seen, by which the duration may differ from the truth.
        """

    private static let advice = """
        What to do: if most of the time was lost beyond the router, hand this sheet to the provider, or to whoever runs the \
        connection of the house; if it was lost at the router, to whoever owns the router. This cannot tell a fault of the \
        provider from a broken cable or a wrong login between the router and the provider: both look the same from this machine.
        """

    private var sides: HTML {
        let summary = timeline.summary
        let rows: [HTML] = SideTotal.totals(timeline.outages).map { total in
            Self.row(HistoryWording.side(total.fault).sentenceCased, total.outages, total.seconds, total.margin)
        }
        return """
            <table><thead><tr><th scope="col">Side</th><th scope="col" class="number">Outages</th>\
            <th scope="col" class="number">Total time</th><th scope="col" class="number">Margin</th></tr></thead>
            <tbody>\(rows)</tbody>
            <tfoot>\(Self.row("All", summary.outages, summary.outageSeconds, summary.outageMargin))</tfoot></table>
            """
    }

    private static func row(_ name: String, _ outages: Int, _ seconds: Double, _ margin: Double) -> HTML {
        """
        <tr><th scope="row">\(name)</th><td class="number">\(outages)</td>\
        <td class="number">\(Figures.exactDuration(seconds))</td><td class="number">\(plusMinus(margin))</td></tr>\n
        """
    }

    private static func plusMinus(_ margin: Double) -> String {
        margin > 0 ? "± \(HistoryWording.margin(margin))" : "none"
    }

    private var outages: HTML {
        let numbered = timeline.outages.enumerated().map { (number: $0.offset + 1, outage: $0.element) }
        let certain = numbered.filter { $0.outage.length >= $0.outage.margin }
        let short = numbered.filter { $0.outage.length < $0.outage.margin }
        let list: HTML =
            certain.isEmpty ? "<p>None\(short.isEmpty ? "" : " that is longer than its margin").</p>" : table(certain)
        let apart: HTML? =
            short.isEmpty
            ? nil
            : """
            <h2>Outages shorter than their margin</h2>
            <p>Their durations are not reliable. The totals include them.</p>
            \(table(short))
            """
        return "<h2>Outages</h2>\n\(list)\n\(apart)"
    }

    private func table(_ outages: [(number: Int, outage: Outage)]) -> HTML {
        """
        <table class="outages"><thead><tr><th scope="col">No.</th><th scope="col">Began</th><th scope="col">Ended</th>\
        <th scope="col" class="number">Duration</th><th scope="col" class="number">Margin</th>\
        <th scope="col">Side</th></tr></thead>
        \(outages.map { entry($0.number, $0.outage) })</table>
        """
    }

    private func entry(_ number: Int, _ outage: Outage) -> HTML {
        var known = outage
        known.interfaceName = outage.interfaceName.map(Self.publicName)
        known.nextInterface = outage.nextInterface.map(Self.publicName)
        let notes = HistoryWording.notes(known, in: "this period")
        let evidence = [
            HistoryWording.evidence(known), HistoryWording.phases(outage).map { "In turn: \($0)." },
            hops(during: outage)?.words, Self.interface(outage).map { "Link: \($0)." },
            notes.isEmpty ? nil : notes.joined(separator: ", ").sentenceCased + ".",
        ]
        return """
            <tbody class="outage"><tr><th scope="row">\(number)</th><td>\(cell(outage.start))</td>\
            <td>\(cell(outage.end))</td><td class="number">\(Figures.exactDuration(outage.length))</td>\
            <td class="number">\(outage.startMargin == nil && outage.margin == 0 ? "not known" : Self.plusMinus(outage.margin))</td>\
            <td>\(HistoryWording.side(outage.fault).sentenceCased)</td></tr>
            <tr><td></td><td colspan="5" class="evidence">\(evidence.compactMap(\.self).joined(separator: " "))</td></tr></tbody>\n
            """
    }

    private func hops(during outage: Outage) -> OutageHops? {
        let hours = Self.hour(outage.start)...Self.hour(outage.end)
        return OutageHops(outage, hours.lazy.flatMap { hops[$0] ?? [] })
    }

    /// The number of the hour since 1970: no period of a hop is longer.
    private static func hour(_ time: Date) -> Int64 {
        Int64((Double(time.milliseconds) / 3_600_000).rounded(.down))
    }

    private var unknown: HTML {
        let states: [HistoryState] = [.asleep, .notWatching, .unknown, .unverified]
        let seconds = states.map { ($0, timeline.summary.seconds[$0, default: 0]) }
        let total = seconds.reduce(0) { $0 + $1.1 }
        guard total > 0 else { return "<p>None: this machine was watched during the whole period.</p>" }
        func row(_ name: String, _ seconds: Double) -> HTML {
            """
            <tr><th scope="row">\(name)</th><td class="number">\(Figures.exactDuration(seconds))</td>\
            <td class="number">\(Figures.percentage(seconds / length))</td></tr>\n
            """
        }
        return """
            <p>This time counts neither as available nor as an outage.</p>
            <table><thead><tr><th scope="col">This machine was</th><th scope="col" class="number">Total time</th>\
            <th scope="col" class="number">Share of the period</th></tr></thead>
            <tbody>\(seconds.filter { $1 > 0 }.map { row(HistoryWording.state($0).sentenceCased, $1) })</tbody>
            <tfoot>\(row("All", total))</tfoot></table>
            """
    }

    /// The local time, with its offset where that differs from the one at the start of the period.
    private func time(_ date: Date) -> String { LocalTime.text(date, .second) + otherOffset(date) }

    /// The same for a column, which is as narrow as the time without the offset.
    private func cell(_ date: Date) -> HTML {
        "<span class=\"time\">\(LocalTime.text(date, .second))</span>\(otherOffset(date))"
    }

    private func otherOffset(_ date: Date) -> String {
        let offset = LocalTime.offset(date)
        return offset == LocalTime.offset(timeline.start) ? "" : " (UTC\(offset))"
    }

    private var zone: String {
        let first = "local, UTC\(LocalTime.offset(timeline.start))"
        return LocalTime.offset(timeline.end) == LocalTime.offset(timeline.start)
            ? first : "\(first) unless another offset is given"
    }

    private static func date(_ date: Date) -> String { String(LocalTime.text(date, .day).prefix(10)) }

    /// The command that prints the outages of the period, to the second.
    private var command: HTML {
        let bounds = wholeSeconds.map { date in
            LocalTime.text(date, .second).replacing(" ", with: "T") + LocalTime.offset(date)
        }
        let parts: [HTML] = ["--csv", "--outages", "--since \(bounds[0])", "--until \(bounds[1])"]
        return "<code>dialtone history\(parts.map { " <span>\($0)</span>" as HTML })</code>"
    }

    /// The start and the end of the period, extended to whole seconds.
    private var wholeSeconds: [Date] {
        [
            Date(timeIntervalSince1970: (Double(timeline.start.milliseconds) / 1000).rounded(.down)),
            Date(timeIntervalSince1970: (Double(timeline.end.milliseconds) / 1000).rounded(.up)),
        ]
    }
}

extension HistorySheet {
    private static let style: HTML = """

        @page { margin: 16mm 14mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
        :root { color-scheme: only light; }
        * { box-sizing: border-box; }
        body { margin: 0; background: #fff; color: #111; font: 10pt/1.45 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
        main { max-width: 185mm; margin: 0 auto; padding: 8mm 4mm; }
        nav { display: flex; flex-wrap: wrap; gap: 0 2em; max-width: 185mm; margin: 0 auto; padding: 4mm; border-bottom: 1px solid #ccc; }
        nav a { color: #0b57a4; padding: .3em 0; }
        h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 4mm; }
        h2 { font-size: 12pt; margin: 6mm 0 2mm; }
        h2, h2 + p { break-after: avoid; }
        p { margin: 2mm 0; }
        dl { margin: 0 0 4mm; }
        dl div { display: flex; }
        dt { flex: 0 0 26mm; color: #444; }
        dd { margin: 0; font-weight: 600; }
        table { width: 100%; border-collapse: collapse; font-size: 9.5pt; break-inside: avoid; }
        .outages { break-inside: auto; }
        .outages th:not(:last-child) { width: 1%; }
        th, td { text-align: left; vertical-align: top; padding: 1mm 3mm 1mm 0; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
        th:last-child, td:last-child { padding-right: 0; }
        thead th { color: #444; font-weight: 600; border-bottom: 1.5px solid #111; }
        tbody th { font-weight: 400; }
        tfoot th, tfoot td { font-weight: 600; border-top: 1px solid #111; }
        tfoot { display: table-row-group; }
        .number { text-align: right; }
        .number, .time, code span { white-space: nowrap; }
        .outage { break-inside: avoid; border-bottom: 1px solid #ccc; }
        .outage tr + tr td { padding-top: 0; }
        .evidence { color: #333; font-size: 9pt; overflow-wrap: anywhere; }
        code { display: block; font: 9pt/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
        @media screen and (max-width: 640px) { .number, .time, code span { white-space: normal; } }
        @media print { nav { display: none; } main { max-width: none; padding: 0; } }

        """
}
