//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// Puts a check and its evidence into plain words for a person.
enum EvidenceWords {
    /// One endpoint on one line.
    struct Line {
        /// Whether it answered, in a column of its own.
        let mark: String
        /// Who was asked, and what came of it.
        let text: String
    }

    /// One sentence or two on what a monitor delivered.
    ///
    /// - Parameters:
    ///   - connectivity: what it delivered.
    ///   - isPassive: whether nobody wanted to know more than the path.
    static func headline(_ connectivity: Connectivity, isPassive: Bool) -> String {
        let (state, path) = (connectivity.state, connectivity.path)
        if state == .unverified, !isPassive, connectivity.evidence == nil {
            return "Connected over \(PlainWords.links(path)), not verified yet."
        }
        return state == .online
            ? PlainWords.headline(state, path) : headline(state, path, connectivity.evidence)
    }

    /// One sentence or two: the verdict, and what it rests on.
    static func headline(
        _ state: ConnectivityState, _ path: NetworkPath, _ report: InternetCheck.Report?
    ) -> String {
        let general = PlainWords.headline(state, path)
        guard let report else { return general }
        let (passed, total) = (report.endpoints.count { $0.passed }, report.endpoints.count)
        switch (state, report.verdict) {
        case (.online, _) where path.status == .satisfied:
            return "\(general.dropLast()): \(passed) of \(total) endpoints answered as expected."
        case (.online, _): return "Answered: \(passed) of \(total) endpoints, as expected."
        case (.captivePortal, .captivePortal(let url)): return general + " " + Printable.text(url.absoluteString)
        case (.limited, .partial): return "Connected over \(PlainWords.links(path)), but only HTTP passes, not HTTPS."
        case (.limited, .noInternet(let reason)): return general + " " + explanation(reason)
        case (.unverified, .inconclusive):
            return "Connected over \(PlainWords.links(path)). Whether that is the Internet could not be found out."
        default: return general
        }
    }

    /// Why the Internet did not answer.
    static func explanation(_ reason: InternetCheck.NoInternetReason) -> String {
        switch reason {
        case .hijackedNames: "Names lead to private addresses: somebody forges the answers of the name server."
        case .tls: "Secure connections break: somebody sits in the way, or this machine's clock is wrong."
        case .unexpectedAnswers: "Something answers, but it is not what was asked for."
        case .refused: "Connections are refused."
        case .unreachable: "There is no way there beyond the router."
        case .timedOut: "Nothing answers."
        case .nameResolution: "Names cannot be resolved."
        }
    }

    /// The evidence, an endpoint a line, and what the network itself says.
    static func lines(_ report: InternetCheck.Report) -> [Line] {
        var lines = report.endpoints.map(line)
        if let api = report.captivePortalAPI {
            let said =
                api.state.map { $0.isCaptive ? "captive" : "not captive" } ?? api.error.map { "\($0)" } ?? "nothing"
            lines.append(Line(mark: "network  ", text: Printable.text("\(api.url)  says: \(said)")))
        }
        return lines
    }

    private static func line(_ evidence: InternetCheck.Evidence) -> Line {
        var facts: [String] = []
        if let status = evidence.status { facts.append("status \(status)") }
        if let portal = evidence.portal { facts.append("leads to \(portal.absoluteString)") }
        if let error = evidence.error { facts.append("\(error)") }
        if let address = evidence.address { facts.append("\(address)") }
        facts.append("\(Int(evidence.durations.total / .milliseconds(1))) ms")
        let mark = evidence.passed ? "yes      " : evidence.portal == nil ? "no       " : "portal   "
        return Line(mark: mark, text: Printable.text(evidence.url + "  " + facts.joined(separator: ", ")))
    }
}
