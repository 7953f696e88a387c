// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// Describes a diagnosis in sentences, from near to far.
struct DiagnosticsDescription {
    private let report: NetworkDiagnostics.Report

    init(_ report: NetworkDiagnostics.Report) { self.report = report }

    typealias Line = (label: String, text: String)

    /// The state, the fault, and what to do.
    var headline: String {
        switch report.fault {
        case .host: Printable.text(report.reason ?? "")
        case nil where report.state == .online && report.remarks.allSatisfy({ $0.kind == .dissent }):
            "Nothing is wrong: the Internet answers."
        default: CheckDescription.headline(report.connectivity)
        }
    }

    /// A line for each hop, without what the headline says.
    var lines: [Line] {
        var lines = hopLines
        if let internet = report.internet, internet.verdict == .verified {
            lines += CheckDescription.notes(internet).map { ("note", $0) }
        }
        if let host = report.host {
            lines.append(("host", HostDescription(host).headline(Style(isColored: false))))
        }
        return lines
    }

    /// The hops that are known while the others are waited for, and a line with those.
    func progress(host: HostTarget?) -> [Line] {
        let path = report.path
        let isKnown = report.path.canCarry
        let open = [
            (isKnown && hops.routers.isEmpty && !path.gateways.isEmpty, "the router"),
            (isKnown && hops.nameServers.isEmpty && path.supportsDNS, "DNS servers"),
            (report.internet == nil, "the Internet"),
            (report.host == nil && host != nil, Printable.text(host?.description ?? "")),
        ]
        let waiting = open.filter(\.0).map(\.1)
        return lines + (waiting.isEmpty ? [] : [("waiting", "for \(waiting.joined(separator: ", "))")])
    }

    private var hops: InternetCheck.Hops { report.consistentHops }

    private var hopLines: [Line] {
        var lines = [("machine", machine)]
        lines += hops.routers.map { ("router", Printable.text("\($0.router) \($0.outcome.words)")) }
        lines += hops.nameServers.map { ("names", Printable.text("\($0.server.scopedText) \($0.outcome.words)")) }
        if report.path.canCarry, !report.path.supportsDNS, !hasNames { lines.append(("names", "no server")) }
        lines += hops.publicAddresses.map { ("address", "\($0.address) \($0.outcome.words)") }
        for proxy in proxies { lines.append(("proxy", Printable.text(proxy))) }
        if let internet = report.internet { lines.append(("Internet", words(internet))) }
        return lines
    }

    /// Whether names are resolved, be it by a server that the configuration does not list.
    private var hasNames: Bool { report.state == .online || hops.nameServers.contains { $0.outcome == .answers } }

    /// The proxies that the check used, without duplicates.
    private var proxies: [String] { (report.internet?.endpoints ?? []).compactMap(\.proxy).uniqued }

    private var machine: String {
        guard report.path.canCarry else {
            // The headline has the reason already.
            let conclusion = Conclusion(report.path)
            return report.cause == conclusion.cause ? "no path" : Printable.text(conclusion.reason ?? "")
        }
        let properties = Wording.properties(report.path).filter { !hasNames || $0 != "no DNS server" }
        return "\(Printable.text(report.path.link)), \(properties.joined(separator: ", "))"
    }

    private func words(_ internet: InternetCheck.Report) -> String {
        switch internet.verdict {
        case .captivePortal(let url): Printable.text("login required. Open: \(url.absoluteString)")
        case .noInternet, .partial, .verified: Wording.passed(internet)
        case .inconclusive: "not determined"
        }
    }
}

extension NetworkPath {
    /// Whether the path can carry traffic, so that there are properties to show.
    fileprivate var canCarry: Bool { status == .satisfied }
}
