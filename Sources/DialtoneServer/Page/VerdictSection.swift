// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The verdict in large type: since when, over which interface, and if offline, why.
enum VerdictSection {
    static func html(_ live: LiveState, now: Date) -> HTML {
        let connectivity = live.connectivity
        let facts = Wording.properties(connectivity.path)
        return """
            \(line(connectivity.state))
            <h1 class="verdict" id="verdict-text" data-state="\(connectivity.state.rawValue)">\
            \(HistoryWording.state(HistoryState(connectivity.state)).sentenceCased)</h1>
            <p class="since">\(over(connectivity))since \(LocalTime.element(connectivity.since)), \
            <span class="age" data-since="\(connectivity.since.iso8601)">\
            \(Figures.duration(now.timeIntervalSince(connectivity.since)))</span></p>
            \(connectivity.reason.map { "<p class=\"reason\">\($0)</p>" as HTML })
            \(portal(connectivity))
            \(facts.isEmpty ? nil : "<ul class=\"facts\" aria-label=\"The path\">\(facts.map { "<li>\($0)</li>" })\(gateways(connectivity.path))</ul>" as HTML)
            """
    }

    /// The verdict as one sentence, for screen readers.
    static func sentence(_ live: LiveState) -> String {
        let verdict = HistoryWording.state(HistoryState(live.connectivity.state)).sentenceCased
        let way = Wording.way(live.connectivity.path, live.connectivity.evidence).map { " " + $0 } ?? ""
        return "\(verdict)\(way). \(live.connectivity.reason ?? "")"
    }

    private static func over(_ connectivity: Connectivity) -> HTML? {
        let path = connectivity.path
        if path.status == .satisfied { return "over <strong>\(Wording.link(path))</strong>, " }
        return Wording.way(path, connectivity.evidence).map { "\($0), " }
    }

    private static func gateways(_ path: NetworkPath) -> [HTML] {
        path.gateways.prefix(2).map { "<li>router <span class=\"mono\">\($0.description)</span></li>" }
    }

    /// The login page of a network, as a link: http or https only, opened separately from this page.
    private static func portal(_ connectivity: Connectivity) -> HTML? {
        guard let url = connectivity.evidence?.verdict.portal?.absoluteString,
            url.hasPrefix("http://") || url.hasPrefix("https://")
        else { return nil }
        return """
            <p><a class="button" href="\(url)" target="_blank" rel="noopener noreferrer">Open the login page</a></p>
            """
    }

    /// The line drawing: a wave while online, flat or broken otherwise.
    ///
    /// It is decorative: the text contains the same information.
    private static func line(_ state: ConnectivityState) -> HTML {
        let wave = "M0 12" + (0..<12).map { _ in " q10 -18 20 0 t20 0" }.joined()
        let path: (String, String) =
            switch state {
            case .online: (wave, "alive")
            case .unverified: (wave, "unsure")
            case .captivePortal:
                ("M0 12 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 H228 M228 2 V22 M236 12 H480", "held")
            case .limited: ("M0 12 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 H480", "held")
            case .offline, .requiresConnection: ("M0 12 H220 M260 12 H480", "dead")
            case .unknown: ("M0 12 H480", "unsure")
            }
        return """
            <svg class="tone \(path.1)" viewBox="0 0 480 24" width="480" height="24" aria-hidden="true" \
            focusable="false"><path d="\(path.0)"/></svg>
            """
    }
}

/// Describes the state of the network on the page.
enum ConnectivityText {
    /// The verdict of a check: the name of the state that follows from it over a path.
    static func verdict(_ verdict: InternetCheck.Verdict) -> String {
        guard verdict != .verified else { return "The Internet answers" }
        return ConnectivityState(NetworkPath(status: .satisfied), verdict).name.sentenceCased
    }

    /// The status of a path.
    static func status(_ path: NetworkPath) -> String {
        if path.isUnknown { return "Unknown" }
        return switch path.status {
        case .satisfied: "Connected"
        case .requiresConnection: "Available on demand"
        default: "Not connected"
        }
    }
}
