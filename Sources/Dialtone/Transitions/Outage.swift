// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A period without the Internet while the machine was watched.
///
/// It lasts from the first moment without the Internet to the last; ``OutageMachine`` decides when it ends. Its own record is what it
/// is called: the state, the cause and the side that ``OutageRule`` concludes from its phases. While it lasts, the side is provisional.
package struct Outage: Codable, Hashable, Sendable, StateRecordProtocol {
    /// The end of an outage.
    package enum Ending: String, Codable, Hashable, Sendable {
        /// The Internet was reachable again.
        case recovered
        /// The Internet was reachable over another interface, while nothing is known of the one on which the outage began.
        case moved
        /// There was a path again; whether it reached the Internet is not known.
        case undecided
        /// Watching stopped, or the host was suspended; the outage may have lasted longer.
        case unwatched
        /// The window ended; if it ends now, the outage continues.
        case windowEnd
    }

    /// A part of an outage with one state and one explanation.
    package struct Phase: Codable, Hashable, Sendable, StateRecordProtocol {
        package var record: StateRecord
        /// The number of milliseconds from the start of the outage.
        package var offset: Int64
        /// The number of milliseconds that it lasted.
        package var milliseconds: Int64

        /// The duration in seconds.
        package var length: Double { Double(milliseconds) / 1000 }
    }

    /// The start of the outage at the latest, or the start of the window.
    package var start: Date
    /// The start at the earliest; nil if it is not known, or if the outage was in progress when the window, or watching, began.
    package var earliestStart: Date?
    /// The end of the outage, at the latest, as far as is known.
    package var end: Date
    /// The end at the earliest; nil if it is not known, or outside the window.
    package var earliestEnd: Date?
    /// The number of milliseconds from its start to its end, by a clock that is never set.
    package var milliseconds: Int64
    /// The state, the cause and the side of the outage.
    package var record: StateRecord
    /// The phases in order; between two of them, the state may not have been known.
    package var phases: [Phase] = []
    package var ending = Ending.recovered
    /// The interface to which a machine moved that left the network of the outage.
    package var nextInterface: String?

    /// The duration in seconds, as far as is known.
    package var length: Double { Double(milliseconds) / 1000 }

    /// The number of seconds by which the outage may have begun earlier; nil if that is not known.
    package var startMargin: Double? { Self.margin(earliestStart, start) }

    /// The number of seconds by which the outage may have ended earlier; nil if that is not known.
    package var endMargin: Double? { Self.margin(earliestEnd, end) }

    /// The number of seconds by which its duration may differ from the truth, as far as the margins are known: it is longer by
    /// the first at most, and shorter by the second.
    package var margin: Double { max(startMargin ?? 0, endMargin ?? 0) }

    /// Whether the outage may have begun earlier: within a margin, or any time before.
    package var mayHaveBegunEarlier: Bool { startMargin != 0 }

    private static func margin(_ earliest: Date?, _ latest: Date) -> Double? {
        earliest.map { max(0, (latest.timeIntervalSince($0) * 1000).rounded()) / 1000 }
    }
}

/// Decides when an outage begins and ends: a value without a clock.
///
/// It is given each change of the state, also to one that was not watched. An outage ends when the Internet answers, or when the state was
/// not known, or not watched, for more than ``longestDoubt``. A shorter doubt between two failures belongs to it. While the Internet is
/// not checked at all, a path ends an outage.
package struct OutageMachine: Sendable {
    /// A point in time by two clocks.
    package struct Timestamp: Hashable, Sendable {
        /// The milliseconds of a clock that is never set.
        package var steady: Int64
        /// The wall clock; only written down.
        package var wall: Date
        /// When the change happened, at the earliest; nil if that was not observed.
        package var earliest: Date?

        package init(steady: Int64, wall: Date, earliest: Date? = nil) {
            self.steady = steady
            self.wall = wall
            self.earliest = earliest
        }
    }

    /// The maximum number of milliseconds between two failures of one outage: about the duration of a check.
    package static let longestDoubt: Int64 = 30_000
    /// The maximum number of phases; the time of later ones is added to an earlier one.
    static let maximumPhases = 64

    private struct Open {
        let start: Timestamp
        var end: Timestamp
        var phases: [Outage.Phase] = []
        /// The phase that lasts.
        var phase = 0
        /// The ending, unless the Internet answers soon: the state after the last failure.
        var interruption: Outage.Ending?

        mutating func begin(_ record: StateRecord, at time: Timestamp) {
            let continues = phases.last?.record == record && interruption == nil
            interruption = nil
            if continues { return }
            if phases.count < OutageMachine.maximumPhases {
                phases.append(.init(record: record, offset: time.steady - start.steady, milliseconds: 0))
            }
            phase = phases.lastIndex { $0.record == record } ?? phases.count - 1
        }

        func outage(_ ending: Outage.Ending, over next: StateRecord? = nil) -> Outage {
            let hasMoved = ending == .recovered && next.map { $0.leaves(phases[0].record) } == true
            let milliseconds = end.steady - start.steady
            // The wall clock was set in between: both times are those of the clock at the end.
            let set = end.wall.timeIntervalSince(start.wall) - Double(milliseconds) / 1000
            let step = abs(set) >= TimeSource.shortestStep ? set : 0
            return Outage(
                start: start.wall + step, earliestStart: start.earliest.map { $0 + step }, end: end.wall,
                earliestEnd: ending == .windowEnd ? nil : end.earliest, milliseconds: milliseconds,
                record: OutageRule.record(of: OutageFacts(phases: phases, milliseconds: milliseconds)), phases: phases,
                ending: hasMoved ? .moved : ending, nextInterface: hasMoved ? next?.interfaceName : nil)
        }
    }

    private var open: Open?
    private var last: (record: StateRecord, time: Timestamp)?
    private var wasWatched = false
    /// The number of outages that began.
    package private(set) var count = 0

    package init() {}

    /// When the outage in progress began; nil if none is.
    package var beginning: Timestamp? {
        // Inlined in optimized code, it ends the compiler of Swift 6.3.1 with an ownership error.
        @inline(never) get { open?.start }
    }

    /// Whether an outage is in progress that can have another phase.
    var mayBeginPhase: Bool { open.map { $0.phases.count < Self.maximumPhases } ?? false }

    /// Handles a change to a state that lasts until the next one.
    ///
    /// - Returns: the outage that has ended.
    package mutating func change(to record: StateRecord, at time: Timestamp) -> Outage? {
        var time = time
        time.steady = max(time.steady, last?.time.steady ?? time.steady)
        var ended = advance(to: time)
        let isUnchecked = record.isUnchecked
        switch record.state.availability {
        case .down:
            if open == nil {
                count += 1
                let start = Timestamp(steady: time.steady, wall: time.wall, earliest: wasWatched ? time.earliest : nil)
                open = Open(start: start, end: time)
            }
            open?.begin(record, at: time)
        case .up: ended = close(.recovered, over: record) ?? ended
        case .undecided where isUnchecked: ended = close(.undecided) ?? ended
        case .undecided: interrupt(.undecided)
        case .unwatched: interrupt(.unwatched)
        }
        if record.state.availability != .undecided || isUnchecked { wasWatched = record.state.isWatched }
        last = (record, time)
        return ended
    }

    private mutating func interrupt(_ ending: Outage.Ending) {
        if open?.interruption == nil { open?.interruption = ending }
    }

    /// Replaces the explanation of the current state from its beginning on.
    package mutating func correct(_ record: StateRecord) {
        last?.record = record
        guard let open, open.interruption == nil else { return }
        let phase = open.phase
        self.open?.phases[phase].record = record
    }

    /// Notes that the state still lasts.
    ///
    /// - Returns: the outage that has ended, because the state has not been known for too long.
    package mutating func advance(to time: Timestamp) -> Outage? {
        guard let before = last?.time.steady, let phase = open?.phase, let end = open?.end.steady else { return nil }
        if open?.interruption != nil { return time.steady - end > Self.longestDoubt ? close(.undecided) : nil }
        open?.phases[phase].milliseconds += time.steady - before
        open?.end = time
        last?.time = time
        return nil
    }

    /// Returns the outage that lasts until this time, as far as is known.
    package mutating func finish(at time: Timestamp) -> Outage? { advance(to: time) ?? close(.windowEnd) }

    private mutating func close(_ ending: Outage.Ending, over next: StateRecord? = nil) -> Outage? {
        defer { open = nil }
        guard let open else { return nil }
        return open.outage(ending == .recovered ? ending : open.interruption ?? ending, over: next)
    }
}

extension StateRecord {
    /// Whether there is a path, and the Internet is never checked.
    package var isUnchecked: Bool { state == .unverified && cause?.isUnchecked == true }

    /// Whether this machine left the interface of the other record for another one.
    ///
    /// Tunnels do not count, because the interface that carries them is not recorded.
    fileprivate func leaves(_ other: StateRecord) -> Bool {
        guard let interfaceName, let name = other.interfaceName, interfaceName != name else { return false }
        let tunnel = InterfaceType.other.reportName
        return interfaceType != tunnel && other.interfaceType != tunnel
    }
}
