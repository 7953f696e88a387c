// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

/// The answer: the state in large type, since when, and in one sentence the fault and what to do.
enum VerdictSection {
    static func html(_ live: LiveState, now: Date) -> HTML {
        let connectivity = live.connectivity
        return """
            \(line(connectivity.state))
            <h1 class="verdict" id="verdict-text" data-state="\(connectivity.state.rawValue)">\(title(live))</h1>
            <p class="since">\(over(connectivity))since \(LocalTime.element(connectivity.since)), \
            <span class="age" data-since="\(connectivity.since.iso8601)">\
            \(Figures.duration(now.timeIntervalSince(connectivity.since)))</span></p>
            \(advice(live).map { "<p class=\"reason\">\($0)</p>" as HTML })\(portal(connectivity))
            """
    }

    /// What replaces the verdict while the server does not answer; the script fills in the time and the last state.
    static let lost: HTML = """
        <template id="lost">\(drawing("M0 12 H480", isDotted: true))\
        <h1 class="verdict" id="verdict-text" data-state="lost">No answer</h1>\
        <p class="since">The server has not answered since <time data-style="clock"></time>.</p>\
        <p class="reason">The last state that it reported was “<span class="last"></span>”. \
        It may have changed.</p></template>
        """

    /// The fault and what to do; while online, what works badly; nil if everything works.
    private static func advice(_ live: LiveState) -> String? {
        let connectivity = live.connectivity
        if let reason = connectivity.reason { return reason }
        let silent = live.hosts.filter { $0.presentResult(in: connectivity).state == .unreachable }
        if connectivity.isOnline, let first = silent.first {
            let hosts = silent.count == 1 ? first.host.name : "\(silent.count) of the hosts"
            return "The Internet works, but \(hosts) cannot be reached."
        }
        let remarks = connectivity.remarks.map(\.description)
        return remarks.isEmpty ? nil : remarks.joined(separator: " ")
    }

    /// The word for the state.
    static func title(_ live: LiveState) -> String {
        HistoryWording.state(HistoryState(live.connectivity.state)).sentenceCased
    }

    /// The verdict as one sentence, for screen readers.
    static func sentence(_ live: LiveState) -> String {
        let way = live.connectivity.path.way(live.connectivity.evidence).map { " " + $0 } ?? ""
        return "\(title(live))\(way). \(advice(live) ?? "")"
    }

    private static func over(_ connectivity: Connectivity) -> HTML? {
        let path = connectivity.path
        if path.status == .satisfied { return "over <strong>\(path.link)</strong>, " }
        return path.way(connectivity.evidence).map { "\($0), " }
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
        let path =
            switch state {
            case .online, .unverified: wave
            case .captivePortal:
                "M0 12 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 H228 M228 2 V22 M236 12 H480"
            case .limited: "M0 12 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 q10 -18 20 0 t20 0 H480"
            case .offline, .requiresConnection, .noInternet: "M0 12 H220 M260 12 H480"
            case .unknown: "M0 12 H480"
            }
        return drawing(path, isDotted: Severity(state) == .unsure)
    }

    private static func drawing(_ path: String, isDotted: Bool) -> HTML {
        """
        <svg class="tone\(isDotted ? " dotted" : "")" viewBox="0 0 480 24" width="480" height="24" aria-hidden="true" \
        focusable="false"><path d="\(path)"/></svg>
        """
    }
}
