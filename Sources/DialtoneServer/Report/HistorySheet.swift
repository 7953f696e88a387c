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
    private let hops: [HopPeriod]
    private let machine: String
    private let made: Date
    private let wording: ReportWording
    /// The availability that was agreed on, from 0 to 1; nil without one.
    package var agreed: Double?
    /// A line of the user, such as a customer number; nil without one.
    package var note: String?
    /// What the server's page has in addition; nil for the command's output.
    var served: Served?

    /// The additions of the server's page.
    struct Served {
        let month: String
        /// The other months to show.
        let months: [String]
        /// The nonce by which the content security policy allows the style.
        let styleNonce: String
    }

    /// Creates the sheet of a timeline.
    ///
    /// - Parameters:
    ///   - timeline: the timeline, with all of its outages.
    ///   - hops: the periods of the hops in its window, in order.
    package init(
        _ timeline: Timeline, hops: [HopPeriod], machine: String, made: Date,
        in language: ReportWording.Language = .english
    ) {
        self.timeline = timeline
        self.hops = hops
        self.machine = machine
        self.made = made
        wording = language.wording
    }

    package var text: String { html.description }

    private var title: String { wording.text(.title, machine) }

    private var html: HTML {
        let days = SheetDays(timeline, hops, wording)
        return """
            <!doctype html>
            <html lang="\(wording.language.rawValue)">
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
            <p>\(wording.text(.method))</p>
            \(heading(.sides))
            \(sides)
            <p>\(wording.text(.advice))</p>
            \(days.html)
            \(days.evenings)
            \(outages)
            \(heading(.drops))
            \(drops)
            \(heading(.unknownTime))
            \(unknown)
            \(heading(.unseen))
            \(unseen)
            \(heading(.rawData))
            <p>\(wording.text(.command, machine)) \(command)</p>
            </main>
            </body>
            </html>
            """
    }

    private func heading(_ label: ReportWording.Label) -> HTML { "<h2>\(wording.text(label))</h2>" }

    /// A heading of a column.
    private func column(_ label: ReportWording.Label, isNumber: Bool = false) -> HTML {
        "<th scope=\"col\"\(isNumber ? " class=\"number\"" as HTML : nil)>\(wording.text(label))</th>"
    }

    /// The links above the sheet, which are not printed.
    private func navigation(_ served: Served) -> HTML {
        let own = wording.language.rawValue
        let months: [HTML] = served.months.map { "<a href=\"/report?month=\($0)&amp;language=\(own)\">\($0)</a>" }
        let languages: [HTML] = ReportWording.Language.allCases.filter { $0 != wording.language }.map { other in
            """
            <a href="/report?month=\(served.month)&amp;language=\(other.rawValue)" lang="\(other.rawValue)" \
            hreflang="\(other.rawValue)">\(other.wording.name)</a>
            """
        }
        let bounds = wholeSeconds.map { $0.milliseconds / 1000 }
        return """
            <nav>\(months)\(languages)<a href="/api/history.csv?kind=outages&amp;from=\(bounds[0])&amp;to=\(bounds[1])" download>\
            \(wording.text(.csv))</a><a href="/">\(wording.text(.dashboard))</a></nav>
            """
    }

    private var facts: HTML {
        let lines: [(ReportWording.Label, String?)] = [
            (.machine, machine), (.note, note), (.link, link ?? wording.text(.notKnown)),
            (.period, wording.text(.fromTo, time(timeline.start), time(timeline.end), wording.duration(length))),
            (.times, zone), (.available, wording.available(timeline.summary)), (.agreed, agreed.map(allowance)),
            (.made, wording.text(.madeBy, time(made))),
        ]
        let rows: [HTML] = lines.compactMap { label, value in
            value.map { "<div><dt>\(wording.text(label))</dt><dd>\($0)</dd></div>" }
        }
        return "<dl>\(rows)</dl>"
    }

    private var length: Double { timeline.end.timeIntervalSince(timeline.start) }

    /// The time without the Internet that an agreed availability allows in the period, and what was used of it.
    private func allowance(_ agreed: Double) -> String {
        let summary = timeline.summary
        let allowed = (1 - agreed) * length
        func used(_ seconds: Double, _ margin: Double) -> String {
            let figure = wording.exactDuration(seconds) + (margin > 0 ? " ± \(wording.margin(margin))" : "")
            let isKept = seconds + margin <= allowed
            return wording.text(isKept ? .kept : seconds - margin > allowed ? .exceeded : .undecided, figure)
        }
        let beyond = SideTotal.totals(timeline.outages).first { $0.fault == .provider }
        return wording.text(
            .allowance, wording.percentage(agreed), wording.duration(allowed),
            used(summary.outageSeconds, summary.outageMargin), used(beyond?.seconds ?? 0, beyond?.margin ?? 0))
    }

    /// The interfaces that were in use, the one with the most time first.
    private var link: String? {
        var seconds: [String: Double] = [:]
        for span in timeline.spans where span.state.isWatched {
            guard let name = interface(span) else { continue }
            seconds[name, default: 0] += span.length
        }
        let names = seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private func interface(_ record: some StateRecordProtocol) -> String? {
        record.interfaceName.map { wording.interface(Self.publicName($0), record) }
    }

    /// The name of an interface without the hardware address that some names have, such as `enx0242ac110002`.
    static func publicName(_ name: String) -> String {
        let address = name.suffix(12)
        return address.count == 12 && address.allSatisfy(\.isHexDigit) ? name.dropLast(12) + "…" : name
    }

    private var sides: HTML {
        let summary = timeline.summary
        let rows: [HTML] = SideTotal.totals(timeline.outages).map { total in
            row(wording.side(total.fault).sentenceCased, total.outages, total.seconds, total.margin)
        }
        return """
            <table><thead><tr>\(column(.side))\(column(.outages, isNumber: true))\(column(.totalTime, isNumber: true))\
            \(column(.margin, isNumber: true))</tr></thead>
            <tbody>\(rows)</tbody>
            <tfoot>\(row(wording.text(.all), summary.outages, summary.outageSeconds, summary.outageMargin))</tfoot></table>
            """
    }

    private func row(_ name: String, _ outages: Int, _ seconds: Double, _ margin: Double) -> HTML {
        """
        <tr><th scope="row">\(name)</th><td class="number">\(outages)</td>\
        <td class="number">\(wording.exactDuration(seconds))</td><td class="number">\(plusMinus(margin))</td></tr>\n
        """
    }

    private func plusMinus(_ margin: Double) -> String {
        margin > 0 ? "± \(wording.margin(margin))" : wording.text(.none)
    }

    private var outages: HTML {
        let numbered = timeline.outages.enumerated().map { (number: $0.offset + 1, outage: $0.element) }
        let certain = numbered.filter { $0.outage.length >= $0.outage.margin }
        let short = numbered.filter { $0.outage.length < $0.outage.margin }
        let list: HTML =
            certain.isEmpty
            ? "<p>\(wording.text(short.isEmpty ? .noneFound : .noneLonger))</p>" : table(certain)
        let apart: HTML? =
            short.isEmpty ? nil : "\(heading(.short))\n<p>\(wording.text(.shortNote))</p>\n\(table(short))"
        return "\(heading(.outages))\n\(list)\n\(apart)"
    }

    private func table(_ outages: [(number: Int, outage: Outage)]) -> HTML {
        """
        <table class="outages"><thead><tr>\(column(.number))\(column(.began))\(column(.ended))\
        \(column(.duration, isNumber: true))\(column(.margin, isNumber: true))\(column(.side))</tr></thead>
        \(outages.map { entry($0.number, $0.outage) })</table>
        """
    }

    private func entry(_ number: Int, _ outage: Outage) -> HTML {
        var known = outage
        known.record.interfaceName = outage.interfaceName.map(Self.publicName)
        known.nextInterface = outage.nextInterface.map(Self.publicName)
        let notes = wording.notes(known, in: wording.text(.thisPeriod))
        let evidence = [
            wording.evidence(known), wording.phases(outage).map { wording.text(.inTurn, $0) },
            packets(during: outage), interface(outage).map { wording.text(.linkNote, $0) },
            notes.isEmpty ? nil : notes.joined(separator: ", ").sentenceCased + ".",
        ]
        let margin =
            outage.startMargin == nil && outage.margin == 0 ? wording.text(.notKnown) : plusMinus(outage.margin)
        return """
            <tbody class="outage"><tr><th scope="row">\(number)</th><td>\(cell(outage.start))</td>\
            <td>\(cell(outage.end))</td><td class="number">\(wording.exactDuration(outage.length))</td>\
            <td class="number">\(margin)</td><td>\(wording.side(outage.fault).sentenceCased)</td></tr>
            <tr><td></td><td colspan="5" class="evidence">\(evidence.compactMap(\.self).joined(separator: " "))</td></tr></tbody>\n
            """
    }

    private func packets(during outage: Outage) -> String? {
        let counts = timeline.counts(during: outage)
        return counts.isEmpty
            ? nil : wording.text(.answered, wording.packets(counts, isTunneled: outage.fault == .tunnel))
    }

    /// The drops, and their sum; the longest ones.
    private var drops: HTML {
        guard !timeline.drops.isEmpty else { return "<p>\(wording.text(.noneFound)) \(wording.text(.dropsNote))</p>" }
        let rest = longest(timeline.drops.map { ($0, $0.length) }, most: 100)
        let rows: [HTML] = rest.shown.sorted { $0.start < $1.start }.map { drop in
            let margin = drop.startMargin.map { plusMinus(max($0, drop.endMargin)) } ?? wording.text(.notKnown)
            return """
                <tr><td>\(cell(drop.start))</td><td>\(cell(drop.end))</td>\
                <td class="number">\(wording.exactDuration(drop.length))</td><td class="number">\(margin)</td>\
                <td>\(wording.packets(drop.counts))</td></tr>\n
                """
        }
        let summary = timeline.summary
        return """
            <p>\(wording.text(.dropsNote))</p>
            <table class="list"><thead><tr>\(column(.began))\(column(.ended))\(column(.duration, isNumber: true))\
            \(column(.margin, isNumber: true))\(column(.packets))</tr></thead>
            <tbody>\(rows)</tbody>
            <tfoot><tr><th scope="row" colspan="2">\(wording.text(.all)) (\(summary.drops))</th>\
            <td class="number">\(wording.exactDuration(summary.dropSeconds))</td><td></td><td></td></tr></tfoot></table>
            \(rest.note)
            """
    }

    /// The longest of some times, and a sentence about the others.
    private func longest<Time>(_ all: [(time: Time, seconds: Double)], most: Int) -> (shown: [Time], note: HTML?) {
        let sorted = all.sorted { $0.seconds > $1.seconds }
        let rest = sorted.dropFirst(most)
        let seconds = rest.reduce(0) { $0 + $1.seconds }
        return (
            sorted.prefix(most).map(\.time),
            rest.isEmpty ? nil : "<p>\(wording.text(.rest, "\(rest.count)", wording.duration(seconds)))</p>"
        )
    }

    private var unknown: HTML {
        let states: [HistoryState] = [.asleep, .notWatching, .unknown, .unverified]
        let seconds = states.map { ($0, timeline.summary.seconds[$0, default: 0]) }
        let total = seconds.reduce(0) { $0 + $1.1 }
        guard total > 0 else { return "<p>\(wording.text(.alwaysWatched))</p>" }
        func row(_ name: String, _ seconds: Double) -> HTML {
            """
            <tr><th scope="row">\(name)</th><td class="number">\(wording.exactDuration(seconds))</td>\
            <td class="number">\(wording.percentage(seconds / length))</td></tr>\n
            """
        }
        // A restart takes seconds.
        let spans = timeline.spans.filter { states.contains($0.state) && $0.length >= 60 }
        return """
            <p>\(wording.text(.unknownNote))</p>
            <table><thead><tr>\(column(.machineWas))\(column(.totalTime, isNumber: true))\(column(.share, isNumber: true))\
            </tr></thead>
            <tbody>\(seconds.filter { $1 > 0 }.map { row(wording.state($0).sentenceCased, $1) })</tbody>
            <tfoot>\(row(wording.text(.all), total))</tfoot></table>
            \(spans.isEmpty ? nil : list(spans.map { ($0.start, $0.end) }))
            """
    }

    /// Times with their durations; the longest ones.
    private func list(_ times: [(start: Date, end: Date)]) -> HTML {
        let rest = longest(times.map { ($0, $0.end.timeIntervalSince($0.start)) }, most: 12)
        let rows: [HTML] = rest.shown.sorted { $0.start < $1.start }.map { start, end in
            """
            <tr><td>\(cell(start))</td><td>\(cell(end))</td>\
            <td class="number">\(wording.exactDuration(end.timeIntervalSince(start)))</td></tr>\n
            """
        }
        return """
            <table class="list"><thead><tr>\(column(.from))\(column(.until))\(column(.duration, isNumber: true))</tr></thead>
            <tbody>\(rows)</tbody></table>
            \(rest.note)
            """
    }

    /// The times in which the heartbeat counted no packet, although it should have; the longest ones.
    private var unseen: HTML {
        let all = UnseenTime.all(timeline, hops)
        guard !all.isEmpty else { return "<p>\(wording.text(.unseenNever))</p>" }
        return "<p>\(wording.text(.unseenNote))</p>\n\(list(all))"
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
        let first = wording.text(.local, LocalTime.offset(timeline.start))
        return LocalTime.offset(timeline.end) == LocalTime.offset(timeline.start)
            ? first : wording.text(.otherOffsets, first)
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
        .scroll { overflow-x: auto; }
        .picture { display: block; width: 100%; min-width: 32rem; margin: 0 0 3mm; break-inside: avoid; }
        .picture text { font: 9px system-ui, "DejaVu Sans", sans-serif; fill: #111; font-variant-numeric: tabular-nums; }
        .picture .evening { fill: #e4e4e4; } .picture .known { stroke: #777; stroke-width: 1.5; fill: none; }
        .picture .unknown { stroke: #777; stroke-width: .5; } .picture .hatch { stroke: #555; stroke-width: .7; }
        .picture .down, .picture .loss { fill: #111; } .picture .trip { fill: #888; }
        .small { font-size: 9pt; color: #444; }
        .list { break-inside: auto; }
        code { display: block; font: 9pt/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
        @media screen and (max-width: 640px) { table { font-size: 8.5pt; } th, td { padding-right: 1.5mm; } .number, .time, code span { white-space: normal; } }
        @media print { .scroll { overflow: visible; } .picture { min-width: 0; } nav { display: none; } main { max-width: none; padding: 0; } }

        """
}
