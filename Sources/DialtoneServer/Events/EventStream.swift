// SPDX-License-Identifier: Apache-2.0

/// The response to `GET /events`.
struct EventStream {
    let hub: EventHub
    /// The current state, as an event's name and data.
    let present: @Sendable () -> (name: String, data: String)
    /// Whether the stream may continue; checked before each write, and at least at each heartbeat.
    let isAllowed: @Sendable () -> Bool

    /// Streams the events after the last one the client saw, or else the current state and the events after it.
    func response(to request: Request) -> Response {
        guard let place = EventHub.Registration(in: hub) else {
            return .problem(503, "Too many event streams are open.")
        }
        let hub = hub
        let (present, isAllowed) = (self.present, self.isAllowed)
        let last = request[field: "last-event-id"].flatMap { hub.number(of: $0) }
        return Response(
            200, fields: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .stream { writer in
                defer { withExtendedLifetime(place) {} }
                var (number, bytes) = last.map { ($0, EventText.opening) } ?? Self.start(hub, present)
                try await writer.write(last == nil ? EventText.opening + bytes : bytes)
                while true {
                    let wake = await hub.next(after: number)
                    guard isAllowed() else { return }
                    switch wake {
                    case .event(let event):
                        try await writer.write(event.bytes)
                        number = event.number
                    case .tooLate:
                        (number, bytes) = Self.start(hub, present)
                        try await writer.write(bytes)
                    case .quiet: try await writer.write(EventText.heartbeat)
                    case .end: return
                    }
                }
            })
    }

    /// The current state, under the number of the latest event: all later events are newer.
    private static func start(
        _ hub: EventHub, _ present: () -> (name: String, data: String)
    ) -> (UInt64, [UInt8]) {
        let latest = hub.latest
        let (name, data) = present()
        return (latest.number, EventText.event(name, data, id: latest.identifier))
    }
}
