// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

/// The page `/`: it is complete when it loads; JavaScript, if available, keeps it up to date.
struct DashboardPage {
    let live: LiveState
    /// The part that shows the history.
    let past: HTML
    let now: Date
    let machine: String
    let version: String
    /// Whether the monitor checks the Internet.
    let canCheck: Bool
    /// Whether there is a session to end.
    let hasSession: Bool
    /// The address that a page without JavaScript loads next.
    let address: String

    /// The parts that are replaced while the page is open, by the identifiers of their elements.
    static func parts(_ live: LiveState, past: HTML, now: Date) -> [String: HTML] {
        [
            "verdict": VerdictSection.html(live, now: now), "hops": HopsSection.html(live),
            "hosts": HostsSection.html(live, now: now), "evidence": EvidenceSection.html(live, now: now), "past": past,
        ]
    }

    var html: HTML {
        let parts = Self.parts(live, past: past, now: now)
        func part(_ id: String) -> HTML { "<div id=\"\(id)\" class=\"part\">\(parts[id])</div>" }
        let hosts: HTML = """
            <section class="hosts" aria-labelledby="hosts-title"><h2 id="hosts-title">Hosts</h2>
            \(part("hosts"))</section>
            """
        let history: HTML = """
            <section aria-labelledby="past-title" class="past"><h2 id="past-title">History</h2>\(part("past"))</section>
            """
        // An unreachable host comes before the history.
        let isHostSilent = live.hosts.contains { $0.presentResult(in: live.connectivity).state == .unreachable }
        let content: HTML = """
            <section class="hero" aria-label="Verdict">\(part("verdict"))\(VerdictSection.lost)</section>
            <section aria-labelledby="hops-title"><h2 id="hops-title">From here to the Internet</h2>\(part("hops"))</section>
            \(isHostSilent ? [hosts, history] : [history, hosts])
            <section aria-labelledby="evidence-title"><h2 id="evidence-title">Latest check</h2>\
            <div class="latest">\(part("evidence"))\(canCheck ? Self.checkForm : nil)</div></section>
            """
        return PageShell(
            title: "\(VerdictSection.title(live)) · \(machine)", machine: machine,
            severity: Severity(live.connectivity.state), refresh: address, now: now
        ).html(content, footer: footer)
    }

    private static let checkForm: HTML = """
        <form method="post" action="/check" class="act"><button type="submit" class="plain">Check now</button></form>
        """

    private var footer: HTML {
        """
        <p>Dialtone \(version), <a href="https://github.com/dialtone/dialtone#readme">documentation</a></p>
        <nav aria-label="Data for programs"><a href="/api/status">Status (JSON)</a> <a href="/api/history">History (JSON)</a> \
        <a href="/api/hosts">Hosts (JSON)</a> <a href="/metrics">Metrics (Prometheus)</a></nav>
        \(hasSession ? "<form method=\"post\" action=\"/logout\"><button class=\"plain\">Log out</button></form>" : nil)
        """
    }
}
