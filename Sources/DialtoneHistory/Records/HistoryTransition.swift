// SPDX-License-Identifier: Apache-2.0

public import Dialtone

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A change to a new state at a point in time.
public struct HistoryTransition: Codable, Hashable, Sendable {
    /// The wall-clock time when the state began; stored to the millisecond.
    public var time: Date
    /// The state from this time on.
    public var state: HistoryState
    /// The cause of the state.
    public var cause: HistoryCause?
    /// The preferred interface, such as `wlan0`; nil without one.
    public var interfaceName: String?
    /// The type of the underlying interface, as in the JSON report: `wifi`, `cellular`, `wiredEthernet`, `loopback`,
    /// `other`.
    public var interfaceType: String?
    /// The previous state; nil in the first transition, and in one that is not recorded yet.
    public var previous: HistoryState?

    /// Creates a transition to a state at a time.
    public init(
        time: Date, state: HistoryState, cause: HistoryCause? = nil, interfaceName: String? = nil,
        interfaceType: String? = nil, previous: HistoryState? = nil
    ) {
        self.time = time
        self.state = state
        self.cause = cause
        self.interfaceName = interfaceName?.shortened(to: 64)
        self.interfaceType = interfaceType?.shortened(to: 64)
        self.previous = previous
    }

    /// Creates a transition from a value that a monitor delivered.
    ///
    /// - Parameters:
    ///   - connectivity: the delivered value.
    ///   - time: the time of delivery.
    ///   - isPassive: whether the monitor sends no packets, so that it never checks the Internet.
    public init(_ connectivity: Connectivity, at time: Date, isPassive: Bool = false) {
        // Without a path, name the interface that is at fault.
        let interface = connectivity.path.interfaces.first ?? connectivity.path.diagnosis?.interface
        self.init(
            time: time, state: HistoryState(connectivity.state),
            cause: HistoryCause(connectivity, isPassive: isPassive),
            interfaceName: interface?.name, interfaceType: interface?.type.reportName)
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

    /// Whether both transitions are equal except for their times.
    func isEqualExceptTime(as other: HistoryTransition) -> Bool {
        state == other.state && cause == other.cause && interfaceName == other.interfaceName
            && interfaceType == other.interfaceType
    }
}

extension String {
    /// Returns the first characters of this text, or all of it.
    func shortened(to maximum: Int) -> String {
        // Characters are counted only if there may be too many, because counting is slow.
        utf8.count <= maximum ? self : String(prefix(maximum))
    }
}
