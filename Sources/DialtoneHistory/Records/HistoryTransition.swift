//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
public import FoundationEssentials

/// From when on which state was the answer.
public struct HistoryTransition: Codable, Hashable, Sendable {
    /// From when on, by the wall clock; kept to the millisecond.
    public var time: Date
    /// The state from then on.
    public var state: HistoryState
    /// Why.
    public var cause: HistoryCause?
    /// The preferred interface, such as `wlan0`; nil without one.
    public var interfaceName: String?
    /// Over what that carries data, as in the JSON report: `wifi`, `cellular`, `wiredEthernet`, `loopback`, `other`.
    public var interfaceType: String?
    /// The state before; nil in the first, and in one that is yet to be recorded.
    public var previous: HistoryState?

    /// Makes a transition.
    public init(
        time: Date, state: HistoryState, cause: HistoryCause? = nil, interfaceName: String? = nil,
        interfaceType: String? = nil, previous: HistoryState? = nil
    ) {
        self.time = time
        self.state = state
        self.cause = cause
        self.interfaceName = interfaceName.map { String($0.prefix(64)) }
        self.interfaceType = interfaceType.map { String($0.prefix(64)) }
        self.previous = previous
    }

    /// Makes a transition of what a monitor delivered.
    ///
    /// - Parameters:
    ///   - connectivity: what it delivered.
    ///   - time: when.
    public init(_ connectivity: Connectivity, at time: Date) {
        // Without a path the interface at fault is the one to name.
        let interface = connectivity.path.interfaces.first ?? connectivity.path.diagnosis?.interface
        self.init(
            time: time, state: HistoryState(connectivity.state), cause: HistoryCause(connectivity),
            interfaceName: interface?.name, interfaceType: interface?.type.reportName)
    }

    /// Whether it says only that nobody was there to watch: it never hides what was recorded of the same time.
    ///
    /// ``Queries`` asks the database the same.
    var isAbsence: Bool {
        guard let cause, !state.isWatched else { return false }
        return Self.causesOfAbsence.contains(cause)
    }

    /// The causes of an absence: these times were told by clocks of which one may have been wrong.
    static let causesOfAbsence: [HistoryCause] = [.clockSet, .off, .crashed, .stopped]

    /// Whether nothing but the time differs.
    func saysTheSame(as other: HistoryTransition) -> Bool {
        state == other.state && cause == other.cause && interfaceName == other.interfaceName
            && interfaceType == other.interfaceType
    }
}
