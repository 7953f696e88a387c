//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// A time without the Internet, while somebody watched.
///
/// It reaches from the first moment without to the last. Up to ``longestDoubt`` of not knowing between two such moments
/// belong to it; time that nobody watched never does.
public struct Outage: Codable, Hashable, Sendable {
    /// What came after.
    public enum Ending: String, Codable, Hashable, Sendable {
        /// The Internet was there again.
        case recovered
        /// There was a path again; whether to the Internet is not known.
        case undecided
        /// Nobody watched any more, or the host went to sleep: it may have lasted longer.
        case unwatched
        /// The window ended; if that is now, it still lasts.
        case windowEnd
    }

    /// When it began, or the window did.
    public var start: Date
    /// When it ended, as far as is known.
    public var end: Date
    /// The worst of its states.
    public var state: HistoryState
    /// Why, the first time that its worst state came.
    public var cause: HistoryCause?
    /// The interface at that moment.
    public var interfaceName: String?
    /// Over what that carries data, as in the JSON report.
    public var interfaceType: String?
    /// Whether it may have begun earlier: it was there when the window, or the watching, began.
    public var mayHaveBegunEarlier: Bool
    /// What came after.
    public var ending: Ending

    /// So many seconds of not knowing between two failures are one outage: about as long as a check may take.
    public static let longestDoubt: Double = 30

    /// Makes an outage.
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

    /// How long it lasted, in seconds, as far as is known.
    public var length: Double { Double(end.milliseconds - start.milliseconds) / 1000 }
}

extension Outage {
    /// The outages in spans that follow each other without a gap.
    static func outages(in spans: [Timeline.Span]) -> [Outage] {
        var outages: [Outage] = []
        var open: Outage?
        var doubt: Int64 = 0
        var wasWatched = false

        func close(_ ending: Ending) {
            guard var outage = open else { return }
            outage.ending = doubt > 0 && ending != .recovered ? .undecided : ending
            outages.append(outage)
            open = nil
        }

        for span in spans {
            switch span.state.standing {
            case .down:
                if Double(doubt) / 1000 > longestDoubt { close(.undecided) }
                open = open?.continued(by: span) ?? Outage(span, mayHaveBegunEarlier: !wasWatched)
                doubt = 0
            case .undecided: doubt += span.milliseconds
            case .up: close(.recovered)
            case .unwatched: close(.unwatched)
            }
            if span.state.standing != .undecided { wasWatched = span.state.isWatched }
            if open == nil { doubt = 0 }
        }
        close(.windowEnd)
        return outages
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
