// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Which outages a monitor always notices: the shortest one, and why it is not shorter.
///
/// Noticed means recorded, as an outage or as a drop (``Silence``). The duration is that of the means in use: a beat falls into the outage
/// after one interval at the latest, and is missed after the time for which its answer is awaited. Half a second later the second round
/// begins, and its answers are awaited for as long.
package struct HeartbeatCoverage: Codable, Hashable, Sendable {
    /// Why shorter outages may be missed.
    package enum Limit: String, Codable, Hashable, Sendable, CaseIterable {
        /// Nothing beyond the router answers a heartbeat, so that only checks notice an outage.
        case unanswered
        /// Only connections are answered, which are made every 30 s.
        case connections
        /// The interval of the heartbeat is longer than the default.
        case interval
        /// Only one operator answers, so that a check has to confirm a silence.
        case oneOperator
        /// The router does not answer, or only queries, so that a check has to confirm a silence.
        case silentRouter
        /// The answers take more than a second.
        case slowAnswers
    }

    /// The duration in seconds of the shortest outage that is always noticed.
    package let shortest: Double
    /// The reason if that is more than ``usual``; otherwise nil.
    package let limit: Limit?

    /// The number of seconds with the default interval, where several operators and the router answer within a second.
    package static let usual = 8.0
    /// The time in which a check proves a silence.
    private static let proof = Duration.seconds(5)

    /// Creates a value that was stored.
    package init(shortest: Double, limit: Limit?) {
        self.shortest = shortest
        self.limit = limit
    }

    /// Computes the value for the means in use.
    ///
    /// - Parameters:
    ///   - interval: the time between two beats.
    ///   - isConnecting: whether only connections are answered.
    ///   - patience: the time for which answers are awaited; nil if none comes.
    ///   - operators: the number of operators that answer.
    ///   - hasRouter: whether the router answers itself.
    ///   - checkInterval: the longest time between two checks.
    init(
        interval: Duration, isConnecting: Bool, patience: Duration?, operators: Int, hasRouter: Bool,
        checkingEvery checkInterval: Duration
    ) {
        // A routine check asks one operator, and then all of them.
        let byChecks = checkInterval + Self.proof * 2
        let isConfirmed = operators > 1 && hasRouter
        let byBeats = patience.map { interval + $0 * 2 + (isConfirmed ? HeartbeatMachine.roundInterval : Self.proof) }
        let shortest = (min(byBeats ?? byChecks, byChecks) / .seconds(1)).rounded(.up)
        let limit: Limit? =
            shortest <= Self.usual
            ? nil
            : patience == nil
                ? .unanswered
                : isConnecting
                    ? .connections
                    : interval > ConnectivityMonitor.Heartbeat().interval
                        ? .interval : operators < 2 ? .oneOperator : !hasRouter ? .silentRouter : .slowAnswers
        self.init(shortest: shortest, limit: limit)
    }

    /// The reason as a sentence; nil without one.
    package var reason: String? {
        switch limit {
        case .unanswered:
            "Nothing beyond the router answers the heartbeat: outages are noticed by the checks alone."
        case .connections: "Only connections are answered beyond the router, and a beat makes one every 30 s."
        case .interval: "The heartbeat has a longer interval than the default of 5 s."
        case .oneOperator: "Only one operator answers the heartbeat, so that a check must confirm each outage."
        case .silentRouter:
            "The router answers nothing but queries, if at all, so that a check must confirm each outage."
        case .slowAnswers: "Answers to the heartbeat take more than a second."
        case nil: nil
        }
    }
}
