// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone

/// Describes a host's reachability in sentences.
struct HostDescription {
    private let report: HostReport

    init(_ report: HostReport) { self.report = report }

    /// One sentence: the verdict, and the reason if it is not reachable.
    func headline(_ style: Style) -> String {
        let name = Printable.text(report.target.description)
        let error = report.error.map { Printable.text($0.description) } ?? ""
        return switch report.state {
        case .reachable where report.connection != nil:
            style.state("\(name) is reachable: port \(report.port ?? 0) answers.", .online)
        case .reachable where report.route.value?.isLocalAddress == true:
            style.state("\(name) is this machine itself.", .online)
        case .reachable: style.state("\(name) should be reachable: there is a route.", .unverified)
        case .unreachable: style.state("\(name) is not reachable. \(error)", .offline)
        case .unknown: style.state("Whether \(name) is reachable is unknown. \(error)", .unknown)
        }
    }

    /// The headline and one line for each step.
    func lines(_ style: Style) -> [String] {
        var lines = [headline(style)]
        func add(_ name: String, _ text: String, _ duration: Duration) {
            let time = style.quiet("  " + Figures.latency(duration / .seconds(1)))
            lines.append("  " + style.quiet(name.padding(to: 11)) + text + time)
        }
        if let resolution = report.resolution {
            let words = text(resolution) { $0.map(\.scopedText).joined(separator: ", ") }
            add(resolution.error == nil ? "resolved" : "resolving", words, resolution.duration)
        }
        add("route", text(report.route, Self.route), report.route.duration)
        if let connection = report.connection {
            let words = text(connection, \.scopedText)
            add(connection.error == nil ? "connected" : "connecting", words, connection.duration)
        }
        if report.attempts.count > 1 {
            for attempt in report.attempts {
                add(
                    "", Printable.text("\(attempt.address.scopedText): \(Self.outcome(attempt.outcome))"),
                    attempt.duration)
            }
        }
        return lines
    }

    /// The changed fields, as text.
    static func changes(_ names: [String]) -> String {
        names.map {
            $0 == "reachable" ? "answer" : $0 == "resolved" ? "addresses" : $0 == "connected" ? "connection" : $0
        }
        .joined(separator: ", ")
    }

    private func text<Value>(_ step: HostStep<Value>, _ words: (Value) -> String) -> String {
        switch step.result {
        case .success(let value): Printable.text(words(value))
        // The headline has the reason.
        case .failure(let error) where error == report.error: "failed"
        case .failure(let error): Printable.text(error.description)
        }
    }

    private static func route(_ route: HostRoute) -> String {
        var parts: [String] = []
        if let interface = route.interface { parts.append("\(interface.name) (\(interface.type.name))") }
        if let gateway = route.gateway { parts.append("via \(gateway)") }
        if route.isDirect, !route.isLocalAddress { parts.append("on the same link") }
        return parts.isEmpty ? "there is a route" : parts.joined(separator: ", ")
    }

    private static func outcome(_ outcome: HostAttempt.Outcome) -> String {
        switch outcome {
        case .connected: "connected"
        case .failed(let error): error.description
        case .abandoned: "no answer before the check ended"
        }
    }
}
