//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// What was the case in a window of time: stretches without a gap or an overlap, from its start to its end.
public struct Timeline: Codable, Hashable, Sendable {
    /// When the window starts, to the millisecond.
    public var start: Date
    /// When it ends, to the millisecond.
    public var end: Date
    /// The stretches, in order; none when the window is empty.
    public var spans: [Span]
    /// The outages, in order.
    ///
    /// Thinning leaves them as they are.
    public var outages: [Outage]
    /// The figures of the window.
    ///
    /// Thinning leaves them as they are.
    public var summary: Summary

    /// A stretch of time with one answer.
    public struct Span: Codable, Hashable, Sendable {
        /// When it starts.
        public var start: Date
        /// When it ends, and the next one starts.
        public var end: Date
        /// What was the case; of several spans drawn as one, the worst.
        public var state: HistoryState
        /// Why.
        public var cause: HistoryCause?
        /// The preferred interface.
        public var interfaceName: String?
        /// Over what that carries data, as in the JSON report.
        public var interfaceType: String?
        /// How many spans this stands for: 1, unless they were thinned.
        public var merged: Int

        /// Makes a span.
        public init(
            start: Date, end: Date, state: HistoryState, cause: HistoryCause? = nil, interfaceName: String? = nil,
            interfaceType: String? = nil, merged: Int = 1
        ) {
            self.start = start
            self.end = end
            self.state = state
            self.cause = cause
            self.interfaceName = interfaceName
            self.interfaceType = interfaceType
            self.merged = merged
        }

        /// How long it is, in seconds.
        public var length: Double { Double(milliseconds) / 1000 }

        var milliseconds: Int64 { end.milliseconds - start.milliseconds }
    }
}
