// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// Describes a check and its evidence.
enum CheckDescription {
    /// One endpoint on one line.
    struct Line {
        /// The result, in a separate column.
        let mark: String
        /// The endpoint, and the details.
        let text: String
    }

    /// One or two sentences on a monitor's value.
    ///
    /// - Parameters:
    ///   - connectivity: the monitor's value.
    ///   - isPassive: whether only the path was requested.
    static func headline(_ connectivity: Connectivity, isPassive: Bool) -> String {
        if connectivity.state == .unverified, isPassive {
            return "Connected over \(Printable.text(Wording.link(connectivity.path)))."
        }
        return connectivity.state == .online ? PathDescription.headline(connectivity) : headline(connectivity)
    }

    /// One or two sentences: the verdict, and the evidence for it.
    static func headline(_ connectivity: Connectivity) -> String {
        let general = PathDescription.headline(connectivity)
        let report = connectivity.evidence
        switch (connectivity.state, report?.verdict) {
        case (.online, _):
            guard PathDescription.sentences(connectivity).isEmpty, let report else { return general }
            return general.withoutFullStop + ": \(Wording.passed(report))."
        case (.captivePortal, .captivePortal(let url)):
            return general.withoutFullStop + ": " + Printable.text(url.absoluteString)
        default: return general
        }
    }

    /// The evidence, one line for each endpoint, and the answer of the captive portal API.
    static func lines(_ report: InternetCheck.Report) -> [Line] {
        // Nothing was sent; the headline has the reason.
        if report.diagnosis != nil, report.endpoints.allSatisfy({ $0.error?.step == .prepare }) { return [] }
        var lines = report.endpoints.map(line)
        if let api = report.captivePortalAPI {
            let said =
                api.state.map { $0.isCaptive ? "captive" : "not captive" } ?? api.error.map { "\($0)" } ?? "nothing"
            lines.append(Line(mark: "network  ", text: Printable.text("\(api.url)  says: \(said)")))
        }
        return lines + notes(report).map { Line(mark: "note     ", text: $0) }
    }

    /// The facts that limit or contradict the verdict, one sentence each.
    static func notes(_ report: InternetCheck.Report) -> [String] {
        var notes = report.remarks.filter { $0.kind == .dissent }.map { Printable.text($0.description) }
        if [.verified, .partial].contains(report.verdict), let reason = report.tls?.reason {
            notes.append(Printable.text("HTTPS was not checked, so the answers may be forged: \(reason)"))
        }
        return notes
    }

    private static func line(_ evidence: InternetCheck.Evidence) -> Line {
        var facts: [String] = []
        if let status = evidence.status { facts.append("status \(status)") }
        if let portal = evidence.portal { facts.append("leads to \(portal.absoluteString)") }
        if let error = evidence.error { facts.append(Wording.failure(error)) }
        if let address = evidence.address { facts.append("\(address)") }
        if let proxy = evidence.proxy { facts.append("by proxy \(proxy)") }
        let isSkipped = evidence.error?.isInability ?? false
        // The time until the verdict says nothing about an endpoint whose answer it did not need.
        if !isSkipped { facts.append(Figures.latency(evidence.durations.total / .seconds(1))) }
        let mark =
            evidence.passed
            ? "passed   " : evidence.portal != nil ? "portal   " : isSkipped ? "skipped  " : "failed   "
        return Line(mark: mark, text: Printable.text(evidence.url + "  " + facts.joined(separator: ", ")))
    }
}
