// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// A record of the history that a collector receives.
package struct HistoryEvent: Hashable, Sendable {
    /// The recorded change.
    package enum Content: Hashable, Sendable {
        case transition(HistoryTransition)
        case host(HostChange)
    }

    /// The number of the record among those of its kind.
    let number: Int64
    package let content: Content

    package var time: Date {
        switch content {
        case .transition(let transition): transition.time
        case .host(let change): change.time
        }
    }

    /// Whether a collector does not get it.
    var isSilent: Bool {
        if case .transition(let transition) = content { transition.isSilent } else { false }
    }

    /// Identifies the event among those of its source, however often it is sent.
    ///
    /// A power failure may lose records that were sent already, and their numbers are then used again; the time keeps such
    /// events apart.
    package var identifier: String {
        switch content {
        case .transition: "t\(number)-\(time.milliseconds)"
        case .host: "h\(number)-\(time.milliseconds)"
        }
    }
}

/// The last records that a collector has acknowledged.
package struct EventCursor: Hashable, Sendable {
    var transition: Int64
    var host: Int64
}

/// The next events for a collector.
package struct EventBatch: Hashable, Sendable {
    /// Identifies the database, as a UUID.
    package let source: String
    package internal(set) var events: [HistoryEvent]
    /// The number of events that were removed before a collector acknowledged them.
    package internal(set) var lost: Int
    /// The position after these events.
    let cursor: EventCursor

    /// Combines both kinds of records, each in recording order, by their times.
    ///
    /// - Parameters:
    ///   - transitions: the events after the cursor, up to the limit or more.
    ///   - hosts: the same for watched hosts.
    init(
        _ source: String, after cursor: EventCursor, _ transitions: [HistoryEvent], _ hosts: [HistoryEvent], limit: Int
    ) {
        var transitions = transitions[...]
        var hosts = hosts[...]
        var cursor = cursor
        var events: [HistoryEvent] = []
        var lost: Int64 = 0
        while events.count < limit {
            let isHost =
                switch (transitions.first, hosts.first) {
                case (let transition?, let host?): host.time < transition.time
                case (nil, _): true
                case (_, nil): false
                }
            guard let event = isHost ? hosts.popFirst() : transitions.popFirst() else { break }
            let last = isHost ? cursor.host : cursor.transition
            lost += max(0, event.number - last - 1)
            if isHost { cursor.host = event.number } else { cursor.transition = event.number }
            events.append(event)
        }
        self.source = source
        self.events = events
        self.lost = Int(clamping: lost)
        self.cursor = cursor
    }
}
