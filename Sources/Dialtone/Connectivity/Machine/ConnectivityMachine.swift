//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

/// Joins paths, verdicts, reported outcomes and time into connectivity.
///
/// A value without clocks, tasks or locks: its owner guards it, tells it what happens and when, and does what it asks for.
///
/// The rules:
/// - A check begins at once when a path comes that could lead elsewhere than the last, and what was proven before counts
///   no more. A path that only gained something keeps its verdict, and is checked too.
/// - One check at a time. Each has a number, and only the answer of the newest counts.
/// - After a failed check the next follows in a second, then two, and so on up to the interval; after a good one at the
///   interval. Each wait is cut by a random part.
/// - A reported failure brings a check at once while all seemed well, a reported success while it did not. Nobody gets
///   more than one check in a spacing by asking.
/// - After the machine has slept, nothing is proven.
struct ConnectivityMachine: Sendable {
    let configuration: ConnectivityMonitor.Configuration
    /// Whether there is anybody to ask.
    let canCheck: Bool
    private let random: @Sendable () -> Double

    var path: NetworkPath?
    var identity: NetworkIdentity?
    /// The evidence over the present path.
    var report: InternetCheck.Report?
    /// The check under way.
    var flight: Flight?
    /// When the next check is due, if any.
    var nextCheck: Duration?
    /// Whether that check is not one of the schedule's, but was asked for.
    var isNextCheckUrgent = false
    /// The wait after the next failure.
    var retryDelay: Duration
    var isSuspended = false

    private var lastGeneration: UInt64 = 0
    /// When the latest checks began, at most `burst` of them.
    var starts: [Duration] = []
    var firstValueDeadline: Duration?
    /// The value last published, without what it changed.
    private var published: Connectivity?
    private var state = ConnectivityState.unknown
    private var since: Date
    var lastMoment: MonitorTime.Moment
    /// When `timerFired` is to come.
    var timer: Duration?

    /// How many checks new paths may bring within one spacing.
    static let burst = 3

    /// A check under way.
    struct Flight {
        let generation: UInt64
        let start: Duration
        /// Something happened since that its answer may not tell of.
        var repeats = Repeats.never

        /// When its answer calls for another check at once.
        enum Repeats { case never, ifVerified, always }
    }

    /// Makes a machine that has not been started.
    ///
    /// - Parameters:
    ///   - configuration: a valid one.
    ///   - canCheck: whether there is anybody to ask.
    ///   - moment: now.
    ///   - random: numbers from 0 up to 1.
    init(
        _ configuration: ConnectivityMonitor.Configuration, canCheck: Bool, at moment: MonitorTime.Moment,
        random: @escaping @Sendable () -> Double
    ) {
        self.configuration = configuration
        self.canCheck = canCheck
        self.random = random
        retryDelay = min(configuration.firstRetry, configuration.interval)
        since = moment.wall
        lastMoment = moment
    }

    /// The answer of this moment, whether or not it has been published.
    var connectivity: Connectivity {
        Connectivity(
            state: state, path: path ?? .unseen, since: since, evidence: report, identity: identity)
    }

    /// Whether a first value has been published.
    var hasFirstValue: Bool { published != nil }

    /// Whether a check is under way, or about to begin because it was asked for.
    var isVerifying: Bool { flight != nil || (nextCheck != nil && isNextCheckUrgent) }

    /// Takes an input, and tells what to do.
    mutating func handle(_ input: MachineInput, at moment: MonitorTime.Moment) -> [MachineAction] {
        var actions: [MachineAction] = []
        notice(moment, &actions)
        // The clock may have been read before that of an earlier input.
        let now = max(moment.elapsed, lastMoment.elapsed)
        giveUpLateCheck(at: now, wall: moment.wall, &actions)
        take(input, at: now, &actions)
        startDueCheck(at: now, &actions)
        settle(at: now, wall: moment.wall, &actions)
        setTimer(&actions)
        return actions
    }
}

extension ConnectivityMachine {
    var mayCheck: Bool { canCheck && !isSuspended && path?.canBeChecked == true }

    mutating func cancelFlight(_ actions: inout [MachineAction]) {
        guard let flight else { return }
        actions.append(.cancelCheck(generation: flight.generation))
        self.flight = nil
    }

    private mutating func giveUpLateCheck(at now: Duration, wall: Date, _ actions: inout [MachineAction]) {
        guard let flight, now >= flight.start + configuration.checkTimeLimit else { return }
        actions.append(.cancelCheck(generation: flight.generation))
        finish(
            flight.generation, InternetCheck.Report(verdict: .noInternet(.timedOut), checkedAt: wall), nil, at: now)
    }

    private mutating func startDueCheck(at now: Duration, _ actions: inout [MachineAction]) {
        guard mayCheck, flight == nil, let path, let due = nextCheck, now >= due else { return }
        lastGeneration += 1
        flight = Flight(generation: lastGeneration, start: now)
        starts = (starts + [now]).suffix(Self.burst)
        nextCheck = nil
        isNextCheckUrgent = false
        actions.append(.startCheck(generation: lastGeneration, path))
    }

    /// Works out the state, and publishes what is news.
    private mutating func settle(at now: Duration, wall: Date, _ actions: inout [MachineAction]) {
        let new = path.map { ConnectivityState($0, report?.verdict) } ?? .unknown
        if new != state {
            state = new
            since = wall
        }
        var value = connectivity
        guard let published else {
            guard isFirstValueDue(at: now) else { return }
            firstValueDeadline = nil
            self.published = value
            actions.append(.publish(value))
            return
        }
        value.changes = value.changes(since: published)
        guard !value.changes.isEmpty else { return }
        self.published = value
        actions.append(.publish(value))
    }

    /// The first value waits for a verdict that is under way, but not beyond the bound.
    private func isFirstValueDue(at now: Duration) -> Bool {
        guard let firstValueDeadline else { return false }
        if now >= firstValueDeadline { return true }
        return path != nil && (report != nil || !isVerifying)
    }

    private mutating func setTimer(_ actions: inout [MachineAction]) {
        let deadlines = [
            flight.map { $0.start + configuration.checkTimeLimit },
            flight == nil && mayCheck ? nextCheck : nil,
            hasFirstValue ? nil : firstValueDeadline,
        ]
        let new = deadlines.compactMap(\.self).min()
        guard new != timer else { return }
        timer = new
        actions.append(.setTimer(new))
    }

    /// The wait, cut by a random part, so that the interval is kept as an upper bound.
    func jittered(_ wait: Duration) -> Duration {
        let share = random()
        return wait * (1 - configuration.jitter * (share.isNaN ? 0 : min(max(share, 0), 1)))
    }
}

extension NetworkPath {
    /// What is known of the path before anybody has looked: nothing.
    static let unseen = NetworkPath(status: .unsatisfied, limitation: .notLookedAt)
}

extension NetworkPath.Limitation {
    /// Nobody has looked yet, or the system has not answered.
    public static let notLookedAt = Self.unavailable("The network has not been looked at yet.")
}
