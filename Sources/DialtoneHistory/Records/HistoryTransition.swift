// SPDX-License-Identifier: Apache-2.0

public import Dialtone

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A change to a new state at a point in time.
public struct HistoryTransition: Codable, Hashable, Sendable {
    /// The wall-clock time when the state began, at the latest; stored to the millisecond.
    public var time: Date
    /// When it began, at the earliest; nil if that was not observed, and in records of older versions.
    public var earliest: Date?
    /// The state from this time on.
    public var state: HistoryState
    /// The cause of the state.
    public var cause: HistoryCause?
    /// The preferred interface, such as `wlan0`; nil without one.
    public var interfaceName: String?
    /// The type of the underlying interface, as in the JSON report: `wifi`, `cellular`, `wiredEthernet`, `loopback`,
    /// `other`.
    public var interfaceType: String?
    /// The reason, as a sentence; nil in records of older versions, and in those of the history itself.
    public var reason: String?
    /// The place of the fault.
    public var fault: ConnectivityFault?
    /// The number of the transition in its run; nil in records of the history itself.
    ///
    /// The record of a fault that was found later has the same number.
    public var number: Int?
    /// The previous state; nil in the first transition, and in one that is not recorded yet.
    public var previous: HistoryState?

    /// Creates a transition to a state at a time.
    public init(
        time: Date, earliest: Date? = nil, state: HistoryState, cause: HistoryCause? = nil,
        interfaceName: String? = nil, interfaceType: String? = nil, reason: String? = nil,
        fault: ConnectivityFault? = nil, number: Int? = nil, previous: HistoryState? = nil
    ) {
        self.time = time
        self.earliest = earliest
        self.state = state
        self.cause = cause
        self.interfaceName = interfaceName?.shortened(to: 64)
        self.interfaceType = interfaceType?.shortened(to: 64)
        self.reason = reason?.shortened(to: 1000)
        self.fault = fault
        self.number = number
        self.previous = previous
    }

    /// Creates the record of a transition.
    package init(_ transition: Transition) {
        self.init(
            time: transition.time, earliest: transition.earliest, state: HistoryState(transition.state),
            cause: transition.cause.map { HistoryCause($0) }, interfaceName: transition.interface,
            interfaceType: transition.interfaceType, reason: transition.reason, fault: transition.fault,
            number: transition.number)
    }

    /// Whether the transition only reports that the host was not watched; it never hides other records of the same
    /// time.
    ///
    /// ``Queries`` uses the same condition in SQL.
    var isAbsence: Bool {
        guard let cause, !state.isWatched else { return false }
        return Self.causesOfAbsence.contains(cause)
    }

    /// The causes of an absence: their times come from clocks of which at least one may have been wrong.
    static let causesOfAbsence: [HistoryCause] = [.clockSet, .off, .crashed, .stopped]
}

extension String {
    /// Returns the first characters of this text, or all of it.
    func shortened(to maximum: Int) -> String {
        // Characters are counted only if there may be too many, because counting is slow.
        utf8.count <= maximum ? self : String(prefix(maximum))
    }
}
