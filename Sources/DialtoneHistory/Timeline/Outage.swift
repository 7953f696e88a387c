// SPDX-License-Identifier: Apache-2.0

public import Dialtone

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A period without the Internet while the host was watched.
///
/// It lasts from the first moment without the Internet to the last. Up to ``longestDoubt`` of unknown state between two
/// such moments belongs to it; unwatched time never does. While the Internet is not checked at all, a path ends an outage.
public struct Outage: Codable, Hashable, Sendable {
    /// The state after an outage.
    public enum Ending: String, Codable, Hashable, Sendable {
        /// The Internet was reachable again.
        case recovered
        /// There was a path again; whether it reached the Internet is not known.
        case undecided
        /// Watching stopped, or the host was suspended; the outage may have lasted longer.
        case unwatched
        /// The window ended; if it ends now, the outage continues.
        case windowEnd
    }

    /// The start of the outage at the latest, or the start of the window.
    public var start: Date
    /// The start at the earliest; nil if it is not known, or if the outage was in progress when the window, or watching, began.
    public var earliestStart: Date?
    /// The end of the outage, at the latest, as far as is known.
    public var end: Date
    /// The end at the earliest; nil if it is not known, or outside the window.
    public var earliestEnd: Date?
    /// The state that lasted longest during the outage; the worst of several that lasted equally long.
    public var state: HistoryState
    /// The cause that lasted longest in this state; the first of several that lasted equally long.
    public var cause: HistoryCause?
    /// The interface that had this cause for the longest time.
    public var interfaceName: String?
    /// The type of the underlying interface, as in the JSON report.
    public var interfaceType: String?
    /// The reason, as a sentence, if it was stored.
    public var reason: String?
    /// The place of the fault.
    public var fault: ConnectivityFault?
    /// The state after the outage.
    public var ending: Ending

    /// The maximum number of seconds of unknown state between two failures of one outage: about the duration of a
    /// check.
    public static let longestDoubt: Double = 30

    /// Creates an outage; by default one that ended in recovery.
    public init(
        start: Date, earliestStart: Date? = nil, end: Date, earliestEnd: Date? = nil, state: HistoryState,
        cause: HistoryCause? = nil, interfaceName: String? = nil, interfaceType: String? = nil, reason: String? = nil,
        fault: ConnectivityFault? = nil, ending: Ending = .recovered
    ) {
        (self.start, self.earliestStart) = (start, earliestStart)
        (self.end, self.earliestEnd) = (end, earliestEnd)
        self.state = state
        self.cause = cause
        self.interfaceName = interfaceName
        self.interfaceType = interfaceType
        self.reason = reason
        self.fault = fault
        self.ending = ending
    }

    /// The duration in seconds, as far as is known.
    public var length: Double { Double(end.milliseconds - start.milliseconds) / 1000 }

    /// The number of seconds by which the outage may have begun earlier; nil if that is not known.
    public var startMargin: Double? { Self.margin(earliestStart, start) }

    /// The number of seconds by which the outage may have ended earlier; nil if that is not known.
    public var endMargin: Double? { Self.margin(earliestEnd, end) }

    /// The number of seconds by which its duration may differ from the truth, as far as the margins are known: it is longer by
    /// the first at most, and shorter by the second.
    package var margin: Double { max(startMargin ?? 0, endMargin ?? 0) }

    /// Whether the outage may have begun earlier: within a margin, or any time before.
    public var mayHaveBegunEarlier: Bool { startMargin != 0 }

    private static func margin(_ earliest: Date?, _ latest: Date) -> Double? {
        earliest.map { Double(max(0, latest.milliseconds - $0.milliseconds)) / 1000 }
    }
}

/// Finds the outages in consecutive spans without gaps.
struct OutageFinder {
    private var open: OpenOutage?
    private var doubt: Int64 = 0
    private var wasWatched = false

    /// Adds the next span, and returns the outage that ended before it.
    mutating func add(_ span: Timeline.Span) -> Outage? {
        open?.noteEnd(before: span)
        var ended: Outage?
        switch span.state.availability {
        case .down:
            if Double(doubt) / 1000 > Outage.longestDoubt { ended = close(.undecided) }
            if open == nil {
                open = OpenOutage(start: span.start, earliestStart: wasWatched ? span.earliestStart : nil)
            }
            open?.add(span)
            doubt = 0
        case .undecided where span.cause?.isUnchecked == true: ended = close(.undecided)
        case .undecided: doubt += span.milliseconds
        case .up: ended = close(.recovered)
        case .unwatched: ended = close(.unwatched)
        }
        if span.state.availability != .undecided || span.cause?.isUnchecked == true {
            wasWatched = span.state.isWatched
        }
        if open == nil { doubt = 0 }
        return ended
    }

    /// Returns the outage that lasts until the end of the last span.
    mutating func finish() -> Outage? { close(.windowEnd) }

    private mutating func close(_ ending: Outage.Ending) -> Outage? {
        defer { open = nil }
        return open?.closed(doubt > 0 && ending != .recovered ? .undecided : ending)
    }
}

/// An outage in progress: the duration of each kind of failure in it decides what it is called.
private struct OpenOutage {
    /// A state with its cause, its interface and its fault.
    struct Kind: Hashable {
        var state: HistoryState
        var cause: HistoryCause?
        var interfaceName: String?
        var interfaceType: String?
        var reason: String?
        var fault: ConnectivityFault?
    }

    private let start: Date
    private let earliestStart: Date?
    private var end: Date
    private var earliestEnd: Date?
    /// The milliseconds of each kind, in the order of their first occurrence.
    private var lengths: [(kind: Kind, milliseconds: Int64)] = []

    init(start: Date, earliestStart: Date?) { (self.start, self.earliestStart, end) = (start, earliestStart, start) }

    /// Notes the span that follows the last one that was added.
    mutating func noteEnd(before span: Timeline.Span) { if span.start == end { earliestEnd = span.earliestStart } }

    mutating func add(_ span: Timeline.Span) {
        end = span.end
        let kind = Kind(
            state: span.state, cause: span.cause, interfaceName: span.interfaceName, interfaceType: span.interfaceType,
            reason: span.reason, fault: span.fault)
        // There are few kinds.
        if let place = lengths.firstIndex(where: { $0.kind == kind }) {
            lengths[place].milliseconds += span.milliseconds
        } else {
            lengths.append((kind, span.milliseconds))
        }
    }

    func closed(_ ending: Outage.Ending) -> Outage {
        // The worst state comes first, so that it wins a tie; the sort keeps the order of equal elements.
        var rest = lengths.sorted { $0.kind.state.severity < $1.kind.state.severity }
        Self.keepLongest(&rest, by: \.state)
        Self.keepLongest(&rest, by: \.cause)
        Self.keepLongest(&rest, by: \.self)
        let kind = rest.first?.kind ?? Kind(state: .offline)
        return Outage(
            start: start, earliestStart: earliestStart, end: end, earliestEnd: ending == .windowEnd ? nil : earliestEnd,
            state: kind.state, cause: kind.cause, interfaceName: kind.interfaceName,
            interfaceType: kind.interfaceType, reason: kind.reason, fault: kind.fault,
            ending: ending)
    }

    /// Keeps the elements with the key whose total duration is the longest; the first of several.
    private static func keepLongest<Key: Hashable>(
        _ lengths: inout [(kind: Kind, milliseconds: Int64)], by key: (Kind) -> Key
    ) {
        guard lengths.count > 1 else { return }
        var totals: [Key: Int64] = [:]
        for (kind, milliseconds) in lengths { totals[key(kind), default: 0] += milliseconds }
        let longest = totals.values.max()
        guard let chosen = lengths.first(where: { totals[key($0.kind)] == longest }) else { return }
        lengths.removeAll { key($0.kind) != key(chosen.kind) }
    }
}
