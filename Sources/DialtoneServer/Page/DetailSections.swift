// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// Four views of the same network, side by side.
enum DetailSections {
    /// The value of a path monitor.
    static func path(_ live: LiveState) -> HTML {
        guard let path = live.path else {
            return card("unsure", "Waiting", "The path monitor has not reported a path yet.")
        }
        let mood = path.status == .satisfied ? "good" : path.isUnknown ? "unsure" : "bad"
        let detail =
            path.status == .satisfied ? "Connected over \(Wording.link(path))." : Wording.reason(path)
        let interfaces: [HTML] = path.interfaces.prefix(6).map {
            "<li><span class=\"mono\">\($0.name)</span> \(Wording.type($0.type))</li>"
        }
        return """
            \(card(mood, ConnectivityText.status(path), detail))
            \(interfaces.isEmpty ? nil : "<ul class=\"small\" aria-label=\"Interfaces, most preferred first\">\(interfaces)</ul>" as HTML)
            """
    }

    /// The result of Internet checks.
    static func verified(_ live: LiveState) -> HTML {
        guard let report = live.connectivity.evidence else {
            return card(
                "unsure", "Not checked",
                live.connectivity.path.status == .satisfied
                    ? "No check has ended yet." : "There is no path to check.")
        }
        let detail = report.endpoints.isEmpty ? "" : "\(Wording.passed(report))."
        let mood = report.verdict == .verified ? "good" : report.verdict == .inconclusive ? "unsure" : "bad"
        let rows: [HTML] = report.endpoints.prefix(16).map { evidence in
            """
            <tr><td class="mono wrap">\(evidence.url)</td><td>\(evidence.error.map(Wording.failure) ?? (evidence.passed ? "passed" : "portal"))</td>\
            <td class="number">\(Figures.latency(evidence.durations.total / .seconds(1)))</td></tr>
            """
        }
        let table: HTML? =
            rows.isEmpty
            ? nil
            : """
            <details><summary>The evidence</summary><table><thead><tr><th scope="col">Endpoint</th>\
            <th scope="col">Result</th><th scope="col" class="number">Time</th></tr></thead>\
            <tbody>\(rows)</tbody></table></details>
            """
        return """
            \(card(mood, ConnectivityText.verdict(report.verdict), detail))
            <p class="small">Checked at \(LocalTime.element(report.checkedAt))</p>
            \(table)
            """
    }

    /// The watched hosts.
    static func hosts(_ live: LiveState) -> HTML {
        guard !live.hosts.isEmpty else {
            return "<p class=\"detail\">No host is watched. Start the server with <code>--host NAME</code>.</p>"
        }
        let rows: [HTML] = live.hosts.map { row in
            let result = row.result(in: live.connectivity)
            return """
                <li data-verdict="\(result.verdict.rawValue)"><span class="host">\(row.host.name)</span> \
                <span class="standing">\(standing(result.verdict))</span> \
                <span class="small">\(result.reason ?? answer(row))</span></li>
                """
        }
        return "<ul class=\"hosts\">\(rows)</ul>"
    }

    private static func standing(_ verdict: HostReport.Verdict) -> String {
        switch verdict {
        case .reachable: "reachable"
        case .unreachable: "not reachable"
        case .unknown: "unknown"
        }
    }

    /// The proof that a host is reachable.
    private static func answer(_ row: HostRow) -> String {
        let port = row.port.map { "Port \($0)" } ?? "It"
        return row.connectDuration.map { "\(port) answered in \(Figures.latency($0 / .seconds(1)))." } ?? ""
    }

    /// The legend of the flag letters.
    static let legend: HTML = """
        <details class="legend"><summary>What the letters mean</summary><dl>\
        \(FlagText.letters.map { "<div><dt><code>\(String($0.letter))</code></dt><dd>\($0.meaning)</dd></div>" as HTML })\
        </dl></details>
        """

    static func card(_ mood: String, _ title: String, _ detail: String) -> HTML {
        "<p class=\"status \(mood)\">\(title)</p><p class=\"detail\">\(detail)</p>"
    }
}

/// The switch that simulates networks instead of showing the real one.
enum DemoSection {
    static func html(_ scene: DemoScene?) -> HTML {
        let buttons: [HTML] = DemoScene.allCases.map { button($0.rawValue, $0.title, isPressed: $0 == scene) }
        return """
            <section class="demo" aria-labelledby="demo-title"><h2 id="demo-title">Demonstration</h2>
            <p class="small">Simulates a network in any state, with a generated history. Nothing simulated is recorded.</p>
            <form method="post" action="/simulate" id="scenes">\
            \(button("", "The real network", isPressed: scene == nil))\(buttons)</form></section>
            """
    }

    private static func button(_ value: String, _ title: String, isPressed: Bool) -> HTML {
        """
        <button type="submit" name="scene" value="\(value)" class="chip" \
        aria-pressed="\(isPressed ? "true" : "false")">\(title)</button>
        """
    }
}

/// The state of the real network as each class of the libraries reports it, one row for each.
enum VariantTable {
    static func html(_ rows: [VariantRow]) -> HTML {
        let rows: [HTML] = rows.map {
            "<tr><th scope=\"row\">\($0.name)</th><td class=\"wrap\">\($0.value ?? "waiting")</td></tr>"
        }
        return """
            <table><thead><tr><th scope="col">Class</th><th scope="col">Value</th></tr></thead>\
            <tbody>\(rows)</tbody></table>
            """
    }
}

/// The value of one way to watch the network; nil before the first.
struct VariantRow: Equatable, Sendable {
    var name: String
    var value: String?
}
