// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SystemSupport

/// A change that matters to a person: of the state, the interface or the login page, with what is known about it.
///
/// History, hooks, metrics, log, events and page consume this value, and decide nothing again.
package struct Transition: Hashable, Sendable {
    /// The position among the transitions of this process, from 1; 0 before ``TransitionSequence`` has counted it.
    package fileprivate(set) var number = 0
    /// Whether the transition of this number was passed on before, with another fault.
    package fileprivate(set) var isCorrection = false
    package var state: ConnectivityState
    /// The name of the reason.
    package var cause: ConnectivityCause?
    /// The reason why this machine is not online, as a sentence.
    package var reason: String?
    /// The place of the fault.
    package var fault: ConnectivityFault?
    /// The preferred interface or, without a path, the one at fault.
    package var interface: String?
    /// The type of the interface, as in the JSON report.
    package var interfaceType: String?
    /// The URL of the login page, which the network chose.
    package var portal: String?
    /// What works badly although this machine is online.
    package var remark: String?
    /// When it happened, at the latest.
    package var time: Date
    /// When it happened, at the earliest; nil if that was not observed.
    package var earliest: Date?
    /// The seconds of a clock that is never set; a suspended machine does not count them.
    package var uptime: Double
    /// The outage that this transition ended.
    package fileprivate(set) var outage: EndedOutage?
    /// The uptime at which the outage in progress began; nil if none is.
    package fileprivate(set) var outageBegan: Double?

    /// An outage from its beginning to its end.
    package struct EndedOutage: Hashable, Sendable {
        package let began: Date
        package let seconds: Double
        /// The reason at its beginning, as a sentence.
        let reason: String?
        /// The place of the fault at its beginning.
        package let fault: ConnectivityFault?
    }

    package init(
        state: ConnectivityState, cause: ConnectivityCause? = nil, reason: String? = nil,
        fault: ConnectivityFault? = nil,
        interface: String? = nil, interfaceType: String? = nil, portal: String? = nil, time: Date,
        earliest: Date? = nil, uptime: Double = 0
    ) {
        self.state = state
        self.cause = cause
        self.reason = reason
        self.fault = fault
        self.interface = interface
        self.interfaceType = interfaceType
        self.portal = portal
        self.time = time
        self.earliest = earliest
        self.uptime = uptime
    }

    /// Creates a transition to a value that a monitor delivered.
    ///
    /// - Parameters:
    ///   - isOtherState: whether the state differs from that before; otherwise the path has changed, which the kernel reports at
    ///     once.
    package init(_ connectivity: Connectivity, at time: Date, isOtherState: Bool = true) {
        // Without a path, name the interface that is at fault.
        let interface = connectivity.path.interfaces.first ?? connectivity.path.diagnosis?.interface
        self.init(
            state: connectivity.state, cause: connectivity.cause, reason: connectivity.reason,
            fault: connectivity.fault, interface: interface?.name, interfaceType: interface?.type.reportName,
            portal: connectivity.evidence?.verdict.portal?.absoluteString, time: time,
            earliest: isOtherState ? nil : time, uptime: TimeSource.system.moment.monotonic / .seconds(1))
        if isOtherState, let beginning = connectivity.beginning {
            (self.time, earliest) = (beginning.latest, beginning.earliest)
            uptime -= max(0, connectivity.since.timeIntervalSince(beginning.latest))
        }
        remark = connectivity.remarks.first.map { "\($0)" }
    }

    /// What happened, in one sentence.
    package var message: String {
        if let outage {
            let words =
                "No Internet for \(Figures.duration(outage.seconds)) from \(LocalTime.text(outage.began, .minute))"
            return words + (outage.reason.map { ": \($0)" } ?? ".")
        }
        return reason ?? (state == .online ? "Online" : state.name) + (interface.map { " over \($0)." } ?? ".")
    }

    /// The same transition without the outage that it ended.
    package var withoutOutage: Transition {
        var copy = self
        copy.outage = nil
        return copy
    }

    /// Whether nothing that makes a transition differs from the other one.
    package func repeats(_ other: Transition) -> Bool {
        state == other.state && interface == other.interface && portal == other.portal
    }
}

/// Decides which of a monitor's values are transitions: a value type without a clock.
///
/// What is learnt later about the newest transition belongs to it: the first fault that differs is passed on once more,
/// under the same number; everything else is not.
package struct TransitionSequence: Sendable {
    private let isPassive: Bool
    private var newest: Transition?
    /// The transition that began the outage in progress.
    private var beginning: Transition?

    /// - Parameter isPassive: whether the monitor never checks.
    package init(isPassive: Bool = false) { self.isPassive = isPassive }

    /// Returns the transition to a value that the monitor delivered; nil if there is none.
    ///
    /// While a check decides what a new path is worth, there is none: from `offline` to `online` is one transition.
    package mutating func next(_ connectivity: Connectivity, at time: Date) -> Transition? {
        let isDecided = connectivity.state != .unverified || connectivity.evidence != nil || isPassive
        guard isDecided else { return nil }
        let isOtherState = newest?.state != connectivity.state
        return next(Transition(connectivity, at: time, isOtherState: isOtherState))
    }

    /// Returns the transition to pass on; nil if there is none.
    package mutating func next(_ seen: Transition) -> Transition? {
        if let newest, seen.repeats(newest) { return correction(of: newest, by: seen) }
        var transition = seen
        transition.number = (newest?.number ?? 0) + 1
        switch seen.state {
        case .offline, .requiresConnection, .captivePortal, .noInternet, .limited:
            if beginning == nil { beginning = transition }
        // What is not known ends no outage; but without checks, more than a path is never known.
        case .unverified where !isPassive, .unknown: break
        case .online, .unverified:
            transition.outage = beginning.map {
                Transition.EndedOutage(
                    began: $0.time, seconds: max(0, seen.uptime - $0.uptime), reason: $0.reason, fault: $0.fault)
            }
            beginning = nil
        }
        transition.outageBegan = beginning?.uptime
        newest = transition
        return transition
    }

    /// The newest transition with the fault that was found after it.
    private mutating func correction(of newest: Transition, by seen: Transition) -> Transition? {
        guard !newest.isCorrection, let fault = seen.fault, fault != newest.fault else { return nil }
        var transition = newest
        (transition.reason, transition.cause) = (seen.reason, seen.cause)
        (transition.fault, transition.isCorrection) = (fault, true)
        // Counts from now on, although the time remains that of the change.
        transition.uptime = seen.uptime
        if beginning?.number == transition.number {
            beginning?.reason = seen.reason
            beginning?.fault = fault
        }
        self.newest = transition
        return transition
    }
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
        let sequence = Mutex(TransitionSequence(isPassive: isPassive))
        return observe(on: .global()) { connectivity in
            handler(connectivity, sequence.withLock { $0.next(connectivity, at: self.time.moment.realtime) })
        }
    }
}
