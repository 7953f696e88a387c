// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneCommandLine
import DialtonePresentation
import DialtoneSupport

/// Describes a diagnosis in sentences, from near to far.
struct DiagnosticsDescription {
    private let report: NetworkDiagnostics.Report

    init(_ report: NetworkDiagnostics.Report) { self.report = report }

    /// The place of the fault, and what to do.
    var headline: String {
        switch report.fault {
        case .machine: PathDescription.headline(report.state, report.path, report.internet)
        case let fault?: fault.description
        case nil where report.state == .online: "Nothing is wrong: the Internet answers."
        case nil: "Whether anything is wrong could not be determined."
        }
    }

    /// A label and a text for each hop.
    var lines: [(label: String, text: String)] {
        var lines = [("machine", machine)]
        lines += report.routers.map { ("router", "\(Printable.text($0.address)) \(Self.words($0.outcome))") }
        lines += report.nameServers.map { ("names", "\(Printable.text($0.address)) \(Self.words($0.outcome))") }
        if report.path.canCarry, report.nameServers.isEmpty { lines.append(("names", "no DNS server is configured")) }
        for proxy in proxies { lines.append(("proxy", Printable.text(proxy))) }
        if let internet = report.internet {
            lines.append(("Internet", Self.words(internet)))
            lines += CheckDescription.notes(internet).map { ("note", $0) }
        }
        if let host = report.host {
            lines.append(("host", HostDescription(host).headline(Style(isColored: false))))
        }
        return lines
    }

    /// The proxies that the check used, without duplicates.
    private var proxies: [String] {
        (report.internet?.endpoints ?? []).compactMap(\.proxy).uniqued
    }

    private var machine: String {
        guard report.path.canCarry else {
            return Printable.text(Wording.reason(report.path))
        }
        return
            "\(Printable.text(Wording.link(report.path))), \(Wording.properties(report.path).joined(separator: ", "))"
    }

    private static func words(_ outcome: NetworkDiagnostics.RouterAnswer.Outcome) -> String {
        switch outcome {
        case .answers: "answers"
        case .silent: "does not answer"
        case .unclear: "does not answer, but may be present"
        }
    }

    private static func words(_ outcome: NetworkDiagnostics.NameServerAnswer.Outcome) -> String {
        switch outcome {
        case .answers: "answers"
        case .fails: "answers with an error"
        case .refuses: "does not run DNS (port 53 refused)"
        case .silent: "does not answer"
        }
    }

    private static func words(_ report: InternetCheck.Report) -> String {
        let count = Wording.passed(report)
        return switch report.verdict {
        case .captivePortal(let url): Printable.text("login required. Open: \(url.absoluteString)")
        case .noInternet, .partial: "\(count). \(Printable.text(report.reason ?? ""))"
        case .inconclusive: "not determined"
        case .verified: count
        }
    }
}

extension NetworkPath {
    /// Whether the path can carry traffic, so that there are properties to show.
    fileprivate var canCarry: Bool { status == .satisfied }
}
