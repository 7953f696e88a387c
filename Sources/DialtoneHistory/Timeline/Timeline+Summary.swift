//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Timeline {
    /// The figures of a window.
    public struct Summary: Codable, Hashable, Sendable {
        /// How many seconds each state lasted; every state is there, and together they are the window.
        public var seconds: [HistoryState: Double]
        /// How many outages there were.
        public var outages: Int
        /// How many seconds the outages lasted together.
        public var outageSeconds: Double
        /// The longest outage; the first of several.
        public var longestOutage: Outage?

        init(spans: [Span], outages: [Outage]) {
            var milliseconds = Dictionary(uniqueKeysWithValues: HistoryState.allCases.map { ($0, Int64(0)) })
            for span in spans { milliseconds[span.state, default: 0] += span.milliseconds }
            seconds = milliseconds.mapValues { Double($0) / 1000 }
            self.outages = outages.count
            outageSeconds =
                Double(outages.reduce(Int64(0)) { $0 + $1.end.milliseconds - $1.start.milliseconds }) / 1000
            longestOutage = outages.reduce(nil as Outage?) { longest, outage in
                guard let longest, longest.length >= outage.length else { return outage }
                return longest
            }
        }

        /// How many seconds the states of a standing lasted together.
        public func seconds(_ standing: HistoryState.Standing) -> Double {
            seconds.reduce(0) { $1.key.standing == standing ? $0 + $1.value : $0 }
        }

        /// How many seconds somebody watched.
        public var watchedSeconds: Double { seconds(.up) + seconds(.down) + seconds(.undecided) }

        /// The part, from 0 to 1, of the time with an answer in which the Internet was there.
        ///
        /// Time that was not watched, and time without an answer, count neither way. Nil where there was no answer at all,
        /// and where nothing was ever checked though there was a path: see ``pathAvailability`` then.
        public var availability: Double? {
            let (up, down) = (seconds(.up), seconds(.down))
            let isChecked = [HistoryState.online, .limited, .captivePortal].contains { seconds[$0, default: 0] > 0 }
            guard up + down > 0, isChecked || seconds[.unverified, default: 0] == 0 else { return nil }
            return up / (up + down)
        }

        /// The part, from 0 to 1, of the watched time in which there was a path; nil where that was never known.
        public var pathAvailability: Double? {
            let there = seconds.reduce(0) { $1.key.hasPath ? $0 + $1.value : $0 }
            let known = watchedSeconds - seconds[.unknown, default: 0]
            return known > 0 ? min(1, there / known) : nil
        }
    }
}
