//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// A check-up in plain sentences, from near to far.
struct CheckupWords {
    private let report: LineCheckup.Report

    init(_ report: LineCheckup.Report) { self.report = report }

    /// Where it is broken, and what to do.
    var headline: String {
        switch report.fault {
        case .machine: PlainWords.headline(report.state, report.path)
        case let fault?: fault.description
        case nil where report.state == .online: "Nothing is wrong: the Internet answers."
        case nil: "Whether anything is wrong could not be found out."
        }
    }

    /// A label and a text for each thing that was asked.
    var lines: [(label: String, text: String)] {
        var lines = [("machine", machine)]
        lines += report.routers.map { ("router", "\(Printable.text($0.address)) \(Self.words($0.outcome))") }
        lines += report.nameServers.map { ("names", "\(Printable.text($0.address)) \(Self.words($0.outcome))") }
        if report.path.canCarry, report.nameServers.isEmpty { lines.append(("names", "no name server is set")) }
        if let internet = report.internet { lines.append(("Internet", Self.words(internet))) }
        if let host = report.host {
            lines.append(("host", HostWords(host).headline(Style(isColored: false))))
        }
        return lines
    }

    private var machine: String {
        guard report.path.canCarry else {
            return report.path.diagnosis.map { Printable.text($0.description) } ?? "no path"
        }
        return "\(PlainWords.links(report.path)), \(PlainWords.facts(report.path).joined(separator: ", "))"
    }

    private static func words(_ outcome: LineCheckup.RouterAnswer.Outcome) -> String {
        switch outcome {
        case .answers: "answers"
        case .silent: "does not answer"
        case .unclear: "says nothing, which may be its way"
        }
    }

    private static func words(_ outcome: LineCheckup.NameServerAnswer.Outcome) -> String {
        switch outcome {
        case .answers: "answers"
        case .fails: "answers, but cannot find anything out"
        case .refuses: "is no name server: nothing listens there"
        case .silent: "does not answer"
        }
    }

    private static func words(_ report: InternetCheck.Report) -> String {
        let (passed, total) = (report.endpoints.count { $0.passed }, report.endpoints.count)
        let count = "\(passed) of \(total) endpoints answered as expected"
        return switch report.verdict {
        case .captivePortal(let url): Printable.text("a login page stands in the way: \(url.absoluteString)")
        case .noInternet(let reason): "\(count). \(EvidenceWords.explanation(reason))"
        case .partial: "\(count): only HTTP passes, not HTTPS"
        case .inconclusive: "was not asked"
        case .verified: count
        }
    }
}

extension NetworkPath {
    /// Whether there is anything to say of what it carries.
    fileprivate var canCarry: Bool { status == .satisfied }
}
