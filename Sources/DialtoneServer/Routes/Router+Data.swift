//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneHistory
import FoundationEssentials

extension Router {
    /// `GET /api/status`: the present, and how the history is kept.
    func status() -> Response {
        do {
            return .json(try OneLineJSON.text(ServedStatus(report: watch.report, history: history.status)))
        } catch {
            return .problem(500, "The status cannot be told: \(error)")
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
        guard readers.take(1) else {
            return .problem(503, "Others read the history just now.").adding("Retry-After", "2")
        }
        defer { readers.giveBack(1) }
        do {
            let timeline = try await history.timeline(from: window.start, to: window.end)
            let status = history.status
            let note: String? = if case .degraded(let trouble) = status.health { trouble.description } else { nil }
            return .json(
                try HistoryReport(
                    timeline.thinned(to: window.spans), maximumOutages: window.spans, note: note
                ).json())
        } catch {
            return .problem(500, "The history cannot be read: \(error)")
        }
    }

    /// `GET /events`, for as long as the session lasts that it belongs to.
    func events(_ session: String?) -> EventStream {
        EventStream(
            hub: hub, present: { [watch] in watch.present },
            isAllowed: { [visitors] in session.map(visitors.hasSession) ?? true })
    }

    /// `GET /metrics`: what Prometheus collects.
    func metrics(_ request: Request) -> Response {
        let snapshot = meter.snapshot(
            watch.real, history: history.status, streams: hub.listenerCount, version: configuration.version)
        let page = MetricsPage(snapshot, format: MetricsFormat(accepting: request[field: "accept"]))
        return Response(200, page.text, type: page.format.contentType)
    }
}

/// What of the past is asked for.
struct HistoryWindow: Hashable, Sendable {
    let start: Date
    let end: Date
    /// How many stretches there may be.
    let spans: Int

    /// The most stretches that are told.
    static let most = 10_000

    /// Reads a query; the last day unless it says otherwise.
    ///
    /// - Throws: what is wrong with it.
    init(_ query: [String: String], now: Date) throws(RequestError) {
        func date(_ name: String) throws(RequestError) -> Date? {
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let date = Moment.date(text) else {
                throw RequestError(
                    400, "'\(name)' is no date: write 2026-11-20T12:00:00Z, or seconds since 1970.")
            }
            return date
        }
        end = try date("to") ?? now
        start = try date("from") ?? end - 86_400
        guard start <= end else { throw RequestError(400, "'from' is later than 'to'.") }
        guard let text = query["spans"], !text.isEmpty else {
            spans = 1000
            return
        }
        guard let number = Int(text), (1...Self.most).contains(number) else {
            throw RequestError(400, "'spans' is a number from 1 to \(Self.most).")
        }
        spans = number
    }
}
