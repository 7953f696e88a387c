// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// When each hop, and the checks, were last confirmed to be as they are.
///
/// A value on a monitor's clock. If a state changes, the change lies between the last confirmation of what then failed and the first
/// sign of its failure.
struct Confirmations: Sendable {
    struct Bounds: Hashable, Sendable {
        var earliest: Duration?
        var latest: Duration
    }

    /// A change of a condition.
    private struct Change: Sendable {
        /// When the observations of the condition before began, in order: those that may be taken back, and the one before them.
        var starts: [Duration]
        let latest: Duration

        var bounds: Bounds { Bounds(earliest: starts.last.map { min($0, latest) }, latest: latest) }
    }

    private struct Track<Condition: Hashable & Sendable>: Sendable {
        private(set) var condition: Condition?
        /// The change to the current condition.
        private(set) var change: Change?
        private var starts: [Duration] = []

        /// - Parameters:
        ///   - start: what was observed was not over before this time.
        ///   - end: when it was observed.
        mutating func note(_ new: Condition, from start: Duration, to end: Duration) {
            if new != condition {
                change = Change(starts: starts, latest: end)
                condition = new
                starts = []
            }
            starts.append(start)
            starts.sort()
            let revocable = (starts.last ?? start) - HeartbeatMachine.latest
            starts.removeFirst(starts.lastIndex { $0 < revocable } ?? 0)
        }

        /// Takes back that a condition was observed from a time.
        mutating func takeBack(_ old: Condition, from start: Duration) {
            if old == condition {
                starts.removeAll { $0 == start }
            } else {
                change?.starts.removeAll { $0 == start }
            }
        }

        /// Forgets the condition, which may have changed any time from now on.
        mutating func reset(at now: Duration) {
            condition = nil
            change = nil
            starts = [now]
        }
    }

    /// Whether a hop answers.
    private struct HopTrack: Sendable {
        private var answers = Track<Bool>()
        /// The first change to an answer since a check that has failed began: the first packets after an outage may be late or lost.
        private var recovery: Change?

        mutating func note(_ isAnswered: Bool, from start: Duration, to end: Duration, isOnline: Bool) {
            let old = answers.condition
            answers.note(isAnswered, from: start, to: end)
            if old == isAnswered { return }
            if isAnswered { recovery = recovery ?? answers.change } else if isOnline { recovery = nil }
        }

        /// Takes a miss back, because its answer came late: the hop may have answered from then on.
        mutating func takeBackMiss(from start: Duration) {
            answers.takeBack(false, from: start)
            recovery?.starts.removeAll { $0 == start }
        }

        /// Notes a check that has failed: the outage had not ended when it began.
        mutating func noteFailedCheck(from start: Duration) {
            if let latest = recovery?.latest, latest <= start { recovery = nil }
        }

        var isSilent: Bool { answers.condition == false }

        /// The bounds of the change to an answer, or to silence; nil if the hop did not change to that.
        ///
        /// A question that was just missed proves no silence, because its answer may only be late.
        func change(to isAnswered: Bool, at now: Duration) -> Bounds? {
            guard answers.condition == isAnswered, let change = answers.change else { return nil }
            guard isAnswered, var recovery else { return change.bounds }
            recovery.starts.removeAll { $0 > now - Self.lateness }
            return Bounds(earliest: recovery.bounds.earliest, latest: change.latest)
        }

        /// The time after which an answer is hardly expected; most answers that are later than a second come before it.
        private static let lateness = Duration.seconds(2)

        func hasChanged(since time: Duration) -> Bool {
            answers.change.map { $0.latest > time && $0.bounds.earliest != nil } ?? false
        }
    }

    /// Whether each hop answers.
    private var hops: [HeartbeatHop: HopTrack] = [:]
    /// The state after each check.
    private var checks = Track<ConnectivityState>()

    /// Notes whether a hop has answered.
    mutating func note(_ observation: HopObservation) {
        if observation.isLate { hops[observation.hop]?.takeBackMiss(from: observation.sent) }
        note(observation.hop, observation.isAnswered, from: observation.sent, to: observation.ended)
        // An answer from beyond the router has passed it.
        guard observation.hop == .beyond, observation.isAnswered else { return }
        note(.router, true, from: observation.sent, to: observation.ended)
    }

    /// Whether a hop began to answer, or ceased to, after a time.
    func hasChanged(_ hop: HeartbeatHop, since time: Duration) -> Bool {
        hops[hop]?.hasChanged(since: time) ?? false
    }

    /// Whether a hop did not answer when it was asked last.
    func isSilent(_ hop: HeartbeatHop) -> Bool { hops[hop]?.isSilent ?? false }

    /// Notes the state that follows from a check; one that passes confirms every hop.
    mutating func note(_ state: ConnectivityState, from start: Duration, to end: Duration) {
        checks.note(state, from: start, to: end)
        for hop in HeartbeatHop.allCases {
            if state == .online {
                note(hop, true, from: start, to: end)
            } else if state != .unverified {
                // One without a conclusion shows nothing.
                hops[hop]?.noteFailedCheck(from: start)
            }
        }
    }

    private mutating func note(_ hop: HeartbeatHop, _ isAnswered: Bool, from start: Duration, to end: Duration) {
        hops[hop, default: HopTrack()].note(
            isAnswered, from: start, to: end, isOnline: checks.condition == .online)
    }

    /// Forgets everything: the network may be another one, or the machine has slept.
    mutating func reset(at now: Duration) {
        hops = [:]
        checks.reset(at: now)
    }

    /// The bounds of a change of state that is noticed now.
    ///
    /// - Parameters:
    ///   - fault: the fault of the new state.
    ///   - old: the old state, its fault, and the time before which it did not begin.
    func change(
        to state: ConnectivityState, _ fault: ConnectivityFault?,
        from old: (state: ConnectivityState, fault: ConnectivityFault?, earliest: Duration?), at now: Duration
    ) -> Bounds {
        // The kernel reports changes of the path at once.
        if state.isOfPath || old.state.isOfPath { return Bounds(earliest: now, latest: now) }
        let bounds: [Bounds?] =
            state == .online
            ? old.state.hop(at: old.fault).map { recoveries(of: $0, at: now) } ?? []
            : old.state == .online || old.state == .unverified ? [silence(of: state.hop(at: fault), at: now)] : []
        // Otherwise the hop did not change between the two states.
        if var bounds = bounds.compactMap(\.self).first(where: { $0.latest >= old.earliest ?? $0.latest }) {
            // A check confirmed the old state, where the hop was not asked before.
            if bounds.earliest == nil, checks.condition == state {
                bounds.earliest = checks.change?.bounds.earliest.map { min($0, bounds.latest) }
            }
            return bounds
        }
        // If a check does not show it, the path does.
        return checks.condition == state
            ? checks.change?.bounds ?? Bounds(latest: now) : Bounds(earliest: now, latest: now)
    }

    /// When a hop fell silent, or what is beyond the router: whatever the fault is, that may be the first sign of it.
    private func silence(of hop: HeartbeatHop?, at now: Duration) -> Bounds? {
        [hop, .beyond].compactMap { $0.flatMap { hops[$0]?.change(to: false, at: now) } }.min { $0.latest < $1.latest }
    }

    /// When a hop answered again; the router is asked rarely, and what is beyond it often.
    private func recoveries(of hop: HeartbeatHop, at now: Duration) -> [Bounds?] {
        (hop == .router ? [.beyond, .router] : [hop]).map { hops[$0]?.change(to: true, at: now) }
    }
}

extension ConnectivityState {
    /// Whether the state follows from the path alone.
    fileprivate var isOfPath: Bool { [.unknown, .offline, .requiresConnection].contains(self) }

    /// The hop whose silence causes the state, with its fault; nil if none does.
    fileprivate func hop(at fault: ConnectivityFault?) -> HeartbeatHop? {
        switch fault {
        case .router: .router
        case .nameServers: .nameServers
        case .provider, .tunnel: .beyond
        case nil: self == .noInternet ? .beyond : nil
        default: nil
        }
    }
}
