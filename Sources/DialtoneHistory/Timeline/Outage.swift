// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// A period without the Internet while the host was watched.
///
/// It lasts from the first moment without the Internet to the last. Up to ``longestDoubt`` of unknown state between two
/// such moments belongs to it; unwatched time never does.
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
    /// The worst state during the outage.
    public var state: HistoryState
    /// The cause of the worst state when it first occurred.
    public var cause: HistoryCause?
    /// The interface at that time.
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
        var open: Outage?
        var doubt: Int64 = 0
        var wasWatched = false

        func close(_ ending: Ending) {
            guard var outage = open else { return }
            outage.ending = doubt > 0 && ending != .recovered ? .undecided : ending
            body(outage)
            open = nil
        }

        for span in spans {
            switch span.state.availability {
            case .down:
                if Double(doubt) / 1000 > longestDoubt { close(.undecided) }
                open = open?.continued(by: span) ?? Outage(span, mayHaveBegunEarlier: !wasWatched)
                doubt = 0
            case .undecided: doubt += span.milliseconds
            case .up: close(.recovered)
            case .unwatched: close(.unwatched)
            }
            if span.state.availability != .undecided { wasWatched = span.state.isWatched }
            if open == nil { doubt = 0 }
        }
        close(.windowEnd)
    }

    private init(_ span: Timeline.Span, mayHaveBegunEarlier: Bool) {
        self.init(
            start: span.start, end: span.end, state: span.state, cause: span.cause, interfaceName: span.interfaceName,
            interfaceType: span.interfaceType, mayHaveBegunEarlier: mayHaveBegunEarlier)
    }

    private func continued(by span: Timeline.Span) -> Outage {
        var outage = span.state.severity < state.severity ? Outage(span, mayHaveBegunEarlier: false) : self
        outage.start = start
        outage.end = span.end
        outage.mayHaveBegunEarlier = mayHaveBegunEarlier
        return outage
    }
}
