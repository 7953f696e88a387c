// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

extension Router {
    /// `GET /api/status`: the current state, and the status of the history.
    func status() -> Response {
        do {
            return .json(
                try statusCache.text(
                    .init(
                        connectivity: agent.monitor.current, history: history.status, hops: agent.hops,
                        coverage: agent.coverage), at: time.moment.realtime))
        } catch {
            return .problem(500, "The status cannot be encoded: \(error)")
        }
    }

    /// `GET /online`: whether this machine is online, for programs that understand only a status.
    ///
    /// It needs no token, so it does not say more. With `--passive` a path is enough, as for the exit status of the command.
    func online() -> Response {
        let state = agent.monitor.current.state
        let isOnline = state == .online || agent.configuration.isPassive && state == .unverified
        return Response(isOnline ? 200 : 503, isOnline ? "online\n" : "not online\n")
    }

    /// `GET /api/hosts`: the watched hosts.
    func hosts() -> Response {
        let live = live
        let now = time.moment.realtime
        return .json(
            OneLineJSON.string(
                live.hosts.map { ServedHost(row: $0, connectivity: live.connectivity, now: now, hasChecks: true) }))
    }

    /// `GET /api/history?from=&to=&spans=`: a timeline, as JSON.
    func history(_ request: Request) async throws(Refusal) -> Response {
        try await reading(request) { [history] window in
            let timeline = try await history.timeline(
                from: window.start, to: window.end, maximumSpans: window.spans, maximumOutages: window.spans)
            return .json(try HistoryReport(timeline, note: history.status.problem?.description).json())
        }
    }

    /// `GET /api/history.csv?from=&to=&kind=`: the spans, the outages, the checks or the hops, as `dialtone history --csv` prints them.
    func historyFile(_ request: Request) async throws(Refusal) -> Response {
        let kind = request.query["kind"] ?? ""
        guard ["", "spans", "outages", "checks", "hops"].contains(kind) else {
            throw Refusal(400, "'kind' must be spans, outages, checks or hops.")
        }
        return try await reading(request) { [history] window in
            let maximum = HistoryWindow.most
            let start = window.start
            let end = window.end
            let lines: [String]
            let isComplete: Bool
            switch kind {
            case "checks":
                let checks = try await history.singleChecks(from: start, to: end, limit: maximum + 1)
                lines = HistoryCSV.lines(checks: checks)
                isComplete = checks.count <= maximum
            case "hops":
                let hops = try await history.hops(from: start, to: end, limit: maximum + 1)
                lines = HistoryCSV.lines(hops: hops)
                isComplete = hops.count <= maximum
            default:
                let timeline = try await history.timeline(
                    from: start, to: end, maximumSpans: maximum, maximumOutages: maximum)
                if kind == "outages" {
                    lines = HistoryCSV.lines(outages: timeline.outages)
                    isComplete = timeline.outages.count == timeline.summary.outages
                } else {
                    lines = HistoryCSV.lines(spans: timeline.spans)
                    isComplete = timeline.spans.allSatisfy { $0.merged == 1 }
                }
            }
            guard isComplete else {
                return .problem(
                    413,
                    "There are more than \(maximum) lines. Choose a shorter time with from= and to=, or run"
                        + " dialtone history --csv.")
            }
            let name = "dialtone-\(["", "spans"].contains(kind) ? "timeline" : kind).csv"
            return Response(200, lines.map { $0 + "\n" }.joined(), type: "text/csv; charset=utf-8; header=present")
                .adding("Content-Disposition", "attachment; filename=\"\(name)\"")
        }
    }

    /// `GET /report?month=&language=`: a month of the history as a page to print, this month in English by default.
    func report(_ request: Request) async throws(Refusal) -> Response {
        let now = time.moment.realtime
        let month = try ReportMonth(request.query["month"], now: now)
        let language = try ReportWording.Language(query: request.query["language"])
        return await reading { [history, machineName] in
            let start = month.start
            let end = month.end
            let maximum = HistoryWindow.most
            let timeline = try await history.timeline(
                from: start, to: end, maximumSpans: maximum, maximumOutages: maximum)
            guard timeline.outages.count == timeline.summary.outages else {
                return .problem(413, "There are more than \(maximum) outages. Run dialtone history --report.")
            }
            let hops = try await history.hops(from: start, to: end, limit: .max)
            var sheet = HistorySheet(timeline, hops: hops, machine: machineName, made: now, in: language)
            let nonce = UUID().uuidString
            let months = [month.previous, month.next(now: now)].compactMap { $0?.name }
            sheet.served = HistorySheet.Served(month: month.name, months: months, styleNonce: nonce)
            return .page(sheet.text).adding(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
        }
    }

    /// Reads a part of the history for a response, within the limits on time and concurrent reads.
    private func reading(
        _ request: Request, _ respond: @escaping @Sendable (HistoryWindow) async throws -> Response
    ) async throws(Refusal) -> Response {
        let window = try HistoryWindow(request.query, now: time.moment.realtime)
        return await reading { try await respond(window) }
    }

    private func reading(_ respond: @escaping @Sendable () async throws -> Response) async -> Response {
        guard readers.reserve(1) else {
            return .problem(503, "The history is busy. Try again shortly.").adding("Retry-After", "2")
        }
        let deadline = time.now + configuration.limits.historyTime
        let response: Response? = await firstAnswer(until: deadline, on: time, late: nil, cancelled: nil) { [readers] in
            // A read that waits for the disk keeps its reservation.
            defer { readers.release(1) }
            do {
                return try await respond()
            } catch {
                return .problem(500, "\(error)")
            }
        }
        return response
            ?? .problem(503, "The history could not be read in time. Try again shortly.").adding("Retry-After", "5")
    }

    /// `GET /metrics`, for Prometheus.
    func metrics() -> Response {
        let (counters, check) = agent.recorder.counts
        var snapshot = MetricsSnapshot(
            version: configuration.version, live: live, counters: counters, lastCheck: check, history: history.status,
            hops: agent.hops, coverage: agent.coverage, hookRuns: agent.hookRuns, loginFailures: throttle.failures,
            eventStreams: hub.listenerCount)
        if let pending = history.pendingEvents { snapshot.delivery = (pending, agent.sender.counts) }
        return Response(200, snapshot.page, type: "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// The requested part of the history.
struct HistoryWindow: Hashable, Sendable {
    let start: Date
    let end: Date
    /// The maximum number of spans.
    let spans: Int

    /// The upper limit for the number of spans.
    static let most = 10_000

    /// Parses a query; the window is the last day by default.
    ///
    /// - Throws: a description of the invalid parameter.
    init(_ query: [String: String], now: Date) throws(Refusal) {
        func date(_ name: String) throws(Refusal) -> Date? {
            guard let text = query[name], !text.isEmpty else { return nil }
            let seconds = Double(text).flatMap { abs($0) < 1e11 ? Date(timeIntervalSince1970: $0) : nil }
            guard let date = seconds ?? PointInTime(text)?.date(now: now) else {
                throw Refusal(400, "'\(name)' must be seconds since 1970, or \(PointInTime.forms).")
            }
            return date
        }
        end = try date("to") ?? now
        start = try date("from") ?? end - 86_400
        guard start <= end else { throw Refusal(400, "'from' must not be later than 'to'.") }
        guard let text = query["spans"], !text.isEmpty else {
            spans = 1000
            return
        }
        guard let number = Int(text), (1...Self.most).contains(number) else {
            throw Refusal(400, "'spans' must be a number from 1 to \(Self.most).")
        }
        spans = number
    }
}

/// The JSON of `/api/status`, which is rendered again only if something other than its time has changed.
final class StatusCache: Sendable {
    /// The values that the JSON contains.
    struct Source: Hashable {
        let connectivity: Connectivity
        let history: HistoryStatus
        let hops: HopMinute?
        let coverage: HeartbeatCoverage?
    }

    /// The source, and the object up to its last field, the time.
    private let last = Mutex<(source: Source, start: String)?>(nil)

    func text(_ source: Source, at time: Date) throws -> String {
        let end = "\"time\":\"\(time.iso8601)\"}"
        if let last = last.withLock(\.self), last.source == source { return last.start + end }
        let report = StatusReport(source.connectivity, at: time)
        let text = try OneLineJSON.text(
            ServedStatus(report: report, history: source.history, hops: source.hops, coverage: source.coverage))
        // The fields are sorted by name.
        if text.hasSuffix(end) { last.withLock { $0 = (source, String(text.dropLast(end.count))) } }
        return text
    }
}

/// The JSON of `/api/status`: the report of the command, plus the status of the history in `history`, and the last minute of the
/// heartbeat in `hops`, and the shortest outage that is always noticed in `coverage`.
struct ServedStatus: Encodable {
    let report: StatusReport
    let history: HistoryStatus
    let hops: HopMinute?
    let coverage: HeartbeatCoverage?

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        try encoder.encode([
            "history": EncodedObject([
                "healthy": history.isHealthy, "problem": history.problem?.description,
                "notice": history.loss?.description, "waiting": history.waiting, "discarded": history.discarded,
            ]),
            "hops": hops.map { minute in
                EncodedObject([
                    "from": minute.start.iso8601, "router": minute.hops[.router].map(Self.object),
                    "nameServers": minute.hops[.nameServers].map(Self.object),
                    "beyond": minute.hops[.beyond].map(Self.object),
                ])
            },
            "coverage": coverage.map {
                EncodedObject(["shortestOutage": $0.shortest, "limit": $0.limit?.rawValue, "reason": $0.reason])
            },
        ])
    }

    private static func object(_ statistics: HopStatistics) -> EncodedObject {
        let seconds = statistics.seconds
        return EncodedObject([
            "sent": statistics.sent, "lost": statistics.lost, "minimum": seconds.minimum, "median": seconds.median,
            "maximum": seconds.maximum, "late": statistics.late,
        ])
    }
}
