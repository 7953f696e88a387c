// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The watched hosts.
enum DetailSections {
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
}

/// The switch that simulates networks instead of showing the real one.
enum DemoSection {
    static func html(_ scene: DemoScene?) -> HTML {
        let buttons: [HTML] = DemoScene.allCases.map { button($0.rawValue, $0.title, isPressed: $0 == scene) }
        return """
            <section class="demo" aria-labelledby="demo-title"><h2 id="demo-title">Demonstration</h2>
            <p class="small">Simulates a network in any state, with a history of its own. Nothing simulated is recorded.</p>
            <form method="post" action="/simulate" id="scenes">\
            \(button("", "The real network", isPressed: scene == nil))\(buttons)</form></section>
            """
    }

    /// The notice that the page shows a simulation; empty for the real network.
    static func banner(_ scene: DemoScene?) -> HTML {
        guard let scene else { return "" }
        return """
            <p class="banner"><strong>Simulation: \(scene.title).</strong> Nothing on this page describes the real \
            network.</p>
            """
    }

    private static func button(_ value: String, _ title: String, isPressed: Bool) -> HTML {
        """
        <button type="submit" name="scene" value="\(value)" class="chip" \
        aria-pressed="\(isPressed ? "true" : "false")">\(title)</button>
        """
    }
}
