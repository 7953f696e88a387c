// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

extension Router {
    /// `GET /`.
    func dashboard(_ request: Request, hasSession: Bool) async -> Response {
        let live = publisher.live
        let window = window(request)
        let page = DashboardPage(
            live: live, past: await pastPart(request).html, machine: configuration.machineName,
            version: configuration.version, isDemo: publisher.demo != nil, canCheck: !configuration.isPassive,
            requestURL: configuration.request.url,
            hasSession: hasSession,
            window: window,
            refresh: .init(
                address: Self.address(window, turn: request.query["turn"].map { $0 == "0" ? "1" : "0" }),
                seconds: live.request.isUnderWay ? 3 : 15),
            notice: request.query["notice"].flatMap(Notice.init(rawValue:))?.words,
            rejectedHost: request.query["entry"].flatMap(visitors.rejectedHost))
        return .page(page.html.description)
    }

    /// `GET /parts`: the parts of the page that may have changed.
    func parts(_ request: Request) async -> Response {
        let live = publisher.live
        let (past, isComplete) = await pastPart(request)
        let parts = DashboardPage.parts(live, past: past).map { ($0.id, $0.html.description) }
        let sentence =
            live.request.phase == .unknown
            ? VerdictSection.sentence(live)
            : VerdictSection.sentence(live) + " " + RequestSection.sentence(live.request, in: live.connectivity)
        let view = View(
            parts: Dictionary(parts) { $1 },
            title: "\(VerdictSection.title(live)) · \(configuration.machineName)",
            severity: Severity(live.connectivity.state).rawValue, icon: Severity(live.connectivity.state).icon,
            sentence: sentence, underWay: live.request.isUnderWay, isComplete: isComplete && !live.isChecking,
            scene: live.scene?.rawValue)
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

    private func window(_ request: Request) -> TimelineWindow {
        request.query["window"].flatMap(TimelineWindow.init(rawValue:)) ?? .day
    }

    /// The address of the dashboard.
    ///
    /// - Parameter turn: nil for the whole page. To jump to the request part, a different value each time: a browser
    ///   does not reload a page whose address differs only in its fragment.
    static func address(_ window: TimelineWindow, turn: String?) -> String {
        "/?window=\(window.rawValue)" + (turn.map { "&turn=\($0)#request" } ?? "")
    }

    private func pastPart(_ request: Request) async -> (html: HTML, isComplete: Bool) {
        let window = window(request)
        return await past.html(window, isTroubled: !history.status.isHealthy) { [self] in await drawn(window) }
    }

    private func drawn(_ window: TimelineWindow) async -> HTML {
        let now = Date.now
        do {
            let timeline = try await history.timeline(
                from: now - window.seconds, to: now, maximumSpans: 10_000, maximumOutages: 50)
            let checks = try await history.checks(from: now - window.seconds, to: now, maximum: 240)
            return HistorySection(timeline: timeline, checks: checks, window: window, status: history.status).html
        } catch {
            return "<p class=\"notice\" role=\"alert\">The history cannot be shown: \("\(error)").</p>"
        }
    }

    /// A notice that the page shows once after a form was sent; selected by name in the address, never quoted from it.
    enum Notice: String {
        case tooOften

        var words: String {
            switch self {
            case .tooOften: "Too many requests. Try again shortly."
            }
        }
    }
}
