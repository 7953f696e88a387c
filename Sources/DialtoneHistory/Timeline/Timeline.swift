// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// The states during a window of time: spans without gaps or overlaps, from its start to its end.
package struct Timeline: Hashable, Sendable {
    /// The start of the window, to the millisecond.
    package var start: Date
    /// The end of the window, to the millisecond.
    package var end: Date
    /// The spans in order; empty if the window is empty.
    package var spans: [Span]
    /// The outages in order.
    ///
    /// Thinning does not change them.
    package var outages: [Outage]
    /// The figures of the window.
    ///
    /// Thinning does not change them.
    package var summary: Summary
    /// The times in which nothing beyond the router answered the heartbeat, in order; an outage's are its counts.
    package var silences: [Silence] = []
    /// The drops in order: those of the silences that no outage meets, and that neither loss nor the router explains.
    package var drops: [Silence] = []

    /// A period with one state.
    package struct Span: Hashable, Sendable, StateRecordProtocol {
        package var start: Date
        /// When the state began, at the earliest; nil if that is not known, and if it began before the window.
        package var earliestStart: Date?
        /// The end of the span, which is the start of the next one.
        package var end: Date
        /// The state; if several spans were merged, the worst of them.
        package var record: StateRecord
        /// The number of spans merged into this one; 1 without thinning.
        package var merged = 1

        /// The duration in seconds.
        package var length: Double { Double(milliseconds) / 1000 }

        var milliseconds: Int64 { end.milliseconds - start.milliseconds }
    }
}

extension Timeline {
    /// The packets of each hop during an outage; empty if the heartbeat did not count them.
    package func counts(during outage: Outage) -> [HopCount] {
        let all = silences.filter { $0.meets(outage) }.flatMap(\.counts)
        return HeartbeatHop.allCases.compactMap { hop in
            let counts = all.filter { $0.hop == hop }
            guard !counts.isEmpty else { return nil }
            return HopCount(
                hop, sent: counts.reduce(0) { $0 + $1.sent }, answered: counts.reduce(0) { $0 + $1.answered })
        }
    }
}

extension Timeline {
    package struct Summary: Hashable, Sendable {
        /// The number of seconds per state; every state is present, and the values add up to the window.
        package var seconds: [HistoryState: Double]
        package var outages: Int
        /// The total duration of the outages in seconds.
        package var outageSeconds: Double
        /// The part of that duration in outages with a known fault, by its place.
        package var outageSecondsByFault: [ConnectivityFault: Double] = [:]
        /// The number of seconds by which `outageSeconds` may differ from the truth, as far as the margins of the outages are
        /// known.
        package var outageMargin: Double = 0
        /// The number of drops: they are no outages, and no time without the Internet.
        package var drops = 0
        /// The total duration of the drops in seconds.
        package var dropSeconds = 0.0
        /// The longest outage; the first one if several are equally long.
        package var longestOutage: Outage?

        /// The figures of no time.
        init() {
            seconds = Dictionary(uniqueKeysWithValues: HistoryState.allCases.map { ($0, 0) })
            outages = 0
            outageSeconds = 0
        }

        mutating func add(_ span: Span) {
            Self.add(span.milliseconds, to: &seconds[span.record.state, default: 0])
        }

        mutating func add(_ outage: Outage) {
            outages += 1
            Self.add(outage.milliseconds, to: &outageSeconds)
            outageMargin += outage.margin
            if let fault = outage.record.fault {
                Self.add(outage.milliseconds, to: &outageSecondsByFault[fault, default: 0])
            }
            if longestOutage.map({ outage.length > $0.length }) ?? true { longestOutage = outage }
        }

        mutating func add(drop: Silence) {
            drops += 1
            Self.add(drop.end.milliseconds - drop.start.milliseconds, to: &dropSeconds)
        }

        /// Adds whole milliseconds, so that the sum is exact.
        private static func add(_ milliseconds: Int64, to seconds: inout Double) {
            seconds = Double(Int64((seconds * 1000).rounded()) + milliseconds) / 1000
        }

        /// Returns the total number of seconds in states with this standing.
        package func seconds(_ standing: HistoryState.Availability) -> Double {
            seconds.reduce(0) { $1.key.availability == standing ? $0 + $1.value : $0 }
        }

        /// The number of seconds during which the host was watched.
        package var watchedSeconds: Double { seconds(.up) + seconds(.down) + seconds(.undecided) }

        /// Whether 5 minutes, or all of a shorter window, were watched: after less, a percentage would mean little.
        package var isWatchedEnough: Bool { watchedSeconds >= min(300, seconds.values.reduce(0, +)) }

        /// The fraction, from 0 to 1, of the decided time during which the Internet was reachable.
        ///
        /// Unwatched time and time with an unknown state count in neither direction. Nil if there was no decided time,
        /// or if there was a path but no check ever ran: use ``pathAvailability`` then.
        package var availability: Double? {
            let up = seconds(.up)
            let down = seconds(.down)
            let isChecked = [HistoryState.online, .noInternet, .limited, .captivePortal].contains {
                seconds[$0, default: 0] > 0
            }
            guard up + down > 0, isChecked || seconds[.unverified, default: 0] == 0 else { return nil }
            return up / (up + down)
        }

        /// The fraction by which `availability` may differ from the truth, as far as that is known; nil without availability.
        package var availabilityMargin: Double? {
            availability == nil ? nil : min(1, outageMargin / (seconds(.up) + seconds(.down)))
        }

        /// The fraction, from 0 to 1, of the watched time during which there was a path; nil if that was never known.
        package var pathAvailability: Double? {
            let there = seconds.reduce(0) { $1.key.hasPath ? $0 + $1.value : $0 }
            let known = watchedSeconds - seconds[.unknown, default: 0]
            return known > 0 ? min(1, there / known) : nil
        }
    }
}

extension Timeline {
    /// Reduces a sequence of more spans than the maximum, for drawing.
    ///
    /// Long spans are left unchanged. Adjacent spans that are too short to be visible are merged into one, which shows
    /// the worst of them: an outage is never hidden, though a short one may look longer than it was.
    ///
    /// - Parameter maximum: the maximum number of spans; at least 1.
    static func thinned(_ spans: some Sequence<Span>, from start: Int64, to end: Int64, maximum: Int) -> [Span] {
        let maximum = max(1, maximum)
        // There can be this number of spans of that width, plus a group of shorter ones before, between and after them.
        let groups = (maximum - 1) / 2
        let width = groups == 0 ? Int64.max : (end - start) / Int64(groups) + 1
        var drawn: [Span] = []
        var group: Span?
        for span in spans {
            if span.milliseconds >= width {
                if let short = group { drawn.append(short) }
                drawn.append(span)
                group = nil
                continue
            }
            let merged = group?.merged(with: span) ?? span
            if merged.milliseconds >= width {
                drawn.append(merged)
                group = nil
            } else {
                group = merged
            }
        }
        if let group { drawn.append(group) }
        return drawn
    }
}

extension Timeline.Span {
    /// Merges two adjacent spans into one that shows the worse state.
    fileprivate func merged(with next: Timeline.Span) -> Timeline.Span {
        var span = next.state.severity < state.severity ? next : self
        span.start = start
        span.earliestStart = earliestStart
        span.end = next.end
        span.merged = merged + next.merged
        return span
    }
}
