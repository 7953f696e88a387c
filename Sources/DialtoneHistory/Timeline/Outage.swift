// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

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

    /// The start of the outage, or of the window.
    public var start: Date
    /// The end of the outage, as far as is known.
    public var end: Date
    /// The state that lasted longest during the outage; the worst of several that lasted equally long.
    public var state: HistoryState
    /// The cause that lasted longest in this state; the first of several that lasted equally long.
    public var cause: HistoryCause?
    /// The interface that had this cause for the longest time.
    public var interfaceName: String?
    /// The type of the underlying interface, as in the JSON report.
    public var interfaceType: String?
    /// Whether the outage may have begun earlier: it was in progress when the window, or watching, began.
    public var mayHaveBegunEarlier: Bool
    /// The state after the outage.
    public var ending: Ending

    /// The maximum number of seconds of unknown state between two failures of one outage: about the duration of a
    /// check.
    public static let longestDoubt: Double = 30

    /// Creates an outage; by default one that ended in recovery.
    public init(
        start: Date, end: Date, state: HistoryState, cause: HistoryCause? = nil, interfaceName: String? = nil,
        interfaceType: String? = nil, mayHaveBegunEarlier: Bool = false, ending: Ending = .recovered
    ) {
        self.start = start
        self.end = end
        self.state = state
        self.cause = cause
        self.interfaceName = interfaceName
        self.interfaceType = interfaceType
        self.mayHaveBegunEarlier = mayHaveBegunEarlier
        self.ending = ending
    }

    /// The duration in seconds, as far as is known.
    public var length: Double { Double(end.milliseconds - start.milliseconds) / 1000 }
}

extension Outage {
    /// Calls `body` with each outage in consecutive spans without gaps.
    static func forEach(in spans: some Sequence<Timeline.Span>, _ body: (Outage) -> Void) {
        var open: OpenOutage?
        var doubt: Int64 = 0
        var wasWatched = false

        func close(_ ending: Ending) {
            guard let outage = open else { return }
            body(outage.closed(doubt > 0 && ending != .recovered ? .undecided : ending))
            open = nil
        }

        for span in spans {
            switch span.state.availability {
            case .down:
                if Double(doubt) / 1000 > longestDoubt { close(.undecided) }
                if open == nil { open = OpenOutage(start: span.start, mayHaveBegunEarlier: !wasWatched) }
                open?.add(span)
                doubt = 0
            case .undecided where span.cause == .passive: close(.undecided)
            case .undecided: doubt += span.milliseconds
            case .up: close(.recovered)
            case .unwatched: close(.unwatched)
            }
            if span.state.availability != .undecided || span.cause == .passive { wasWatched = span.state.isWatched }
            if open == nil { doubt = 0 }
        }
        close(.windowEnd)
    }
}

/// An outage in progress: the duration of each kind of failure in it decides what it is called.
private struct OpenOutage {
    /// A state with its cause and its interface.
    struct Kind: Hashable {
        var state: HistoryState
        var cause: HistoryCause?
        var interfaceName: String?
        var interfaceType: String?
    }

    private let start: Date
    private let mayHaveBegunEarlier: Bool
    private var end: Date
    /// The milliseconds of each kind, in the order of their first occurrence.
    private var lengths: [(kind: Kind, milliseconds: Int64)] = []

    init(start: Date, mayHaveBegunEarlier: Bool) {
        (self.start, self.mayHaveBegunEarlier, end) = (start, mayHaveBegunEarlier, start)
    }

    mutating func add(_ span: Timeline.Span) {
        end = span.end
        let kind = Kind(
            state: span.state, cause: span.cause, interfaceName: span.interfaceName, interfaceType: span.interfaceType)
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
            start: start, end: end, state: kind.state, cause: kind.cause, interfaceName: kind.interfaceName,
            interfaceType: kind.interfaceType, mayHaveBegunEarlier: mayHaveBegunEarlier, ending: ending)
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
