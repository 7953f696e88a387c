// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

/// The watched hosts: for each a row with its state, the last checks as bars, and figures.
enum HostsSection {
    /// The rows, which the page's script replaces.
    static func html(_ live: LiveState, now: Date) -> HTML {
        guard !live.hosts.isEmpty else {
            return "<p class=\"detail\">No host is watched: add one with --host or in the settings.</p>"
        }
        return "<ul class=\"host-list\">\(live.hosts.map { row($0, live.connectivity, now) })</ul>"
    }

    private static func row(_ row: HostRow, _ connectivity: Connectivity, _ now: Date) -> HTML {
        let result = row.presentResult(in: connectivity)
        let reason = isOut(row, result, connectivity) ? "The Internet is out." : result.reason
        return """
            <li data-verdict="\(result.state.rawValue)"><div class="host-row"><span class="host" title="\(row.host.name)">\(row.host.name)</span> \
            <span class="standing">\(result.state.words)</span> \(HostBars(checks: row.statistics.recent).html) \
            <dl class="host-figures">\(figures(row, now))</dl></div>\
            \(reason.map { "<p class=\"small wrap\">\($0)</p>" as HTML })\
            \(row.certificate?.problem.map { "<p class=\"small wrap certificate-problem\">TLS: \(Wording.failure($0)).</p>" as HTML })\
            <div class="host-more">\(details(row))</div></li>
            """
    }

    /// Whether the missing Internet explains that a host is not reachable: the headline says this network's fault.
    private static func isOut(_ row: HostRow, _ result: HostRow.Result, _ connectivity: Connectivity) -> Bool {
        result.state == .unreachable && !row.isNear && row.report?.error?.code != .refused
            && HistoryState(connectivity.state).availability == .down
    }

    private static func figures(_ row: HostRow, _ now: Date) -> [HTML] {
        let statistics = row.statistics
        let latency = row.connectDuration.map { Figures.latency($0 / .seconds(1)) }
        let availability = statistics.availability(at: now)
        var figures = [
            figure("Latency", latency), figure("Varies by", statistics.jitter.map(Figures.latency)),
            figure("Loss", statistics.loss.map(Figures.percentage)),
            figure("Available", availability.map { "\(Figures.percentage($0.share)) of \(period($0.period))" }),
        ]
        if row.host.usesTLS {
            let expiry = row.certificate?.expiry.map { CertificateExpiry($0, at: now) }
            figures.append(figure("Certificate", expiry?.text, level: expiry?.level))
        }
        return figures
    }

    /// A figure; without a value a dash keeps its place.
    private static func figure(_ name: String, _ value: String?, level: String? = nil) -> HTML {
        let level: HTML? = level.map { " data-level=\"\($0)\"" }
        return "<div><dt>\(name)</dt><dd\(level)>\(value ?? "–")</dd></div>"
    }

    /// A period of at most a day, in its largest unit.
    static func period(_ seconds: Double) -> String {
        seconds < 3600 ? "\(Int(seconds / 60)) min" : "\(Int(seconds / 3600)) h"
    }

    private static func details(_ row: HostRow) -> HTML {
        let port = row.port.map { "Port \($0)" } ?? "It"
        let answer = row.connectDuration.map { "\(port) answered in \(Figures.latency($0 / .seconds(1))), at " } ?? ""
        let address = row.report?.connection?.value.map { "\($0)" }
        let expiry: HTML? = row.certificate?.expiry.map { LocalTime.element($0, .day) }
        let items: [HTML?] = [
            address.map { item("Address", "<span class=\"mono wrap\">\($0)</span>") },
            row.checkedAt.map { item("Last check", "\(answer)\(LocalTime.element($0))") },
            item("In this state since", LocalTime.element(row.since, .day)),
            expiry.map { item("Certificate valid until", $0) },
        ]
        return "<details><summary>Details</summary><dl class=\"small\">\(items.compactMap(\.self))</dl></details>"
    }

    private static func item(_ name: String, _ value: HTML) -> HTML { "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }
}

/// The time until a certificate expires.
struct CertificateExpiry: Hashable, Sendable {
    /// The text, such as `12 d`.
    let text: String
    /// `warn` in the last two weeks, `bad` after the end; nil before.
    let level: String?

    init(_ expiry: Date, at now: Date) {
        let seconds = expiry.timeIntervalSince(now)
        let days = Int(min(max(seconds / 86_400, -1e6), 1e6))
        guard seconds > 0 else {
            text = "expired"
            level = "bad"
            return
        }
        text = days > 0 ? "\(days) d" : seconds < 3600 ? "under 1 h" : "\(Int(seconds / 3600)) h"
        level = days < 14 ? "warn" : nil
    }
}

/// The last checks of a host as bars, the newest at the right: as high as the latency, or, for a failure, of the full height.
struct HostBars {
    let checks: [HostStatistics.Check]

    private static let width = 4 * HostStatistics.recentLimit
    private static let height = 24

    var html: HTML {
        let most = max(checks.compactMap(\.latency).max() ?? 0, 0.001)
        let offset = HostStatistics.recentLimit - checks.count
        var bars = ""
        var failures = ""
        for (index, check) in checks.enumerated() {
            let left = 4 * (offset + index)
            if let latency = check.latency {
                // A bar is never so low that it cannot be seen.
                bars += "M\(left + 2) \(Self.height)v-\(3 + Int((latency / most * Double(Self.height - 3)).rounded()))"
            } else {
                failures += "M\(left + 2) \(Self.height)v-\(Self.height)"
            }
        }
        return """
            <svg class="host-bars" viewBox="0 0 \(Self.width) \(Self.height)" width="\(Self.width)" \
            height="\(Self.height)" role="img" aria-label="\(label)" focusable="false">\
            \(checks.isEmpty ? nil : "<path class=\"axis\" d=\"M0 \(Self.height)H\(Self.width)\"/>" as HTML)\
            <path class="connected" d="\(bars)"/><path class="failed" d="\(failures)"/></svg>
            """
    }

    private var label: String {
        let latencies = checks.compactMap(\.latency)
        let failed = checks.count - latencies.count
        guard !checks.isEmpty else { return "No check yet" }
        let range =
            latencies.min().flatMap { least in
                latencies.max().map { ", in \(Figures.latency(least)) to \(Figures.latency($0))" }
            } ?? ""
        return "The last \(checks.count) checks: \(latencies.count) connected\(range); \(failed) failed"
    }
}
