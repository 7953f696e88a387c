// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The states during a window of time: spans without gaps or overlaps, from its start to its end.
public struct Timeline: Codable, Hashable, Sendable {
    /// The start of the window, to the millisecond.
    public var start: Date
    /// The end of the window, to the millisecond.
    public var end: Date
    /// The spans in order; empty if the window is empty.
    public var spans: [Span]
    /// The outages in order.
    ///
    /// Thinning does not change them.
    public var outages: [Outage]
    /// The figures of the window.
    ///
    /// Thinning does not change them.
    public var summary: Summary

    /// A period with one state.
    public struct Span: Codable, Hashable, Sendable {
        /// The start of the span.
        public var start: Date
        /// The end of the span, which is the start of the next one.
        public var end: Date
        /// The state; if several spans were merged, the worst of them.
        public var state: HistoryState
        /// The cause of the state.
        public var cause: HistoryCause?
        /// The preferred interface.
        public var interfaceName: String?
        /// The type of the underlying interface, as in the JSON report.
        public var interfaceType: String?
        /// The number of spans merged into this one; 1 without thinning.
        public var merged: Int

        /// Creates a span; by default one that was not thinned.
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

        /// The duration in seconds.
        public var length: Double { Double(milliseconds) / 1000 }

        var milliseconds: Int64 { end.milliseconds - start.milliseconds }
    }
}
