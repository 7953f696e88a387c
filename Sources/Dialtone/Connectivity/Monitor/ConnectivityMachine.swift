// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Computes connectivity from paths, verdicts, reported outcomes and time.
///
/// A value without clocks, tasks or locks: its owner synchronizes access, passes in events with their times, and
/// performs the returned actions.
///
/// The rules:
/// - A path that may lead elsewhere than the previous one discards the verdict, and is checked at once. A path that
///   only gained routes keeps its verdict, and is checked too.
/// - One check runs at a time. Each has a number, and only the result of the newest counts.
/// - After a failed check, the next follows after one second, then two, and so on up to the interval; after a
///   successful check, it follows after the interval. Each wait is shortened by a random part. While a user may be at a
///   captive portal's login page, the waits stay short.
/// - The silence of checks that end early adds up, so that a short time limit does not hide an outage.
/// - A periodic check while verified queries one operator, in turn, and all operators once an hour; every other check queries all
///   operators. See `OperatorRotation`.
/// - Without a path there is no check, unless a proxy that checks use has a route. Then only a verified check counts, and
///   a change of path or of those routes discards it.
/// - A reported outcome that contradicts the verdict provokes a check. While such checks confirm the verdict, the time
///   between them doubles without a limit; a change of path or of verdict resets it.
/// - A validated HTTPS response to the app's own request postpones the next periodic check, but not beyond
///   `longestProof` intervals after the last check.
/// - Requested checks start at least one `checkSpacing` apart.
/// - After the machine has slept, the verdict no longer counts.
/// - A heartbeat runs after the first check over a path. Its answers bound the time of a change of state, and never decide one.
struct ConnectivityMachine: Sendable {
    let configuration: ConnectivityMonitor.Configuration
    let canCheck: Bool
    private let random: @Sendable () -> Double

    var path: NetworkPath? { didSet { conclusion = nil } }
    var identity: NetworkIdentity?
    /// The routes to the hosts that checks contact and that may need no path, such as proxies; nil until they are known.
    var nearbyRoutes: [NetworkAddress: HostRoute]?
    /// The report of the latest check over the current path.
    @Boxed var report: InternetCheck.Report? { didSet { conclusion = nil } }
    /// What the path, the report and the heartbeat's loss mean; nil until it is drawn from a change of one of them.
    private var conclusion: Conclusion?
    var flight: Flight?
    /// Whether a check has proven the Internet over this network, since its link came up.
    var isProvenNetwork = false
    /// The start of the latest check of all operators.
    var lastFullCheck: Duration?
    /// The time of the next check, if one is scheduled.
    var nextCheck: Duration?
    /// Whether that check was requested or caused by a change, rather than scheduled.
    var isNextCheckUrgent = false
    /// The wait after the next failed check.
    var retryDelay: Duration
    /// When the first of the latest checks began that ended before silence proves anything; nil if the latest did not.
    var silenceStart: Duration?
    /// Whether the result of the latest check was discarded, because an outage began or ended in it.
    var hasDiscarded = false
    /// Until when the end of a captive portal is noticed soon.
    var attentionEnd = Duration.zero
    var isSuspended = false
    /// When each hop and the checks were last confirmed.
    var confirmations = Confirmations()
    /// The loss of the heartbeat's packets, if it is worth a remark.
    var loss: PacketLoss? { didSet { if loss != oldValue { conclusion = nil } } }
    /// Counts the networks, for the heartbeat.
    var networkNumber = 0
    /// The start of the latest check that has finished over the current path.
    var lastCheckStart: Duration?
    /// The situation that the heartbeat follows.
    private var situation: HeartbeatSituation?
    var rotation: OperatorRotation
    var provocation = Provocation()

    private var lastGeneration: UInt64 = 0
    /// The start times of the latest checks; at most `burst` of them.
    var starts: [Duration] = []
    var firstValueDeadline: Duration?
    /// The value last published, without its changes.
    @Boxed private var published: Connectivity?
    private var state = ConnectivityState.unknown
    private var since: Date
    private var change: Confirmations.Bounds?
    private var beginning: Connectivity.Beginning?
    var lastMoment: TimeSource.Moment
    /// The time for which `timerFired` is requested.
    var timer: Duration?

    /// The number of checks that new paths may cause within one spacing.
    static let burst = 3
    /// The longest time without a check of all operators.
    static let fullCheckInterval = Duration.seconds(3600)
    /// The number of intervals after a check for which the app's own responses may replace the next check.
    static let longestProof = 5

    /// A check under way.
    struct Flight {
        let generation: UInt64
        let start: Duration
        /// The operator that is queried first; nil if all are queried.
        let operatorName: String?
        /// Whether a reported outcome provoked it.
        let isProvoked: Bool
        /// Whether the schedule alone caused it, while the Internet was verified.
        let isRoutine: Bool
        /// Whether its result may be outdated, so that another check follows.
        var repeats = false
        /// Whether the app's own request has succeeded during the check, after a verdict that there is no Internet.
        var isContradicted = false
        /// The time that does not count, because this process was stopped in it.
        var pause = Duration.zero

        /// Whether a check that an outcome provokes takes its place.
        var givesWay: Bool { isRoutine && !repeats }
    }

    /// Limits the checks that reported outcomes provoke.
    struct Provocation {
        /// Whether an outcome contradicted the verdict since the last check of all operators began.
        var isPending = false
        /// When the latest provoked check began.
        var lastStart: Duration?
        /// The minimum time from that start to the next.
        var distance = Duration.zero

        mutating func reset() { self = Provocation() }
    }

    /// Creates a machine that has not been started.
    ///
    /// - Parameters:
    ///   - configuration: a valid configuration.
    ///   - canCheck: whether there is a checker.
    ///   - hasNearbyHosts: whether checks contact hosts that may need no path, so that `nearbyRoutes` follows.
    ///   - operators: the operators that the checker can query individually.
    ///   - moment: the current time.
    ///   - random: returns numbers from 0 up to 1.
    init(
        _ configuration: ConnectivityMonitor.Configuration, canCheck: Bool, hasNearbyHosts: Bool = false,
        operators: [InternetCheck.Operator] = [], at moment: TimeSource.Moment,
        random: @escaping @Sendable () -> Double
    ) {
        self.configuration = configuration
        self.canCheck = canCheck
        nearbyRoutes = hasNearbyHosts ? nil : [:]
        self.random = random
        rotation = OperatorRotation(operators)
        retryDelay = min(configuration.firstRetry, configuration.interval)
        since = moment.realtime
        lastMoment = moment
    }

    /// The current value, whether or not it has been published.
    var connectivity: Connectivity {
        Connectivity(
            currentConclusion, path: path ?? .unseen, since: since, beginning: beginning, evidence: report,
            identity: identity)
    }

    private var currentConclusion: Conclusion {
        conclusion ?? Conclusion(Facts(path ?? .unseen, report, heartbeatLoss: loss))
    }

    /// Draws the conclusion, unless nothing that it rests on has changed since.
    mutating func conclude() -> Conclusion {
        let drawn = currentConclusion
        conclusion = drawn
        return drawn
    }

    /// The value that an observer receives first; nil while all observers wait for it.
    var firstValue: Connectivity? { published == nil ? nil : connectivity }

    /// Whether a check is under way, or about to start for a reason other than the schedule.
    var isVerifying: Bool {
        if flight != nil || (nextCheck != nil && isNextCheckUrgent) { return true }
        if canCheck, !isSuspended, nearbyRoutes == nil, path?.isKnownToBeMissing == true { return true }
        return provokedCheck.map { $0 <= lastMoment.boottime + configuration.checkSpacing } ?? false
    }

    /// Handles an event.
    ///
    /// - Returns: the actions that the owner must perform, in order.
    mutating func handle(_ input: MachineInput, at moment: TimeSource.Moment) -> [MachineAction] {
        var actions: [MachineAction] = []
        detectClockJump(moment, &actions)
        // The clock may have been read before the clock reading of an earlier input.
        let now = max(moment.boottime, lastMoment.boottime)
        giveUpLateCheck(at: now, wall: moment.realtime, &actions)
        process(input, at: now, &actions)
        startDueCheck(at: now, &actions)
        updateState(at: now, wall: moment.realtime, &actions)
        updateTimer(&actions)
        updateHeartbeat(&actions)
        return actions
    }
}

extension ConnectivityMachine {
    var mayCheck: Bool {
        guard canCheck, !isSuspended, let path else { return false }
        return path.canBeChecked || path.isKnownToBeMissing && nearbyRoutes?.isEmpty == false
    }

    /// The time of the check that a reported outcome has provoked; nil if none is pending.
    var provokedCheck: Duration? {
        guard mayCheck, provocation.isPending else { return nil }
        let spaced = starts.last.map { $0 + configuration.checkSpacing } ?? .zero
        return max(spaced, provocation.lastStart.map { $0 + provocation.distance } ?? .zero)
    }

    /// Whether a reported outcome has provoked a check that has not finished.
    var isProvoked: Bool { provocation.isPending || flight?.isProvoked == true }

    /// Ends a routine check, for one that an outcome has provoked; the next routine check follows later.
    ///
    /// It would combine what was answered before the outcome with what is not after it.
    mutating func cutFlight(at now: Duration, _ actions: inout [MachineAction]) {
        guard let flight, flight.givesWay else { return }
        cancelFlight(&actions)
        if flight.operatorName == nil { lastFullCheck = nil }
        nextCheck = now + jittered(configuration.interval)
    }

    mutating func cancelFlight(_ actions: inout [MachineAction]) {
        guard flight != nil else { return }
        actions.append(.cancelCheck)
        flight = nil
    }

    /// When a check is given up: one of a single operator may be followed by one of all, which has the same time limit.
    private func deadline(of flight: Flight) -> Duration {
        flight.start + flight.pause + configuration.checkTimeLimit * (flight.operatorName == nil ? 1 : 2)
    }

    private mutating func giveUpLateCheck(at now: Duration, wall: Date, _ actions: inout [MachineAction]) {
        guard let flight, now >= deadline(of: flight) else { return }
        // The timer itself is late, so this process was stopped, and the check with it: it has its time once more.
        if flight.pause == .zero, now - deadline(of: flight) >= .seconds(1) {
            self.flight?.pause = now - flight.start
            return
        }
        actions.append(.cancelCheck)
        finish(flight.generation, InternetCheck.Report(verdict: .inconclusive, checkedAt: wall), nil, at: now)
    }

    private mutating func startDueCheck(at now: Duration, _ actions: inout [MachineAction]) {
        guard mayCheck, let path else { return }
        let isProvoked = provokedCheck.map { now >= $0 } ?? false
        if isProvoked { cutFlight(at: now, &actions) }
        let isDue = nextCheck.map { now >= $0 } ?? false
        guard flight == nil, isDue || isProvoked else { return }
        let isFullDue = lastFullCheck.map { now >= $0 + Self.fullCheckInterval } ?? true
        let isRoutine = !isProvoked && !isNextCheckUrgent && report?.verdict == .verified
        let operatorName = isRoutine && !isFullDue ? rotation.next() : nil
        lastGeneration += 1
        flight = Flight(
            generation: lastGeneration, start: now, operatorName: operatorName, isProvoked: isProvoked,
            isRoutine: isRoutine)
        starts = (starts + [now]).suffix(Self.burst)
        if isProvoked { provocation.lastStart = now }
        if operatorName == nil {
            provocation.isPending = false
            lastFullCheck = now
        }
        nextCheck = nil
        isNextCheckUrgent = false
        actions.append(.startCheck(generation: lastGeneration, path, startingWith: operatorName))
    }

    /// Computes the state, and publishes a value that differs from the last.
    private mutating func updateState(at now: Duration, wall: Date, _ actions: inout [MachineAction]) {
        let drawn = conclude()
        let new = drawn.state
        if new != state {
            // When the first state began was not observed.
            let isFirst = state == .unknown || state == .unverified && change == nil
            change =
                isFirst
                ? nil
                : confirmations.change(to: new, drawn.fault, from: (state, published?.fault, change?.earliest), at: now)
            beginning = change.map { change in
                .init(
                    earliest: change.earliest.map { wall - (now - $0) / .seconds(1) },
                    // The heartbeat may have seen it while this event was on its way.
                    latest: wall - max(.zero, now - change.latest) / .seconds(1))
            }
            state = new
            since = wall
            loss = nil
        }
        var value = connectivity
        if let published {
            value.changes = value.changes(since: published)
            guard !value.changes.isEmpty else { return }
        } else {
            guard isFirstValueDue(at: now) else { return }
            firstValueDeadline = nil
        }
        published = value
        actions.append(.publish(value))
    }

    /// Notes that the wall clock was set, in which the state began at another time.
    mutating func moveTimes(by step: Double) {
        since += step
        beginning = beginning.map { .init(earliest: $0.earliest.map { $0 + step }, latest: $0.latest + step) }
    }

    /// Notes the loss of a minute, unless an outage in it is the reason.
    mutating func note(_ minute: HopMinute) {
        loss = state == .online && since <= minute.start ? minute.hops[.beyond]?.notableLoss : nil
    }

    /// Whether the first value must be published: it waits for a check under way, but not beyond the bound.
    private func isFirstValueDue(at now: Duration) -> Bool {
        guard let firstValueDeadline else { return false }
        if now >= firstValueDeadline { return true }
        return path != nil && (report != nil || !isVerifying)
    }

    /// The time of the next scheduled check; nil while one is under way or none may be made.
    var scheduledCheck: Duration? { flight == nil && mayCheck ? nextCheck : nil }

    private mutating func updateTimer(_ actions: inout [MachineAction]) {
        let deadlines = [
            flight.map { deadline(of: $0) },
            scheduledCheck,
            flight?.givesWay != false ? provokedCheck : nil,
            firstValueDeadline,
        ]
        let new = deadlines.compactMap(\.self).min()
        guard new != timer else { return }
        timer = new
        actions.append(.setTimer(new))
    }

    private mutating func updateHeartbeat(_ actions: inout [MachineAction]) {
        guard configuration.heartbeat != nil else { return }
        var new: HeartbeatSituation?
        if mayCheck, let path, path.status == .satisfied, let lastCheckStart {
            let reached = report?.reached ?? []
            new = HeartbeatSituation(
                network: networkNumber, path: path, checkStart: lastCheckStart, state: state,
                resolvedName: report?.resolvedName ?? situation?.resolvedName,
                reached: reached.isEmpty ? situation?.reached ?? [] : reached)
        }
        guard new != situation else { return }
        situation = new
        actions.append(.beat(new))
    }

    /// The wait, shortened by a random part so that the interval remains an upper bound.
    func jittered(_ wait: Duration) -> Duration {
        let share = random()
        return wait * (1 - configuration.jitter * (share.isNaN ? 0 : min(max(share, 0), 1)))
    }
}

extension NetworkPath {
    /// The path before the first one is known.
    static let unseen = NetworkPath(status: .unsatisfied, limitation: .notLookedAt)
}

extension NetworkPath.Limitation {
    /// The network has not been read yet, or the system has not answered.
    public static let notLookedAt = Self.unavailable("The network has not been read yet.")
}
