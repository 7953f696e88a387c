// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

package struct HookRun: Hashable, Sendable {
    var event: Transition
    /// The state of the previous run; nil in the first.
    var previous: HistoryState?
    /// The number of transitions since the previous run for which no hook ran.
    var skipped = 0

    /// The environment variables that describe the transition; one without a value is empty.
    var variables: [String: String] {
        [
            "DIALTONE_STATE": event.state.rawValue, "DIALTONE_PREVIOUS_STATE": previous?.rawValue ?? "",
            "DIALTONE_REASON": Printable.text(event.reason ?? ""),
            "DIALTONE_INTERFACE": Printable.text(event.interfaceName ?? ""),
            "DIALTONE_INTERFACE_TYPE": event.interfaceType ?? "",
            "DIALTONE_PORTAL": Printable.text(event.portal ?? ""), "DIALTONE_TIME": event.time.iso8601,
            "DIALTONE_SKIPPED": "\(skipped)", "DIALTONE_FAULT": event.fault?.rawValue ?? "",
            "DIALTONE_CAUSE": event.cause?.rawValue ?? "",
            "DIALTONE_TRANSITION": "\(event.number)",
            "DIALTONE_OUTAGE_BEGAN": event.outage?.start.iso8601 ?? "",
            "DIALTONE_OUTAGE_SECONDS": event.outage.map { "\(Int($0.length.rounded()))" } ?? "",
            "DIALTONE_OUTAGE_FAULT": event.outage?.fault?.rawValue ?? "",
            "DIALTONE_OUTAGE_CAUSE": event.outage?.cause?.rawValue ?? "",
            "DIALTONE_MESSAGE": Printable.text(event.message),
        ]
    }
}

/// The transitions whose hooks have not run yet: bounded, in order.
struct HookQueue: Sendable {
    /// The maximum number of waiting transitions.
    static let limit = 16

    private var waiting: [Transition] = []
    /// The newest transition of an outage that is not long enough yet.
    private var held: Transition?
    /// The newest transition that was not held.
    private var newest: Transition?
    private var previous: HistoryState?
    private var skippedSinceRun = 0
    private var isRunning = false
    /// The number of transitions for which no hook ran, because too many were waiting.
    private(set) var skipped = 0

    /// Adds a transition; if there is no room, drops the oldest that is waiting.
    ///
    /// - Parameter shortest: the length from which an outage runs hooks, in seconds.
    /// - Returns: whether the caller must start the runs.
    mutating func append(_ transition: Transition, shortest: Double = 0) -> Bool {
        let held = held
        self.held = nil
        let ended = transition.outages.filter { held == nil || $0.length >= shortest }
        let isLong = transition.outages.last.map { $0.length >= shortest } ?? false
        // The outage that is held was long enough, but its time has not been looked at.
        let starts = held?.outageBegan != transition.outageBegan && isLong ? held.map { add($0) } ?? false : false
        // The end of an outage before waits with what is held.
        let transition = transition.with(outages: (starts ? [] : held?.outages ?? []) + ended)
        if let began = transition.outageBegan {
            guard shortest == 0 || newest?.outageBegan == began else {
                self.held = transition
                return starts
            }
            // A phase runs no hook, unless the outage before ended with it.
            return transition.isPhase && transition.outages.isEmpty ? starts : add(transition) || starts
        }
        if held != nil, !isLong, transition.outages.isEmpty, newest.map(transition.repeats) == true { return false }
        return add(transition) || starts
    }

    /// Adds the transition of an outage that has become long enough.
    ///
    /// An outage grows only while the Internet is known not to answer.
    ///
    /// - Parameter uptime: the seconds of a clock that does not count suspensions, in which no outage grows.
    /// - Returns: whether the caller must start the runs, and the time at which to call again.
    mutating func release(at uptime: Double, shortest: Double) -> (starts: Bool, next: Double?) {
        guard let held, held.state.availability == .down, let began = held.outageBegan.map({ $0 - held.suspended })
        else { return (false, nil) }
        guard uptime >= began + shortest else { return (false, began + shortest) }
        self.held = nil
        return (add(held), nil)
    }

    private mutating func add(_ transition: Transition) -> Bool {
        newest = transition
        waiting.append(transition)
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
        defer {
            previous = event.state
            skippedSinceRun = 0
        }
        return HookRun(event: event, previous: previous, skipped: skippedSinceRun)
    }

    mutating func removeAll() {
        waiting = []
        held = nil
    }
}
