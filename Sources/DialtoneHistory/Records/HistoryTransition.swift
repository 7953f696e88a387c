// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// A change to a new state at a point in time.
package struct HistoryTransition: Hashable, Sendable, StateRecordProtocol {
    /// The wall-clock time when the state began, at the latest; stored to the millisecond.
    package var time: Date
    /// When it began, at the earliest; nil if that was not observed, and in records of older versions.
    package var earliest: Date?
    /// The state from this time on.
    package var record: StateRecord
    /// The number of the transition in its run; nil in records of the history itself.
    ///
    /// The record of a fault that was found later has the same number.
    package var number: Int?
    /// Whether collectors and hooks do not get it: another phase of an outage, whose fault or cause changed, and whose state
    /// did not.
    var isSilent = false
    /// Whether it reports a fault that was found later, which counts from the beginning of the transition of its number.
    var isFound = false
    /// The number of records before it that it replaces: the clock was wrong when they were made, and those that follow have their times
    /// right.
    var replaced = 0
    /// The outages that ended with it, as hooks get them; only events read them from the file.
    package var outages: [Outage] = []
    /// The previous state; nil in the first transition, and in one that is not recorded yet.
    package var previous: HistoryState?

    package init(
        time: Date, earliest: Date? = nil, state: HistoryState, cause: HistoryCause? = nil,
        interfaceName: String? = nil, interfaceType: String? = nil, reason: String? = nil,
        fault: ConnectivityFault? = nil, number: Int? = nil, previous: HistoryState? = nil
    ) {
        self.time = time
        self.earliest = earliest
        self.number = number
        self.previous = previous
        record = StateRecord(
            state, cause: cause, interfaceName: interfaceName, interfaceType: interfaceType, reason: reason,
            fault: fault)
    }

    package init(_ transition: Transition) {
        time = transition.time
        earliest = transition.earliest
        number = transition.number
        record = transition.record
        isSilent = transition.isPhase && transition.outages.isEmpty
        outages = transition.outages
        isFound = transition.isUpdate && !transition.isPhase
    }

    /// Creates a record of the history itself.
    init(time: Date, _ record: StateRecord) {
        self.time = time
        self.record = record
    }

    /// Whether the transition only reports that the host was not watched; it never hides other records of the same
    /// time.
    ///
    /// ``Queries`` uses the same condition in SQL.
    var isAbsence: Bool {
        guard let cause = record.cause, !record.state.isWatched else { return false }
        return Self.causesOfAbsence.contains(cause)
    }

    /// The causes of an absence: their times come from clocks of which at least one may have been wrong.
    static let causesOfAbsence: [HistoryCause] = [.clockSet, .off, .crashed, .stopped]
}
