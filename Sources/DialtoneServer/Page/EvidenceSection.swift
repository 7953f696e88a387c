// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The latest check of the Internet: when, when again, and what each endpoint answered.
enum EvidenceSection {
    static func html(_ live: LiveState, now: Date) -> HTML {
        let report = live.connectivity.evidence
        return """
            <p class="detail">\(summary(report, live)) \(next(live, now))</p>
            \(report.flatMap(table))
            """
    }

    private static func summary(_ report: InternetCheck.Report?, _ live: LiveState) -> HTML {
        guard let report else {
            let isPossible = live.connectivity.path.status == .satisfied
            return isPossible ? "No check has ended yet." : "Without a connection there is nothing to check."
        }
        let passed = report.queriedEndpoints.count(where: \.passed)
        let all = report.queriedEndpoints.count
        let result =
            switch passed {
            case _ where all == 0: ""
            case all: ": all \(all) servers answered"
            case 0: ": none of \(all) servers answered as it should"
            default: ": \(passed) of \(all) servers answered as they should"
            }
        return "Checked at \(LocalTime.element(report.checkedAt))\(result)."
    }

    /// When the next check is made; the script counts the seconds down.
    private static func next(_ live: LiveState, _ now: Date) -> HTML? {
        if live.isChecking { return "A check is under way." }
        guard let due = live.nextCheck else { return nil }
        let seconds = Figures.duration(max(1, due.timeIntervalSince(now)))
        return "Next check in <span class=\"due\" data-due=\"\(due.iso8601)\">\(seconds)</span>."
    }

    /// The endpoints; folded while all of them agree.
    private static func table(_ report: InternetCheck.Report) -> HTML? {
        // Without those that the verdict did not need.
        let endpoints = report.endpoints.filter { $0.error?.code != .abandoned }.prefix(16)
        guard let first = endpoints.first else { return nil }
        let table: HTML = """
            <table class="evidence"><thead><tr><th scope="col">Operator</th><th scope="col">Address</th>\
            <th scope="col" class="number">Time</th><th scope="col">Result</th></tr></thead>\
            <tbody>\(endpoints.map(row))</tbody></table>
            """
        let agree = endpoints.allSatisfy { $0.passed == first.passed && $0.error?.code == first.error?.code }
        return agree ? "<details><summary>Each server’s answer</summary>\(table)</details>" : table
    }

    private static func row(_ evidence: InternetCheck.Evidence) -> HTML {
        let address = evidence.address.map { "\($0)" } ?? "none"
        let place = evidence.proxy.map { "\(address), proxy \($0)" } ?? address
        let result = evidence.error.map(Wording.failure) ?? (evidence.passed ? "answered" : "login page")
        return """
            <tr data-passed="\(evidence.passed ? "true" : "false")"><th scope="row">\(evidence.operatorName ?? "unknown")\
            <span class="small mono whole">\(evidence.url)</span></th><td class="mono"><span class="whole">\(place)</span></td>\
            <td class="number">\(Figures.latency(evidence.durations.total / .seconds(1)))</td>\
            <td>\(result.sentenceCased)</td></tr>
            """
    }
}
