// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneSupport

extension Router {
    /// `GET /api/status`: the current state, and the status of the history.
    func status() -> Response {
        do {
            return .json(try OneLineJSON.text(ServedStatus(report: publisher.report, history: history.status)))
        } catch {
            return .problem(500, "The status cannot be encoded: \(error)")
        }
    }

    /// `GET /api/history?from=&to=&spans=`: a timeline, as JSON.
    func history(_ request: Request) async -> Response {
        let window: HistoryWindow
        do {
            window = try HistoryWindow(request.query, now: .now)
        } catch {
            return .problem(400, error.message)
        }
        guard readers.reserve(1) else {
            return .problem(503, "The history is busy. Try again shortly.").adding("Retry-After", "2")
        }
        defer { readers.release(1) }
        do {
            let timeline = try await history.timeline(
                from: window.start, to: window.end, maximumSpans: window.spans, maximumOutages: window.spans)
            let status = history.status
            let note: String? = if case .degraded(let trouble) = status.health { trouble.description } else { nil }
            return .json(
                try HistoryReport(timeline, note: note).json())
        } catch {
            return .problem(500, "\(error)")
        }
    }

    /// `GET /events`, for as long as its session lasts.
    func events(_ session: String?) -> EventStream {
        EventStream(
            hub: hub, present: { [publisher] in publisher.present },
            isAllowed: { [visitors] in session.map(visitors.hasSession) ?? true })
    }

    /// `GET /metrics`, for Prometheus.
    func metrics(_ request: Request) -> Response {
        let snapshot = metricsRecorder.snapshot(
            publisher.real, history: history.status, streams: hub.listenerCount,
            loginFailures: throttle.failures, version: configuration.version)
        let page = MetricsPage(snapshot, format: MetricsFormat(accepting: request[field: "accept"]))
        return Response(200, page.text, type: page.format.contentType)
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
    init(_ query: [String: String], now: Date) throws(RequestError) {
        func date(_ name: String) throws(RequestError) -> Date? {
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let date = ISOTime.date(text) else {
                throw RequestError(
                    400, "'\(name)' must be a time such as 2026-11-20T12:00:00Z, or seconds since 1970.")
            }
            return date
        }
        end = try date("to") ?? now
        start = try date("from") ?? end - 86_400
        guard start <= end else { throw RequestError(400, "'from' must not be later than 'to'.") }
        guard let text = query["spans"], !text.isEmpty else {
            spans = 1000
            return
        }
        guard let number = Int(text), (1...Self.most).contains(number) else {
            throw RequestError(400, "'spans' must be a number from 1 to \(Self.most).")
        }
        spans = number
    }
}
