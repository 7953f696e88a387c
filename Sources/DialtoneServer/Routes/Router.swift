// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import Logging
import SystemSupport

/// Routes a request to its response: first access control, then the route.
struct Router: Sendable {
    let current: CurrentConfiguration
    /// Has the state that the pages and the data show.
    let agent: Agent
    let hub: EventHub
    let past: HistorySectionCache
    let logger: Logger
    let throttle: LoginThrottle
    let visitors: Visitors
    let time: TimeSource
    let statusCache = StatusCache()
    /// Limits concurrent reads of the history, because each read holds a part of it in memory.
    let readers = Budget(2)

    var history: HistoryStore { agent.history }
    var machineName: String { agent.configuration.machineName }
    var configuration: ServerConfiguration { current.configuration }
    var accessControl: AccessControl { current.accessControl }

    @Sendable func respond(to request: Request) async -> Response {
        let isTrustworthy = HostAllowList.isLoopback(request[field: "host"] ?? "") || request.isSecure
        let response = SecurityFields.add(to: await answer(request), isTrustworthy: isTrustworthy)
        logger.debug(
            "request",
            metadata: ["method": "\(request.method)", "path": "\(request.path)", "status": "\(response.status)"])
        return response
    }

    private func answer(_ request: Request) async -> Response {
        let epoch = visitors.tokenEpoch
        let session = request.cookie(Sessions.cookie).flatMap { visitors.hasSession($0) ? $0 : nil }
        switch accessControl.decide(request, hasSession: session != nil) {
        case .logIn: return .seeOther("/login")
        case .presents(let text):
            if let (status, message) = await wrongToken(text, by: "field") {
                return refusal(status, message, request)
            }
        case .refuse(let status, let message): return refusal(status, message, request)
        case .pass: break
        }
        guard let route = Route(rawValue: request.path) else {
            return refusal(404, "There is no page at this address.", request)
        }
        guard route.methods.contains(request.method) else {
            return refusal(405, "Allowed methods: \(route.methods.sorted().joined(separator: ", ")).", request)
                .adding("Allow", route.methods.sorted().joined(separator: ", "))
        }
        do throws(Refusal) {
            return try await serve(route, request, session, epoch)
        } catch {
            return refusal(error.status, error.message, request)
        }
    }

    /// - Parameters:
    ///   - session: the identifier of the session that the request belongs to.
    ///   - epoch: the epoch of the token that the request was admitted with.
    private func serve(
        _ route: Route, _ request: Request, _ session: String?, _ epoch: UInt64
    ) async throws(Refusal) -> Response {
        switch route {
        case .health: Response(200, "ok\n")
        case .online: online()
        case .dashboard: try await dashboard(request, hasSession: session != nil)
        case .parts: try await parts(request)
        case .style: asset(.style, request)
        case .script: asset(.script, request)
        case .status: status()
        case .hostList: hosts()
        case .history: try await history(request)
        case .historyFile: try await historyFile(request)
        case .report: try await report(request)
        case .metrics: metrics()
        case .events: try events(request, session, epoch)
        case .check: try checkNow()
        case .login: await logIn(request)
        case .logout: logOut(request, session: session)
        }
    }

    /// Creates an error response: a page for people, JSON for programs.
    func refusal(_ status: Int, _ message: String, _ request: Request) -> Response {
        guard request[field: "accept"]?.contains("text/html") == true else { return .problem(status, message) }
        let page = MessagePage.html(Response.phrase(status), message)
        return .page(page.description, status: status)
    }

    /// An asset of the page; browsers revalidate it and get 304 while it is unchanged.
    private func asset(_ asset: Asset, _ request: Request) -> Response {
        if request[field: "if-none-match"] == asset.tag {
            return Response(304, fields: [("ETag", asset.tag)], body: .bytes([]))
        }
        return Response(
            200, fields: [("Content-Type", asset.type), ("Cache-Control", "no-cache"), ("ETag", asset.tag)],
            body: .bytes(asset.bytes))
    }
}

/// The configuration in effect, which a reload replaces.
final class CurrentConfiguration: Sendable {
    private let state: Mutex<(configuration: ServerConfiguration, accessControl: AccessControl)>

    init(_ configuration: ServerConfiguration, _ accessControl: AccessControl) {
        state = Mutex((configuration, accessControl))
    }

    var configuration: ServerConfiguration { state.withLock { $0.configuration } }
    var accessControl: AccessControl { state.withLock { $0.accessControl } }

    func replace(_ configuration: ServerConfiguration, _ accessControl: AccessControl) {
        state.withLock { $0 = (configuration, accessControl) }
    }
}

/// The paths of this server.
enum Route: String, CaseIterable {
    case dashboard = "/"
    case health = "/healthz"
    case online = "/online"
    case parts = "/parts"
    case style = "/style.css"
    case script = "/dashboard.js"
    case status = "/api/status"
    case history = "/api/history"
    case historyFile = "/api/history.csv"
    case report = "/report"
    case hostList = "/api/hosts"
    case metrics = "/metrics"
    case events = "/events"
    case check = "/check"
    case login = "/login"
    case logout = "/logout"

    var methods: Set<String> {
        switch self {
        case .check, .logout: ["POST"]
        case .login: ["GET", "HEAD", "POST"]
        default: ["GET", "HEAD"]
        }
    }
}

/// A file that the page loads.
struct Asset: Sendable {
    let bytes: [UInt8]
    let type: String
    /// The entity tag, which changes with the content.
    let tag: String

    static let style = Asset(PackageResources.style_css, type: "text/css; charset=utf-8")
    static let script = Asset(PackageResources.dashboard_js, type: "text/javascript; charset=utf-8")

    private init(_ bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
        // FNV-1a, 64 bits: detects changes, but does not resist deliberate collisions.
        let number = bytes.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        tag = "\"\(String(number, radix: 16))\""
    }
}
