// SPDX-License-Identifier: Apache-2.0

/// An answer to a question of a heartbeat, or its absence.
struct HopObservation: Hashable, Sendable {
    var hop: HeartbeatHop
    var isAnswered: Bool
    /// Whether it answered after it had been given up.
    var isLate = false
    /// When the question was sent, as `TimeSource.Moment.boottime`.
    var sent: Duration
    /// When the answer arrived, or was given up.
    var ended: Duration
    /// When it was no longer awaited; nil if it was answered before.
    var missed: Duration?
    /// The address to which the question was sent; nil in tests that need none.
    var address: NetworkAddress?

    /// The time to the answer; nil without one.
    var roundTrip: Duration? { isAnswered ? ended - sent : nil }
}

/// The part of its monitor's state that a heartbeat needs.
struct HeartbeatSituation: Hashable, Sendable {
    /// Counts the networks: what was learnt of another one no longer counts.
    var network: Int
    /// The path, which can be checked.
    var path: NetworkPath
    /// The start of the latest check.
    var checkStart: Duration
    /// The state after that check.
    var state: ConnectivityState
    /// A name that a check has resolved.
    var resolvedName: String?
    /// The public addresses of endpoints that a check has connected to, without a proxy.
    var reached: [NetworkAddress] = []

    /// Whether traffic over the path should be kept low.
    var isSparing: Bool { path.isExpensive || path.isConstrained || path.usesInterfaceType(.cellular) }
}

/// Decides what a heartbeat sends, and when its answers justify a check.
///
/// A value without a clock and without sockets. The rules:
/// - There is no beat before a check over the path has verified the Internet; then it is learnt which packets are answered from
///   beyond the router (`HeartbeatChannels`). Where a check finds no Internet after a change of network, as when a router restarts,
///   the packets that were answered before are sent, so that an end of the outage is noticed.
/// - Each beat is one packet beyond the router, to the operators in turn. A check that passes counts as a beat.
/// - Where no packet to the known addresses is answered, beats go to those that the last check has connected to.
/// - Every third beat also asks a name server for a name that a check has resolved, unless the last beat was missed. So does a
///   check that passes, the first one and one after missed queries: silence of a server that never answered proves nothing.
/// - The router is asked once a minute, and after a missed beat.
/// - After a missed beat, up to three operators and the router are asked at once, and again half a second later unless something has
///   answered: if all of that is silent but the router, it is a drop (`SilenceCollector`). Beats come at twice the rate until one is
///   answered, for 30 s at most.
/// - A question that is not answered in time is missed, and counts as lost only after ``latest``: until then its answer is late.
/// - Where one operator alone answers, a missed beat is repeated at once by another means. The second miss, and the first answer after two
///   misses or after a check that nothing answered, are reported as a request's outcome is: the monitor then checks. A beat is never a verdict.
/// - If the means that was answered before a check that nothing answers is answered after that again, without a miss in between,
///   something nearby answers: the means no longer counts on this network.
struct HeartbeatMachine: Sendable {
    /// An action for the owner; actions are performed in order.
    enum Action: Hashable, Sendable {
        /// Send the question with this number, and call `finish`.
        case send(Int, HeartbeatQuestion)
        /// Close the question's sockets: no answer to it counts any more.
        case close(Int)
        /// Pass an observation to the monitor.
        case observe(HopObservation)
        /// Count an observation, the last one of its question, in the statistics.
        case count(HopObservation)
        /// Report an outcome to the monitor.
        case report(ConnectivityMonitor.ReportedOutcome)
        /// Report that other outages are noticed from now on.
        case cover(HeartbeatCoverage)
    }

    /// The result of a question.
    enum Outcome: Hashable, Sendable {
        case answered, missed
        /// This machine could not send it, which says nothing about the network.
        case notSent
    }

    /// Why a question was sent.
    private enum Purpose: Hashable {
        /// To learn whether a channel is answered, or whether its means is answered from an address that no host has.
        case learning, control
        /// To learn which other operators are answered.
        case calibration
        case beat, repetition, round
        case names, namesRepetition
        case router
    }

    private struct Open {
        let question: HeartbeatQuestion
        let purpose: Purpose
        let sent: Duration
        /// When it is missed or, after that, lost.
        var deadline: Duration
        var missed: Duration?
        /// Whether silence is evidence, because the channel was answered before.
        let isProven: Bool
        var isMissed: Bool { missed != nil }

        /// Whether an outcome shows something of the hop: silence does if it was answered before.
        func isObserved(_ outcome: Outcome) -> Bool {
            purpose != .control && (outcome == .answered || outcome == .missed && isProven)
        }

        func observation(isAnswered: Bool, at now: Duration) -> HopObservation {
            HopObservation(
                hop: question.hop, isAnswered: isAnswered, isLate: isAnswered && isMissed, sent: sent, ended: now,
                missed: missed, address: question.address)
        }
    }

    private let heartbeat: ConnectivityMonitor.Heartbeat
    /// The longest time between two checks.
    private let checkInterval: Duration
    private var situation: HeartbeatSituation?
    private var targets = HeartbeatTargets()
    private var channels = HeartbeatChannels([])
    private var open: [Int: Open] = [:]
    private var lastNumber = 0
    private var nextBeat: Duration?
    private var beats = 0
    /// The channel that is being tried, and the time to its answer.
    private var tried: (channel: HeartbeatChannels.Channel, roundTrip: Duration?)?
    private var lastLearning: Duration?
    /// The number of times in a row, up to 4, that silent channels were tried again while none was answered.
    private var vainLearnings = 0
    /// When answers of a means last proved nothing.
    private var lastRefusal: Duration?
    /// The number of questions in a row that were missed, by the hop.
    private var misses: [HeartbeatHop: Int] = [:]
    /// When the first beat was missed that no answer has followed.
    private var silentSince: Duration?
    /// The next round after a missed beat: its time, and the question that was missed.
    private var nextRound: (time: Duration, missed: HeartbeatQuestion)?
    /// When the latest question was sent that was answered from beyond the router.
    private var lastAnswered: Duration?
    /// The last report.
    private var coverage: HeartbeatCoverage?
    /// The first answer since the last miss during an outage: when its question was sent, and by which means.
    private var firstAnswer: (sent: Duration, means: HeartbeatQuestion.Means)?
    /// The last miss by a channel that was answered before the network changed: a miss indeed if the channel is answered later.
    private var doubtfulMiss: HopObservation?
    /// Whether an answer from beyond the router contradicts the monitor.
    private var isAnswerNews = false
    private var routerQuestions: [HeartbeatQuestion] = []
    private var isRouterProven = false
    private var lastRouterQuestion: Duration?
    private var provenServers: Set<NetworkAddress> = []
    private var silentServers: Set<NetworkAddress> = []
    private var serverTurn = 0

    /// A connection has more packets than the other means.
    private static let connectionInterval = Duration.seconds(30)
    private static let routerInterval = Duration.seconds(60)
    /// The time after which the next check that passes has silent channels tried again.
    private static let learningInterval = Duration.seconds(600)
    /// The same time while no channel is answered; it doubles each time.
    private static let firstRelearning = Duration.seconds(45)
    /// Every such beat asks a name server too.
    private static let nameShare = 3
    private static let patienceForNames = Duration.seconds(2)
    /// The time between the two rounds after a missed beat.
    static let roundInterval = Duration.milliseconds(500)
    /// The time after the first missed beat in which beats come at twice the rate.
    private static let hurry = Duration.seconds(30)
    /// The time after which an answer no longer counts.
    static let latest = Duration.seconds(10)

    init(_ heartbeat: ConnectivityMonitor.Heartbeat, checkingEvery checkInterval: Duration = .seconds(60)) {
        self.heartbeat = heartbeat
        self.checkInterval = checkInterval
    }

    /// When `advance` must be called; nil if nothing is due.
    var nextTime: Duration? { (open.values.map(\.deadline) + [dueBeat, nextRound?.time].compactMap(\.self)).min() }

    /// The time of the next beat; nil if nothing beyond the router is known to answer.
    private var dueBeat: Duration? { channels.usable.isEmpty ? nil : nextBeat }

    // MARK: Events

    /// Handles a new situation; nil pauses the heartbeat.
    mutating func update(_ new: HeartbeatSituation?, _ targets: HeartbeatTargets, at now: Duration) -> [Action] {
        var actions: [Action] = []
        if let new, !targets.addresses.isEmpty || !new.reached.isEmpty {
            follow(new, targets, at: now, &actions)
        } else {
            closeAll(&actions)
            situation = nil
            nextBeat = nil
            if new != nil { channels.forgetAnswers() }
        }
        cover(hasNoTargets: new != nil && situation == nil, &actions)
        return actions
    }

    private mutating func follow(
        _ new: HeartbeatSituation, _ targets: HeartbeatTargets, at now: Duration, _ actions: inout [Action]
    ) {
        let old = situation
        situation = new
        let isOther = targets.addresses != self.targets.addresses || targets.binding != self.targets.binding
        self.targets = targets
        if old?.network != new.network || isOther {
            closeAll(&actions)
            reset()
        }
        guard old?.checkStart != new.checkStart || old?.network != new.network else { return }
        switch new.state {
        case .online:
            if isMissing(.beyond) || lastLearning == nil { channels.forgetAnswers() }
            // Whether it answers must be known before a fault. It may have been silent in an outage, or to beats alone.
            if lastLearning == nil || isMissing(.nameServers) {
                provenServers = []
                askNameServer(for: .names, at: now, &actions)
            }
            misses = [:]
            endSilence()
            isAnswerNews = false
            firstAnswer = nil
            doubtfulMiss = nil
            nextBeat = max(now, new.checkStart + interval)
            // The check has asked the name servers as well.
            beats = 0
            learn(again: true, at: now, &actions)
        case .noInternet:
            isAnswerNews = true
            nextBeat = nextBeat ?? max(now, new.checkStart + interval)
        default: break
        }
    }

    /// Handles the outcome of a question.
    mutating func finish(_ number: Int, _ outcome: Outcome, at now: Duration) -> [Action] {
        var actions: [Action] = []
        finish(number, outcome, at: now, &actions)
        cover(&actions)
        return actions
    }

    /// Gives up questions that are not answered in time, and sends the beat that is due.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        for number in open.filter({ $0.value.deadline <= now }).keys.sorted() {
            guard var asked = open[number] else { continue }
            if asked.isProven, !asked.isMissed {
                asked.missed = now
                asked.deadline = max(now, asked.sent + Self.latest)
                open[number] = asked
                handle(asked, .missed, at: now, &actions)
            } else {
                actions.append(.close(number))
                finish(number, .missed, at: now, &actions)
            }
        }
        if let round = nextRound, round.time <= now {
            nextRound = nil
            askAll(after: round.missed, at: now, &actions)
        }
        if let due = dueBeat, due <= now {
            let isHurried = silentSince.map { now - $0 < Self.hurry } ?? false
            nextBeat = now + (isHurried ? interval / 2 : interval)
            beat(at: now, &actions)
        }
        cover(&actions)
        return actions
    }

    // MARK: Beats

    private var interval: Duration {
        let interval = situation?.isSparing == true ? heartbeat.expensiveInterval : heartbeat.interval
        return channels.usable.first == .connection ? max(interval, Self.connectionInterval) : interval
    }

    /// Handles the first missed beat since the last answer.
    private mutating func beginSilence(_ missed: HeartbeatQuestion, at now: Duration, _ actions: inout [Action]) {
        silentSince = now
        nextBeat = nextBeat.map { min($0, now + interval / 2) }
        guard channels.operators.count > 1 else {
            askRouter(at: now, &actions)
            if let other = channels.alternative(to: missed) { send(other, for: .repetition, at: now, &actions) }
            return
        }
        nextRound = (now + Self.roundInterval, missed)
        askAll(after: missed, at: now, &actions)
    }

    private mutating func endSilence() {
        silentSince = nil
        nextRound = nil
    }

    /// Asks several operators, and the router.
    private mutating func askAll(after missed: HeartbeatQuestion, at now: Duration, _ actions: inout [Action]) {
        for channel in channels.round(after: missed) { send(channel, for: .round, at: now, &actions) }
        guard let router = routerQuestions.first else { return }
        lastRouterQuestion = now
        send(router, for: .router, at: now, &actions)
    }

    private func isMissing(_ hop: HeartbeatHop) -> Bool { misses[hop, default: 0] > 1 }

    private mutating func beat(at now: Duration, _ actions: inout [Action]) {
        guard let channel = channels.next() else { return }
        beats += 1
        send(channel, for: .beat, at: now, &actions)
        if channels.proven.isEmpty { return }
        if beats % Self.nameShare == 0, misses[.beyond, default: 0] == 0 {
            askNameServer(for: .names, at: now, &actions)
        }
        if lastRouterQuestion.map({ now - $0 >= Self.routerInterval }) ?? true { askRouter(at: now, &actions) }
    }

    private mutating func askRouter(at now: Duration, _ actions: inout [Action]) {
        guard let question = routerQuestions.first, !awaitsAnswer(of: .router) else { return }
        lastRouterQuestion = now
        send(question, for: .router, at: now, &actions)
    }

    private mutating func askNameServer(
        for purpose: Purpose, besides other: NetworkAddress? = nil, at now: Duration, _ actions: inout [Action]
    ) {
        guard let name = situation?.resolvedName, !awaitsAnswer(of: .nameServers) else { return }
        let servers = targets.nameServers.filter { !silentServers.contains($0) }
        let others = servers.filter { $0 != other }
        guard let last = servers.last else { return }
        let server = others.isEmpty ? last : others[serverTurn % others.count]
        serverTurn += 1
        send(HeartbeatQuestion(.nameServers, .query, server, about: name), for: purpose, at: now, &actions)
    }

    private func awaitsAnswer(of hop: HeartbeatHop) -> Bool {
        open.values.contains { $0.question.hop == hop && !$0.isMissed }
    }

    private mutating func send(
        _ question: HeartbeatQuestion, for purpose: Purpose, at now: Duration, _ actions: inout [Action]
    ) {
        let (isProven, patience): (Bool, Duration) =
            switch purpose {
            case .learning, .control, .calibration: (false, HeartbeatChannels.learningPatience)
            case .beat, .repetition, .round: (channels.isProven(question), channels.patience(question))
            case .names, .namesRepetition: (provenServers.contains(question.address), Self.patienceForNames)
            case .router: (isRouterProven, HeartbeatChannels.patience.least)
            }
        lastNumber += 1
        open[lastNumber] = Open(
            question: question, purpose: purpose, sent: now, deadline: now + patience, isProven: isProven)
        actions.append(.send(lastNumber, question))
    }

    // MARK: Outcomes

    private mutating func finish(_ number: Int, _ outcome: Outcome, at now: Duration, _ actions: inout [Action]) {
        guard let asked = open.removeValue(forKey: number) else { return }
        if asked.isObserved(outcome) {
            actions.append(.count(asked.observation(isAnswered: outcome == .answered, at: now)))
        }
        if outcome == .answered || !asked.isMissed { handle(asked, outcome, at: now, &actions) }
    }

    /// Handles an answer, or its absence; a late answer comes after that.
    private mutating func handle(_ asked: Open, _ outcome: Outcome, at now: Duration, _ actions: inout [Action]) {
        let question = asked.question
        if asked.purpose == .beat, channels.proven.isEmpty {
            if outcome == .answered, let miss = doubtfulMiss { actions += [.observe(miss), .count(miss)] }
            doubtfulMiss = outcome == .missed ? asked.observation(isAnswered: false, at: now) : nil
        }
        if asked.isObserved(outcome) {
            actions.append(.observe(asked.observation(isAnswered: outcome == .answered, at: now)))
        }
        switch asked.purpose {
        case .control:
            if outcome == .answered { refuse(question.means, at: now) }
            endTrial(at: now, &actions)
        case .learning, .calibration:
            let isTrial = asked.purpose == .learning
            let roundTrip = now - asked.sent
            if outcome == .answered {
                if isTrial { tried?.roundTrip = roundTrip } else { channels.answer(question, after: roundTrip) }
                note(answered: asked, at: now, &actions)
            } else {
                channels.ignore(question)
            }
            if isTrial { endTrial(at: now, &actions) }
        case .beat, .repetition, .round: finishBeat(asked, outcome, at: now, &actions)
        case .names, .namesRepetition: finishNames(asked, outcome, at: now, &actions)
        case .router: finishRouter(asked, outcome, at: now, &actions)
        }
    }

    private mutating func finishBeat(_ open: Open, _ outcome: Outcome, at now: Duration, _ actions: inout [Action]) {
        switch outcome {
        case .answered:
            channels.answer(open.question, after: now - open.sent)
            note(answered: open, at: now, &actions)
        case .missed where open.isProven:
            // Another operator has answered since.
            if let lastAnswered, lastAnswered >= open.sent { return }
            let count = misses[.beyond, default: 0] + 1
            misses[.beyond] = count
            firstAnswer = nil
            if count == 1 { beginSilence(open.question, at: now, &actions) }
            if count == 2 {
                isAnswerNews = true
                actions.append(.report(.failed))
            }
        case .missed, .notSent:
            // An address that was never answered by this means says nothing.
            if !open.isProven { channels.ignore(open.question) }
            if open.purpose == .beat, outcome == .missed, let other = channels.alternative(to: open.question) {
                send(other, for: .repetition, at: now, &actions)
            }
        }
    }

    /// Handles an answer from beyond the router.
    private mutating func note(answered open: Open, at now: Duration, _ actions: inout [Action]) {
        misses[.beyond] = 0
        endSilence()
        lastAnswered = max(lastAnswered ?? open.sent, open.sent)
        if let situation, situation.state == .noInternet {
            let means = open.question.means
            let first = firstAnswer ?? (open.sent, means)
            firstAnswer = first
            // A check began after one answer, found nothing, and ended before the other.
            if first.means == means, first.sent < situation.checkStart {
                refuse(means, at: now)
                firstAnswer = nil
            }
        }
        guard isAnswerNews else { return }
        isAnswerNews = false
        actions.append(.report(.reached))
    }

    private mutating func finishNames(_ open: Open, _ outcome: Outcome, at now: Duration, _ actions: inout [Action]) {
        let server = open.question.address
        switch outcome {
        case .answered:
            provenServers.insert(server)
            if isMissing(.nameServers) { actions.append(.report(.reached)) }
            misses[.nameServers] = 0
        case .missed where open.isProven:
            let count = misses[.nameServers, default: 0] + 1
            misses[.nameServers] = count
            if count == 1 { askNameServer(for: .namesRepetition, besides: server, at: now, &actions) }
            if count == 2 { actions.append(.report(.failed)) }
        // A server that never answered says nothing.
        case .missed: silentServers.insert(server)
        case .notSent: break
        }
    }

    private mutating func finishRouter(_ open: Open, _ outcome: Outcome, at now: Duration, _ actions: inout [Action]) {
        if outcome == .answered { isRouterProven = true }
        guard !isRouterProven, misses[.beyond, default: 0] == 0, !routerQuestions.isEmpty else { return }
        // The router drops such packets, or does not report that they expire.
        routerQuestions.removeFirst()
        askRouter(at: now, &actions)
    }

    // MARK: Learning

    /// Tries the next channel, unless one is being tried or enough is known.
    private mutating func learn(again: Bool = false, at now: Duration, _ actions: inout [Action]) {
        guard tried == nil, situation?.state == .online else { return }
        let isEmpty = channels.proven.isEmpty
        let wait = isEmpty ? Self.firstRelearning * (1 << vainLearnings) : Self.learningInterval
        if again, lastLearning.map({ now - $0 >= min(wait, Self.learningInterval) }) ?? true {
            vainLearnings = isEmpty && lastLearning != nil ? min(vainLearnings + 1, 4) : 0
            channels.forgetSilence(andRefusals: lastRefusal.map { now - $0 >= Self.learningInterval } ?? true)
            channels.reached = situation?.reached ?? []
            lastLearning = now
            silentServers = []
        }
        guard let channel = channels.candidate else { return }
        tried = (channel, nil)
        send(channel, for: .learning, at: now, &actions)
        let unused = HeartbeatQuestion.unusedAddress(channel.address.version)
        send(HeartbeatQuestion(.beyond, channel.means, unused), for: .control, at: now, &actions)
    }

    private mutating func refuse(_ means: HeartbeatQuestion.Means, at now: Duration) {
        channels.refuse(means)
        lastRefusal = now
    }

    private mutating func endTrial(at now: Duration, _ actions: inout [Action]) {
        guard let trial = tried, !open.values.contains(where: { [.learning, .control].contains($0.purpose) }) else {
            return
        }
        tried = nil
        if let roundTrip = trial.roundTrip { channels.answer(trial.channel, after: roundTrip) }
        if channels.isProven(trial.channel) {
            for other in channels.others(trial.channel) { send(other, for: .calibration, at: now, &actions) }
            if lastRouterQuestion == nil { askRouter(at: now, &actions) }
        }
        learn(at: now, &actions)
    }

    // MARK: Coverage

    /// Reports which outages are noticed, if that has changed.
    private mutating func cover(hasNoTargets: Bool = false, _ actions: inout [Action]) {
        // Nothing is known before the first attempt to learn has ended.
        let isLearning =
            situation?.state != .online || lastLearning == nil || tried != nil && channels.proven.isEmpty
            || !isRouterProven && awaitsAnswer(of: .router)
            || open.values.contains { $0.purpose == .calibration }
        guard hasNoTargets || !isLearning else { return }
        let new = HeartbeatCoverage(
            interval: interval, isConnecting: channels.usable.first == .connection, patience: channels.longestPatience,
            operators: channels.operators.count,
            // A router may pass queries on to the provider.
            hasRouter: isRouterProven && routerQuestions.first?.means != .query, checkingEvery: checkInterval)
        guard new != coverage else { return }
        coverage = new
        actions.append(.cover(new))
    }

    private mutating func reset() {
        channels = HeartbeatChannels(targets.addresses, after: channels)
        misses = [:]
        provenServers = []
        silentServers = []
        vainLearnings = 0
        lastRefusal = nil
        tried = nil
        lastLearning = nil
        firstAnswer = nil
        lastRouterQuestion = nil
        nextBeat = nil
        isAnswerNews = false
        isRouterProven = false
        doubtfulMiss = nil
        lastAnswered = nil
        routerQuestions = []
        guard let gateway = situation?.path.gateways.first else { return }
        let router = gateway.address
        let interface = gateway.interface
        if let distant = targets.addresses.first(where: { $0.version == router.version }) {
            routerQuestions = [HeartbeatQuestion(.router, .expiringDatagram, distant, over: interface, through: router)]
        }
        routerQuestions += [.echo, .datagram, .query].map { HeartbeatQuestion(.router, $0, router, over: interface) }
    }

    private mutating func closeAll(_ actions: inout [Action]) {
        actions += open.keys.sorted().map { .close($0) }
        open = [:]
        tried = nil
        endSilence()
    }
}
