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
    /// The additions of a source of scenes; nil without one.
    var scenes: SceneMarkup?
    /// Whether the monitor checks the Internet.
    let canCheck: Bool
    /// The URL that the button requests; nil without the button.
    let requestURL: String?
    /// Whether there is a session to end.
    let hasSession: Bool
    let period: HistoryPeriod
    /// The address that a page without JavaScript loads next, and the delay.
    let refresh: PageShell.Refresh

    /// The parts that are replaced while the page is open, by the identifiers of their elements.
    static func parts(_ live: LiveState, past: HTML, scenes: SceneMarkup?, now: Date) -> [(id: String, html: HTML)] {
        [
            ("banner", scenes?.banner ?? ""), ("verdict", VerdictSection.html(live, now: now)),
            ("hops", HopsSection.html(live)), ("hosts", HostsSection.html(live, now: now)),
            ("evidence", EvidenceSection.html(live, now: now)),
            ("request", RequestSection.html(live.request, in: live.connectivity)), ("past", past),
        ] + (scenes.map { [("variants", $0.classes)] } ?? [])
    }

    var html: HTML {
        let parts = Dictionary(
            uniqueKeysWithValues: Self.parts(live, past: past, scenes: scenes, now: now).map { ($0.id, $0.html) })
        func part(_ id: String) -> HTML { "<div id=\"\(id)\" class=\"part\">\(parts[id])</div>" }
        let hosts: HTML = """
            <section class="hosts" aria-labelledby="hosts-title"><h2 id="hosts-title">Hosts</h2>
            \(part("hosts"))</section>
            """
        let history: HTML = """
            <section aria-labelledby="past-title" class="past"><h2 id="past-title">History</h2>\(part("past"))</section>
            """
        // An unreachable host comes before the history.
        let isHostSilent = live.hosts.contains { $0.presentResult(in: live.connectivity).verdict == .unreachable }
        let content: HTML = """
            \(part("banner"))
            <section class="hero" aria-label="Verdict">\(part("verdict"))\(VerdictSection.lost)</section>
            <section aria-labelledby="hops-title"><h2 id="hops-title">From here to the Internet</h2>\(part("hops"))</section>
            \(scenes?.controls)
            \(isHostSilent ? [hosts, history] : [history, hosts])
            <section aria-labelledby="evidence-title"><h2 id="evidence-title">Latest check</h2>\
            <div class="latest">\(part("evidence"))\(canCheck ? Self.checkForm : nil)</div></section>
            \(requestURL.map { request(part("request"), from: $0) })
            \(scenes.map { _ in classes(part("variants")) })
            """
        return PageShell(
            title: "\(VerdictSection.title(live)) · \(machine)", machine: machine,
            severity: Severity(live.connectivity.state), refresh: refresh, now: now
        ).html(content, footer: footer)
    }

    /// The request of the button: its status, what to do, and the buttons.
    private func request(_ part: HTML, from url: String) -> HTML {
        """
        <section aria-labelledby="request-title"><h2 id="request-title">Test request</h2>\(part)
        <form method="post" action="/request" class="act"><input type="hidden" name="window" value="\(period.isChosen ? period.window.rawValue : "auto")">
        <button type="submit" name="action" value="start"\(live.request.isUnderWay ? " aria-disabled=\"true\"" as HTML : nil)>Request data</button>
        <button type="submit" name="action" value="cancel" class="plain" data-cancel\(live.request.isUnderWay ? nil : " hidden" as HTML)>Stop waiting</button>
        </form>
        <p class="small wrap">from <span class="mono">\(url)</span></p></section>
        """
    }

    /// The network by each class of the libraries.
    private func classes(_ part: HTML) -> HTML {
        """
        <section aria-labelledby="classes-title"><details class="fold">\
        <summary><h2 id="classes-title">The network by each class</h2></summary>\(part)</details></section>
        """
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
