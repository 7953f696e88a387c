// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// Describes a check and its evidence.
enum CheckDescription {
    /// The result of one endpoint, in a separate column, and the endpoint with the details.
    typealias Line = (mark: String, text: String)

    /// One or two sentences on a monitor's value.
    ///
    /// - Parameter isPassive: whether only the path was requested.
    static func headline(_ connectivity: Connectivity, isPassive: Bool) -> String {
        if connectivity.state == .unverified, isPassive {
            return "Connected over \(Printable.text(connectivity.path.link))."
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

    /// The evidence, and the answer of the captive portal API.
    ///
    /// Endpoints that failed in the same way share a line, and those that the verdict did not need have none.
    ///
    /// - Parameter isVerbose: whether each endpoint has its own line.
    static func lines(_ report: InternetCheck.Report, isVerbose: Bool = false) -> [Line] {
        // Nothing was sent; the headline has the reason.
        if report.diagnosis != nil, report.endpoints.allSatisfy({ $0.error?.step == .prepare }) { return [] }
        var lines = isVerbose ? report.endpoints.map(line) : grouped(report.endpoints)
        if let api = report.captivePortalAPI {
            let said =
                api.state.map { $0.isCaptive ? "captive" : "not captive" } ?? api.error.map { "\($0)" } ?? "nothing"
            lines.append(("network  ", Printable.text("\(api.url)  says: \(said)")))
        }
        return lines + notes(report).map { ("note     ", $0) }
    }

    /// The facts that limit or contradict the verdict, one sentence each.
    static func notes(_ report: InternetCheck.Report) -> [String] {
        var notes = report.remarks.filter { $0.kind == .dissent }.map { Printable.text($0.description) }
        if [.verified, .partial].contains(report.verdict), let reason = report.tls?.reason {
            notes.append(Printable.text("HTTPS was not checked, so the answers may be forged: \(reason)"))
        }
        return notes
    }

    private static func grouped(_ endpoints: [InternetCheck.Evidence]) -> [Line] {
        let needed = endpoints.filter { $0.error?.code != .abandoned }
        var groups: [(result: [String], members: [InternetCheck.Evidence])] = []
        for evidence in needed {
            let result = evidence.passed ? [evidence.url] : [evidence.mark] + evidence.facts
            if let place = groups.firstIndex(where: { $0.result == result }) {
                groups[place].members.append(evidence)
            } else {
                groups.append((result, [evidence]))
            }
        }
        return groups.map { _, members in
            members.count == 1 ? line(members[0]) : line(members, of: needed.count)
        }
    }

    /// The line of several endpoints with the same result.
    private static func line(_ members: [InternetCheck.Evidence], of count: Int) -> Line {
        let longest = members.map(\.durations.total).max() ?? .zero
        let facts = members[0].facts + (members[0].isSkipped ? [] : [Figures.latency(longest / .seconds(1))])
        let text = "\(members.count) of \(count): " + facts.joined(separator: ", ")
        let urls = members.count < count ? "  " + members.map(\.url).joined(separator: " ") : ""
        return (members[0].mark, Printable.text(text + urls))
    }

    private static func line(_ evidence: InternetCheck.Evidence) -> Line {
        var facts = evidence.facts
        let place = facts.count - (evidence.proxy == nil ? 0 : 1)
        if let address = evidence.address { facts.insert("\(address)", at: place) }
        // The time until the verdict says nothing about an endpoint whose answer it did not need.
        if !evidence.isSkipped { facts.append(Figures.latency(evidence.durations.total / .seconds(1))) }
        return (evidence.mark, Printable.text(evidence.url + "  " + facts.joined(separator: ", ")))
    }
}

extension InternetCheck.Evidence {
    fileprivate var isSkipped: Bool { error?.isInability ?? false }

    /// The result, as wide as its column.
    fileprivate var mark: String {
        passed ? "passed   " : portal != nil ? "portal   " : isSkipped ? "skipped  " : "failed   "
    }

    /// What the answer was, without what differs between endpoints: the address and the time.
    fileprivate var facts: [String] {
        var facts: [String] = []
        if let status { facts.append("status \(status)") }
        if let portal { facts.append("leads to \(portal.absoluteString)") }
        if let error { facts.append(Wording.failure(error)) }
        if let proxy { facts.append("by proxy \(proxy)") }
        return facts
    }
}
