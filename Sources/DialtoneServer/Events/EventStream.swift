// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import HummingbirdCore
import SystemSupport

extension Router {
    /// `GET /events`: the events after the last one that the client saw, or else the current state and the events after it.
    ///
    /// It lasts as long as its session, and as the token that the request was admitted with: that is checked before each write, and at
    /// least at each keep-alive.
    func events(_ request: Request, _ session: String?, _ epoch: UInt64) throws(Refusal) -> Response {
        guard let slot = EventHub.Slot(in: hub) else { throw Refusal(503, "Too many event streams are open.") }
        let last = request[field: "last-event-id"].flatMap { hub.number(of: $0) }
        let isAllowed = { @Sendable [visitors] in
            visitors.tokenEpoch == epoch && session.map(visitors.hasSession) ?? true
        }
        return Response(
            200, fields: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .stream { (write: inout any ResponseBodyWriter) in
                defer { withExtendedLifetime(slot) {} }
                var (number, bytes) = last.map { ($0, EventText.opening) } ?? present()
                try await write(last == nil ? EventText.opening + bytes : bytes)
                while true {
                    let wake = await hub.next(after: number, if: isAllowed)
                    guard isAllowed() else { return }
                    switch wake {
                    case .event(let event):
                        try await write(event.bytes)
                        number = event.number
                    case .tooLate:
                        (number, bytes) = present()
                        try await write(bytes)
                    case .quiet: try await write(EventText.keepAlive)
                    case .end: return
                    }
                }
            })
    }

    /// The current state, under the number of the latest event: all later events are newer.
    private func present() -> (UInt64, [UInt8]) {
        let latest = hub.latest
        let data = agent.monitor.current.event(at: time.moment.realtime, isStream: false)
        return (latest.number, EventText.event("connectivity", data, id: latest.identifier))
    }
}

extension Connectivity {
    /// The data of the event `connectivity`.
    func event(at now: Date, isStream: Bool = true) -> String {
        OneLineJSON.string(StatusReport(self, at: now, isStream: isStream))
    }
}

/// The text of server-sent events: the HTML standard of WHATWG, section 9.2.
enum EventText {
    /// Formats an event.
    ///
    /// - Parameters:
    ///   - data: one or more lines.
    ///   - id: the identifier that the client sends when it reconnects.
    static func event(_ name: String, _ data: String, id: String) -> [UInt8] {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return Array("id: \(id)\nevent: \(name)\n\(lines.joined())\n".utf8)
    }

    /// A comment that keeps an idle connection from being considered dead.
    static let keepAlive = Array(": heartbeat\n\n".utf8)

    /// Sets the delay before a client that lost its connection reconnects.
    static let opening = Array("retry: 2000\n\n".utf8)
}
