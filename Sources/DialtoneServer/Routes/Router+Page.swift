// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

extension Router {
    /// `GET /`.
    func dashboard(_ request: Request, hasSession: Bool) async throws(Refusal) -> Response {
        let live = live
        let period = try HistoryPeriod(request.query, now: time.moment.realtime)
        let page = DashboardPage(
            live: live, past: await pastPart(period).html, now: time.moment.realtime, machine: machineName,
            version: configuration.version, canCheck: !agent.configuration.isPassive, hasSession: hasSession,
            address: "/?\(period.query)")
        return .page(page.html.description)
    }

    /// `GET /parts`: the parts of the page that may have changed.
    func parts(_ request: Request) async throws(Refusal) -> Response {
        let live = live
        let period = try HistoryPeriod(request.query, now: time.moment.realtime)
        let (past, isComplete) = await pastPart(period)
        let severity = Severity(live.connectivity.state)
        let view = EncodedObject([
            // The markup of each part, by the identifier of its element.
            "parts": DashboardPage.parts(live, past: past, now: time.moment.realtime).mapValues(\.description),
            "title": "\(VerdictSection.title(live)) · \(machineName)", "severity": severity.rawValue,
            "icon": severity.icon, "sentence": VerdictSection.sentence(live),
            "isComplete": isComplete && !live.isChecking,
        ])
        return .json(OneLineJSON.string(view))
    }

    /// The part of the page that shows the history.
    private func pastPart(_ period: HistoryPeriod) async -> (html: HTML, isComplete: Bool) {
        let key = HistorySectionCache.Key(period: period, isTroubled: !history.status.isHealthy)
        return await past.html(key) { [self] in await drawn(key) }
    }

    private func drawn(_ key: HistorySectionCache.Key) async -> HTML {
        let now = time.moment.realtime
        let (start, end) = key.period.bounds(now: now)
        do {
            let overview = try await history.overview(
                from: start, to: end, columns: TimelineMarks.columns, maximumSpans: HistorySection.maximumSpans,
                maximumOutages: HistorySection.maximumOutages, days: DaysDrawing.bounds(from: start, to: end))
            if !key.period.isChosen, overview.recordedSeconds < HistoryPeriod.fullDay {
                return await drawn(HistorySectionCache.Key(period: HistoryPeriod(.hour)))
            }
            var hops: [HopPeriod] = []
            var remarked: [CheckRecord] = []
            if end.timeIntervalSince(start) <= HopLines.longest {
                hops = try await history.hops(from: start, to: end, limit: HopLines.maximumRows)
            }
            if end.timeIntervalSince(start) <= HopLines.longestRemarked {
                remarked = try await history.remarkedChecks(from: start, to: end, limit: HopLines.maximumRemarked)
            }
            return HistorySection(
                overview: overview, period: key.period, status: history.status, now: now, hops: hops,
                remarked: remarked, coverage: agent.coverage
            ).html
        } catch {
            return "<p class=\"notice\" role=\"alert\">The history cannot be shown: \("\(error)").</p>"
        }
    }
}
