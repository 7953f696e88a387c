// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// Decides when events are sent; a value without clock and network.
///
/// Times are seconds of a clock that is never set.
struct DeliveryMachine: Hashable, Sendable {
    enum Action: Hashable {
        /// Nothing to do before an event.
        case idle
        /// Nothing to do before this time, or an event.
        case wait(until: Double)
        /// Send up to this number of events.
        case send(limit: Int)
    }

    /// The maximum number of events in a request.
    static let mostEvents = 100
    /// The longest delay that a collector can ask for, in seconds.
    static let longestDelay = 3600.0
    /// The number of times that a collector refuses the content of an event before it is set aside.
    static let mostRefusals = 5

    private var backoff = ExponentialBackoff(first: 2, longest: 300)
    /// The time before which a failure forbids attempts, until the Internet is verified.
    private var paused = 0.0
    /// The time before which the collector forbids attempts.
    private var delayed = 0.0
    /// The state of the network; nil before the first one.
    private(set) var state: HistoryState?
    private var limit = mostEvents
    /// How often the collector has refused the content of the next event, sent alone.
    private var refusals = 0

    init(_ state: HistoryState? = nil) { self.state = state }

    /// Handles a new state of the network.
    ///
    /// When the Internet is verified again, the next attempt is due at once.
    mutating func connectivityChanged(to new: HistoryState) {
        if new == .online, state != .online { paused = 0 }
        state = new
    }

    /// The next action.
    ///
    /// Without the Internet, attempts continue at growing intervals, because the collector may be on this network, or on this
    /// machine; without a route they send nothing. Only a link that would be dialled is left alone, and before the first state
    /// every link may be one.
    func next(hasEvents: Bool, at now: Double) -> Action {
        guard hasEvents, let state, state != .requiresConnection else { return .idle }
        let due = max(paused, delayed)
        return now < due ? .wait(until: due) : .send(limit: limit)
    }

    /// Handles the end of an attempt.
    ///
    /// A batch whose content is refused is halved until the event that is the reason is sent alone. An event that is set aside
    /// does not end the growth of the pauses: if the collector refuses everything, few events are lost.
    ///
    /// - Parameter jitter: a random number from 0 to 1, so that many hosts do not retry at the same time.
    /// - Returns: whether to set the only event of the batch aside.
    mutating func ended(_ result: DeliveryResult, of count: Int, jitter: Double, at now: Double) -> Bool {
        var pause: Double? = nil
        var isRefusedForGood: Bool = false
        switch result {
        case .acknowledged:
            backoff.succeed()
            limit = min(2 * limit, Self.mostEvents)
            refusals = 0
            return false
        case .refused(let status, let delay):
            if let delay { delayed = now + min(max(0, delay), Self.longestDelay) }
            guard Self.contentStatuses.contains(status) else { break }
            if count > 1 {
                limit = count / 2
                pause = backoff.first
            } else {
                limit = 1
                refusals += 1
                isRefusedForGood = refusals == Self.mostRefusals
                if isRefusedForGood { refusals = 0 }
            }
        case .failed: break
        }
        paused = now + (pause ?? backoff.fail()) * (0.5 + 0.5 * jitter)
        return isRefusedForGood
    }

    /// The statuses that blame the content of a request: malformed, too large, invalid (RFC 9110).
    private static let contentStatuses: Set = [400, 413, 422]
}
