// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The page `/`: it is complete when it loads; JavaScript, if available, keeps it up to date.
struct DashboardPage {
    /// The current state to show.
    let live: LiveState
    /// The part that shows the history.
    let past: HTML
    /// The name of this machine.
    let machine: String
    /// Whether visitors may enter hosts and play scenes.
    let isDemo: Bool
    /// The URL that the button requests.
    let requestURL: String
    /// Whether there is a session to end.
    let hasSession: Bool
    /// The time window of the history shown.
    let window: TimelineWindow
    /// The address that a page without JavaScript loads next, and the delay.
    let refresh: PageShell.Refresh
    /// A notice at the top, such as why a form was rejected.
    let notice: String?
    /// The host that the visitor entered last, if it was rejected.
    var rejectedHost: RejectedHost?

    /// The parts that are replaced while the page is open, by the identifiers of their elements.
    static func parts(_ live: LiveState, past: HTML, now: Date = .now) -> [(id: String, html: HTML)] {
        [
            ("verdict", VerdictSection.html(live, now: now)), ("path", DetailSections.path(live)),
            ("hosts", HostsSection.html(live, now: now)), ("verified", DetailSections.verified(live)),
            ("request", RequestSection.html(live.request, in: live.connectivity)), ("past", past),
            ("variants", VariantTable.html(live.variants)),
        ]
    }

    var html: HTML {
        let parts = Dictionary(uniqueKeysWithValues: Self.parts(live, past: past).map { ($0.id, $0.html) })
        func part(_ id: String) -> HTML { "<div id=\"\(id)\" class=\"part\">\(parts[id])</div>" }
        let content: HTML = """
            \(notice.map { "<p class=\"notice\" role=\"alert\">\($0)</p>" as HTML })
            <section class="hero" aria-label="Verdict">\(part("verdict"))</section>
            \(isDemo ? DemoSection.html(live.scene) : nil)
            <section class="variants" aria-labelledby="variants-title">
            <h2 id="variants-title">Details</h2>
            <div class="grid">
            <article aria-labelledby="path-title"><h3 id="path-title">Link</h3>\(part("path"))</article>
            <article aria-labelledby="verified-title"><h3 id="verified-title">Internet</h3>\(part("verified"))</article>
            <article aria-labelledby="request-title"><h3 id="request-title">Test request</h3>
            <div id="request" class="part">\(parts["request"])</div>
            <form method="post" action="/request"><input type="hidden" name="window" value="\(window.rawValue)">
            <button type="submit" name="action" value="start">Request data</button>
            <button type="submit" name="action" value="cancel" class="plain" data-cancel\(live.request.isUnderWay ? nil : " hidden" as HTML)>Stop waiting</button>
            </form>
            <p class="small wrap">from <span class="mono">\(requestURL)</span></p></article>
            </div></section>
            <section class="hosts" aria-labelledby="hosts-title"><h2 id="hosts-title">Hosts</h2>
            \(part("hosts"))\(HostsSection.form(rejectedHost, isDemo: isDemo))</section>
            \(isDemo ? Self.variants(part("variants")) : nil)
            <section aria-labelledby="past-title" class="past"><h2 id="past-title">History</h2>\(part("past"))</section>
            """
        let title = "\(HistoryWording.state(HistoryState(live.connectivity.state)).sentenceCased) · \(machine)"
        return PageShell(title: title, machine: machine, refresh: refresh).html(content, footer: footer)
    }

    private static func variants(_ part: HTML) -> HTML {
        """
        <section aria-labelledby="classes-title"><h2 id="classes-title">The real network by each class</h2>\(part)\
        \(DetailSections.legend)</section>
        """
    }

    private var footer: HTML {
        """
        <nav aria-label="Data"><a href="/api/status">status</a> <a href="/api/history">history</a> \
        <a href="/api/hosts">hosts</a> <a href="/metrics">metrics</a></nav>
        \(hasSession ? "<form method=\"post\" action=\"/logout\"><button class=\"plain\">Log out</button></form>" : nil)
        """
    }
}
