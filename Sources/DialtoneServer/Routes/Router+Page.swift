// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import SystemSupport

extension Router {
    /// `GET /`.
    func dashboard(_ request: Request, hasSession: Bool) async -> Response {
        let (live, period): (LiveState, HistoryPeriod)
        do {
            (live, period) = (publisher.live, try HistoryPeriod(request.query, now: time.moment.realtime))
        } catch {
            return refusal(error.status, error.message, request)
        }
        let page = DashboardPage(
            live: live, past: await pastPart(period, live).html, now: time.moment.realtime,
            machine: machineName,
            version: configuration.version, scenes: publisher.scenes?.markup(of: live),
            canCheck: !agent.configuration.isPassive,
            requestURL: showsRequest ? configuration.request.url : nil, hasSession: hasSession, period: period,
            refresh: .init(
                address: Self.address(period, turn: request.query["turn"].map { $0 == "0" ? "1" : "0" }),
                seconds: live.request.isUnderWay ? 3 : 15))
        return .page(page.html.description)
    }

    /// Whether the page has the button for a request: with scenes, and if a URL was set for it.
    private var showsRequest: Bool {
        publisher.scenes != nil || configuration.request.url != ServerConfiguration.standardRequest.url
    }

    /// `GET /parts`: the parts of the page that may have changed.
    func parts(_ request: Request) async -> Response {
        let (live, period): (LiveState, HistoryPeriod)
        do {
            (live, period) = (publisher.live, try HistoryPeriod(request.query, now: time.moment.realtime))
        } catch {
            return .problem(error.status, error.message)
        }
        let (past, isComplete) = await pastPart(period, live)
        let parts = DashboardPage.parts(
            live, past: past, scenes: publisher.scenes?.markup(of: live), now: time.moment.realtime
        ).filter {
            showsRequest || $0.id != "request"
        }.map {
            ($0.id, $0.html.description)
        }
        let sentence =
            live.request.phase == .unknown
            ? VerdictSection.sentence(live)
            : VerdictSection.sentence(live) + " " + RequestSection.sentence(live.request, in: live.connectivity)
        let view = View(
            parts: Dictionary(parts) { $1 },
            title: "\(VerdictSection.title(live)) · \(machineName)",
            severity: Severity(live.connectivity.state).rawValue, icon: Severity(live.connectivity.state).icon,
            sentence: sentence, underWay: live.request.isUnderWay, isComplete: isComplete && !live.isChecking,
            scene: live.scene?.name)
        return .json(OneLineJSON.string(view))
    }

    /// The data with which the page's script updates the page.
    private struct View: Encodable {
        /// The markup of each part, by the identifier of its element.
        let parts: [String: String]
        let title: String
        let severity: String
        let icon: String
        let sentence: String
        let underWay: Bool
        let isComplete: Bool
        let scene: String?
    }

    /// The address of the dashboard.
    ///
    /// - Parameter turn: nil for the whole page. To jump to the request part, a different value each time: a browser
    ///   does not reload a page whose address differs only in its fragment.
    static func address(_ period: HistoryPeriod, turn: String?) -> String {
        "/?\(period.query)" + (turn.map { "&turn=\($0)#request" } ?? "")
    }

    /// The part of the page that shows the history: a generated one while a scene is played, so that nothing simulated
    /// has to be recorded.
    private func pastPart(_ period: HistoryPeriod, _ live: LiveState) async -> (html: HTML, isComplete: Bool) {
        let simulated =
            live.scene == nil ? nil : HistoryTransition(Transition(live.connectivity, at: live.connectivity.since))
        let key = HistorySectionCache.Key(
            period: period, isTroubled: !history.status.isHealthy, simulated: simulated)
        return await past.html(key) { [self] in await drawn(key) }
    }

    private func drawn(_ key: HistorySectionCache.Key) async -> HTML {
        let now = time.moment.realtime
        let (start, end) = key.period.bounds(now: now)
        do {
            let (overview, checks): (TimelineOverview, [CheckSummary])
            var (hops, remarked): ([HopPeriod], [CheckRecord]) = ([], [])
            let hasLines = end.timeIntervalSince(start) <= HopLines.longest
            if let scene = key.simulated.flatMap({ publisher.scenes?.history(endingWith: $0, at: now) }) {
                overview = scene.timeline(from: start, to: end)
                checks = scene.checks(from: start, to: end)
                if hasLines { hops = scene.hops(from: start, to: end) }
            } else {
                overview = try await history.overview(
                    from: start, to: end, columns: TimelineMarks.columns, maximumSpans: HistorySection.maximumSpans,
                    maximumOutages: HistorySection.maximumOutages, days: DaysDrawing.bounds(from: start, to: end))
                if !key.period.isChosen, overview.recordedSeconds < HistoryPeriod.fullDay {
                    return await drawn(HistorySectionCache.Key(period: HistoryPeriod(.hour)))
                }
                checks = try await history.checks(from: start, to: end, maximum: HistorySection.maximumChecks)
                if hasLines { hops = try await history.hops(from: start, to: end, limit: HopLines.maximumRows) }
                if end.timeIntervalSince(start) <= HopLines.longestRemarked {
                    remarked = try await history.remarkedChecks(from: start, to: end, limit: HopLines.maximumRemarked)
                }
            }
            return HistorySection(
                overview: overview, checks: checks, period: key.period, status: history.status,
                isDemo: key.simulated != nil, now: now, hops: hops, remarked: remarked,
                coverage: key.simulated == nil ? agent.coverage : nil
            ).html
        } catch {
            return "<p class=\"notice\" role=\"alert\">The history cannot be shown: \("\(error)").</p>"
        }
    }
}
