// SPDX-License-Identifier: Apache-2.0

package import Dialtone

#if canImport(Darwin)
package import SystemSupport
#else
import SystemSupport
#endif

/// A transition for which hooks run: a change of the state, the interface or the login page.
package struct HookEvent: Hashable, Sendable {
    package var state: ConnectivityState
    /// The reason why this machine is not online, as a sentence.
    package var reason: String?
    /// The preferred interface or, without a path, the one at fault.
    package var interface: String?
    /// The type of the interface, as in the JSON report.
    package var interfaceType: String?
    /// The URL of the login page, which the network chose.
    package var portal: String?
    package var time: Date

    package init(
        state: ConnectivityState, reason: String? = nil, interface: String? = nil, interfaceType: String? = nil,
        portal: String? = nil, time: Date
    ) {
        self.state = state
        self.reason = reason
        self.interface = interface
        self.interfaceType = interfaceType
        self.portal = portal
        self.time = time
    }

    /// Creates the event of a value that a monitor delivered.
    package init(_ connectivity: Connectivity, at time: Date) {
        let interface = connectivity.path.interfaces.first ?? connectivity.path.diagnosis?.interface
        self.init(
            state: connectivity.state, reason: connectivity.reason, interface: interface?.name,
            interfaceType: interface?.type.reportName,
            portal: connectivity.evidence?.verdict.portal?.absoluteString, time: time)
    }

    /// Whether no hook needs to run after the other event.
    fileprivate func repeats(_ other: HookEvent) -> Bool {
        state == other.state && interface == other.interface && portal == other.portal
    }
}

/// A run of the hooks.
package struct HookRun: Hashable, Sendable {
    package var event: HookEvent
    /// The state of the previous run; nil in the first.
    package var previous: ConnectivityState?
    /// The number of transitions since the previous run for which no hook ran.
    package var skipped = 0

    package init(_ event: HookEvent, previous: ConnectivityState? = nil, skipped: Int = 0) {
        self.event = event
        self.previous = previous
        self.skipped = skipped
    }

    /// The environment variables that describe the transition; one without a value is empty.
    package var variables: [String: String] {
        [
            "DIALTONE_STATE": event.state.rawValue, "DIALTONE_PREVIOUS_STATE": previous?.rawValue ?? "",
            "DIALTONE_REASON": Printable.text(event.reason ?? ""),
            "DIALTONE_INTERFACE": Printable.text(event.interface ?? ""),
            "DIALTONE_INTERFACE_TYPE": event.interfaceType ?? "",
            "DIALTONE_PORTAL": Printable.text(event.portal ?? ""), "DIALTONE_TIME": event.time.iso8601,
            "DIALTONE_SKIPPED": "\(skipped)",
        ]
    }
}

/// The transitions whose hooks have not run yet: bounded, in order.
struct HookQueue: Sendable {
    /// The maximum number of waiting transitions.
    static let limit = 16

    private var waiting: [HookEvent] = []
    private var newest: HookEvent?
    private var previous: ConnectivityState?
    private var skippedSinceRun = 0
    private var isRunning = false
    /// The number of transitions for which no hook ran, because too many were waiting.
    private(set) var skipped = 0

    /// Adds an event, unless it repeats the newest one; if there is no room, drops the oldest that is waiting.
    ///
    /// - Returns: whether the caller must start the runs.
    mutating func append(_ event: HookEvent) -> Bool {
        if let newest, event.repeats(newest) { return false }
        newest = event
        waiting.append(event)
        if waiting.count > Self.limit {
            waiting.removeFirst()
            skippedSinceRun += 1
            skipped += 1
        }
        defer { isRunning = true }
        return !isRunning
    }

    /// The next run; nil, which ends the runs, if no event is waiting.
    mutating func next() -> HookRun? {
        guard !waiting.isEmpty else {
            isRunning = false
            return nil
        }
        let event = waiting.removeFirst()
        defer { (previous, skippedSinceRun) = (event.state, 0) }
        return HookRun(event, previous: previous, skipped: skippedSinceRun)
    }

    /// Drops all waiting events.
    mutating func removeAll() { waiting = [] }
}
