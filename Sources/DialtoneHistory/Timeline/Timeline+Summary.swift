// SPDX-License-Identifier: Apache-2.0

extension Timeline {
    /// The figures of a window.
    public struct Summary: Codable, Hashable, Sendable {
        /// The number of seconds per state; every state is present, and the values add up to the window.
        public var seconds: [HistoryState: Double]
        /// The number of outages.
        public var outages: Int
        /// The total duration of the outages in seconds.
        public var outageSeconds: Double
        /// The longest outage; the first one if several are equally long.
        public var longestOutage: Outage?

        init(spans: some Sequence<Span>, outages: [Outage]) {
            var milliseconds = Dictionary(uniqueKeysWithValues: HistoryState.allCases.map { ($0, Int64(0)) })
            for span in spans { milliseconds[span.state, default: 0] += span.milliseconds }
            seconds = milliseconds.mapValues { Double($0) / 1000 }
            (self.outages, outageSeconds) = (0, 0)
            for outage in outages { add(outage) }
        }

        mutating func add(_ outage: Outage) {
            outages += 1
            // Whole milliseconds, so that sums are exact.
            let sum = Int64((outageSeconds * 1000).rounded()) + outage.end.milliseconds - outage.start.milliseconds
            outageSeconds = Double(sum) / 1000
            if longestOutage.map({ outage.length > $0.length }) ?? true { longestOutage = outage }
        }

        /// Returns the total number of seconds in states with this standing.
        public func seconds(_ standing: HistoryState.Availability) -> Double {
            seconds.reduce(0) { $1.key.availability == standing ? $0 + $1.value : $0 }
        }

        /// The number of seconds during which the host was watched.
        public var watchedSeconds: Double { seconds(.up) + seconds(.down) + seconds(.undecided) }

        /// The fraction, from 0 to 1, of the decided time during which the Internet was reachable.
        ///
        /// Unwatched time and time with an unknown state count in neither direction. Nil if there was no decided time,
        /// or if there was a path but no check ever ran: use ``pathAvailability`` then.
        public var availability: Double? {
            let (up, down) = (seconds(.up), seconds(.down))
            let isChecked = [HistoryState.online, .limited, .captivePortal].contains { seconds[$0, default: 0] > 0 }
            guard up + down > 0, isChecked || seconds[.unverified, default: 0] == 0 else { return nil }
            return up / (up + down)
        }

        /// The fraction, from 0 to 1, of the watched time during which there was a path; nil if that was never known.
        public var pathAvailability: Double? {
            let there = seconds.reduce(0) { $1.key.hasPath ? $0 + $1.value : $0 }
            let known = watchedSeconds - seconds[.unknown, default: 0]
            return known > 0 ? min(1, there / known) : nil
        }
    }
}
