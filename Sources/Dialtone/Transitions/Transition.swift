// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SystemSupport

/// A change that matters to a person: of the state, the interface or the login page, with what is known about it.
///
/// History, hooks, metrics, log, events and page consume this value, and decide nothing again.
package struct Transition: Hashable, Sendable, StateRecordProtocol {
    /// The position among the transitions of this process, from 1; 0 before ``TransitionSequence`` has counted it.
    package fileprivate(set) var number = 0
    /// Whether the transition of this number was passed on before, with another fault.
    package fileprivate(set) var isUpdate = false
    /// Whether it is another phase of an outage, with another side or cause, in the same state: no hook runs for it, and no event is sent.
    package fileprivate(set) var isPhase = false
    package var record: StateRecord
    /// The URL of the login page, which the network chose.
    package var portal: String?
    /// The problems of a machine that is online.
    package var remark: String?
    /// When it happened, at the latest.
    package var time: Date
    /// When it happened, at the earliest; nil if that was not observed.
    package var earliest: Date?
    /// The seconds of a clock that is never set; a suspended machine does not count them.
    package var uptime: Double
    /// The seconds for which the machine was suspended since its start.
    package var suspended: Double
    /// The outages that have ended since the transition before.
    package fileprivate(set) var outages: [Outage] = []
    /// When the outage in progress began, in seconds of a clock that is never set, also while the machine is suspended; nil if none is.
    package fileprivate(set) var outageBegan: Double?
    /// The number of outages that have begun.
    package fileprivate(set) var outageCount = 0

    /// The outage that this transition ended.
    package var outage: Outage? { outages.last }

    package init(
        state: ConnectivityState, cause: ConnectivityCause? = nil, reason: String? = nil,
        fault: ConnectivityFault? = nil,
        interface: String? = nil, interfaceType: String? = nil, portal: String? = nil, time: Date,
        earliest: Date? = nil, uptime: Double = 0, suspended: Double = 0
    ) {
        record = StateRecord(
            HistoryState(state), cause: cause.map { HistoryCause($0) }, interfaceName: interface,
            interfaceType: interfaceType, reason: reason, fault: fault)
        self.portal = portal
        self.time = time
        self.earliest = earliest
        self.uptime = uptime
        self.suspended = suspended
    }

    /// Creates a transition to a value that a monitor delivered.
    ///
    /// - Parameters:
    ///   - isOtherState: whether the state differs from that before; otherwise the path or the fault has changed, which counts from now.
    package init(
        _ connectivity: Connectivity, at time: Date, uptime: Double = 0, suspended: Double = 0,
        isOtherState: Bool = true
    ) {
        // Without a path, name the interface that is at fault.
        let interface = connectivity.path.interfaces.first ?? connectivity.path.diagnosis?.interface
        self.init(
            state: connectivity.state, cause: connectivity.cause, reason: connectivity.reason,
            fault: connectivity.fault, interface: interface?.name, interfaceType: interface?.type.reportName,
            portal: connectivity.evidence?.verdict.portal?.absoluteString, time: time,
            earliest: isOtherState ? nil : time, uptime: uptime, suspended: suspended)
        if isOtherState, let beginning = connectivity.beginning {
            self.time = beginning.latest
            earliest = beginning.earliest
            self.uptime -= max(0, connectivity.since.timeIntervalSince(beginning.latest))
        }
        remark = connectivity.remarks.first.map { "\($0)" }
    }

    fileprivate var instant: OutageMachine.Timestamp {
        .init(steady: Int64(((uptime + suspended) * 1000).rounded()), wall: time, earliest: earliest)
    }

    /// The reason, in one sentence.
    package var message: String {
        if let outage, outageBegan == nil {
            let words =
                "No Internet for \(Figures.duration(outage.length)) from \(LocalTime.text(outage.start, .minute))"
            return words + (outage.reason.map { ": \($0)" } ?? ".")
        }
        return reason
            ?? (state == .online ? "Online" : ConnectivityState(rawValue: state.rawValue)?.name ?? state.rawValue)
            + (interfaceName.map { " over \($0)." } ?? ".")
    }

    /// The same transition with these outages in place of those that it ended.
    package func with(outages: [Outage]) -> Transition {
        var copy = self
        copy.outages = outages
        return copy
    }

    /// Whether nothing that makes a transition differs from the other one.
    package func repeats(_ other: Transition) -> Bool {
        state == other.state && interfaceName == other.interfaceName && portalHost == other.portalHost
    }

    /// The host of the login page: in many portals, the rest of the URL changes with each request.
    private var portalHost: String? { portal.flatMap { URL(string: $0)?.host(percentEncoded: false) } }
}

/// Decides which of a monitor's values are transitions: a value type without a clock.
///
/// A fault that is found later belongs to the newest transition: it is passed on under the same number. If the fault was not known before,
/// it counts from the beginning of the transition; in an outage, another fault or cause begins another phase.
package struct TransitionSequence: Sendable {
    private let isPassive: Bool
    private var newest: Transition?
    private var outages = OutageMachine()
    /// The outages that have ended without a transition.
    private var ended: [Outage] = []
    private var last: TimeSource.Moment?

    /// - Parameter isPassive: whether the monitor never checks.
    package init(isPassive: Bool = false) { self.isPassive = isPassive }

    /// Returns the transition to a value that the monitor delivered; nil if the value is not to be reported.
    ///
    /// While a check decides what a new path is worth, there is no transition: from `offline` to `online` is one transition.
    package mutating func next(_ connectivity: Connectivity, at moment: TimeSource.Moment) -> Transition? {
        let isDecided = connectivity.state != .unverified || connectivity.evidence != nil || isPassive
        let isOtherState = newest.map { $0.state != HistoryState(connectivity.state) } ?? true
        noteSleep(until: moment, continues: !isDecided || !isOtherState)
        guard isDecided else { return nil }
        let uptime = moment.monotonic / .seconds(1)
        var transition = Transition(
            connectivity, at: moment.realtime, uptime: uptime, suspended: moment.suspended, isOtherState: isOtherState)
        if let newest, transition.uptime < newest.uptime {
            // The transition before shows that it did not begin earlier, so its margin is not known.
            transition.time = moment.realtime
            transition.earliest = nil
            transition.uptime = uptime
        }
        return next(transition)
    }

    /// Returns the transition to pass on, or nil.
    package mutating func next(_ seen: Transition) -> Transition? {
        var transition = seen
        if let newest, seen.repeats(newest) {
            guard let fault = seen.fault else { return nil }
            let isFound = newest.fault == nil && !newest.isUpdate
            let isOther = fault != newest.fault
            let isOtherCause = seen.cause != nil && seen.cause != newest.cause
            let isPhase = !isFound && outages.mayBeginPhase && (isOther || isOtherCause)
            guard isPhase || isOther && !newest.isUpdate else { return nil }
            transition.number = newest.number
            transition.isUpdate = true
            if !isPhase {
                // Counts from now on, although the time remains that of the change.
                transition.time = newest.time
                transition.earliest = newest.earliest
                outages.correct(transition.record)
            } else {
                transition.isPhase = true
                note(transition.record, at: transition.instant)
            }
        } else {
            transition.number = (newest?.number ?? 0) + 1
            note(transition.record, at: transition.instant)
        }
        transition.outages = ended
        ended = []
        transition.outageBegan = outages.beginning.map { Double($0.steady) / 1000 }
        transition.outageCount = outages.count
        newest = transition
        return transition
    }

    private mutating func note(_ record: StateRecord, at time: OutageMachine.Timestamp) {
        if let outage = outages.change(to: record, at: time) {
            ended = (ended + [outage]).suffix(Self.maximumEnded)
        }
    }

    /// The number of outages that a transition passes on at most, the newest ones: a machine that is offline may sleep at any number of times.
    private static let maximumEnded = 64

    /// Notes that the machine may have been suspended since the last event.
    ///
    /// It must be called when the machine wakes, too: if the state lasts, the next value may follow much later.
    ///
    /// - Parameter continues: whether the state before lasts after it; otherwise another one begins then.
    package mutating func noteSleep(until moment: TimeSource.Moment, continues: Bool = true) {
        defer { last = moment }
        guard let newest, let last else { return }
        let states = GapRules.unwatched(
            passed: (moment.boottime - last.boottime) / .seconds(1), slept: moment.suspended - last.suspended)
        for (record, before) in states + (continues && !states.isEmpty ? [(newest.record, 0)] : []) {
            let steady = moment.boottime / .milliseconds(1) - before * 1000
            note(record, at: .init(steady: Int64(steady.rounded()), wall: moment.realtime - before))
        }
    }
}

extension TimeSource.Moment {
    /// The seconds for which the machine was suspended since its start.
    fileprivate var suspended: Double { (boottime - monotonic) / .seconds(1) }
}

/// The transitions between the values that one consumer receives, by a clock: the machine's waking is noted, too.
package final class TransitionReader: Sendable {
    private let sequence: Mutex<TransitionSequence>
    private let time: TimeSource
    private let watch = CancellationSlot()

    /// - Parameter isPassive: whether the monitor never checks.
    package init(isPassive: Bool, on time: TimeSource = .system) {
        sequence = Mutex(TransitionSequence(isPassive: isPassive))
        self.time = time
        watch.set(time.whenClocksJump { [weak self] in self?.noteSleep() })
    }

    deinit { watch.end() }

    /// Returns the transition to a value, as `TransitionSequence` does.
    package func next(_ connectivity: Connectivity) -> Transition? {
        sequence.withLock { $0.next(connectivity, at: time.moment) }
    }

    private func noteSleep() { sequence.withLock { $0.noteSleep(until: time.moment) } }
}

extension ConnectivityMonitor {
    /// Observes the monitor for all consumers of its transitions.
    ///
    /// - Parameters:
    ///   - isPassive: whether the monitor never checks.
    ///   - handler: called with each value, in order, and with the transition to it, if it is one.
    package func observeTransitions(
        isPassive: Bool, _ handler: @escaping @Sendable (Connectivity, Transition?) -> Void
    ) -> ConnectivityObservation {
        let transitions = TransitionReader(isPassive: isPassive, on: time)
        return observe(on: .global()) { handler($0, transitions.next($0)) }
    }
}
