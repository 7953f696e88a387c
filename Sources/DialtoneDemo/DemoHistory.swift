// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneServer
import SystemSupport

/// A generated history of 90 days, which the page shows while a scene is played.
///
/// It is never recorded. What happens on a day is a pure function of the day, so that every period and every reload show the same history.
struct DemoHistory: SceneHistory {
    /// The transition to the simulated state, which lasts until now.
    let current: HistoryTransition
    let now: Date

    /// The number of days before now that have a history.
    static let days: Int64 = 90
    private static let day: Int64 = 86_400

    /// An interruption of the time online.
    private struct Event {
        var start: Int64
        var seconds: Int64
        var state: HistoryState
        var cause: HistoryCause?
        var fault: ConnectivityFault?

        init(
            _ start: Int64, _ seconds: Int64, _ state: HistoryState, _ cause: String?,
            _ fault: ConnectivityFault? = nil
        ) {
            (self.start, self.seconds, self.state, self.fault) = (start, seconds, state, fault)
            self.cause = cause.map(HistoryCause.init(rawValue:))
        }
    }

    func timeline(from start: Date, to end: Date) -> TimelineOverview {
        TimelineOverview(
            from: start, to: end, transitions: transitions, columns: TimelineMarks.columns,
            maximumSpans: HistorySection.maximumSpans, maximumOutages: HistorySection.maximumOutages,
            days: DaysDrawing.bounds(from: start, to: end))
    }

    /// The checks in a period: one every 30 seconds, in at most as many summaries as the page shows.
    func checks(from start: Date, to end: Date) -> [CheckSummary] {
        let length = end.timeIntervalSince(start)
        let step = max(30, (length / Double(HistorySection.maximumChecks)).rounded(.up))
        let transitions = transitions
        var (next, state) = (0, HistoryState.notWatching)
        return (0..<Int64(HistorySection.maximumChecks)).compactMap { index in
            let time = start + Double(index) * step
            let middle = time + step / 2
            guard middle < end, middle < now else { return nil }
            while next < transitions.count, transitions[next].time <= middle {
                state = transitions[next].state
                next += 1
            }
            guard state.isWatched else { return nil }
            let count = max(1, Int(step / 30))
            guard state.availability == .up else {
                return CheckSummary(start: time, length: step, verdicts: [.noInternet: count])
            }
            let latency = Self.latency(at: Int64(middle.timeIntervalSince1970))
            let spread = count == 1 ? 0 : 0.4
            return CheckSummary(
                start: time, length: step, verdicts: [.verified: count], shortestLatency: latency * (1 - spread),
                meanLatency: latency, longestLatency: latency * (1 + 2 * spread), latencies: count)
        }
    }

    /// The loss and the round trips of the hops in a period, in as many parts as the page draws.
    func hops(from start: Date, to end: Date) -> [HopPeriod] {
        let step = max(60, end.timeIntervalSince(start) / Double(HopLines.columns))
        let transitions = transitions
        var next = 0
        var current: HistoryTransition?
        return stride(from: 0, to: min(end, now).timeIntervalSince(start) - step / 2, by: step).flatMap { offset in
            let time = start + offset
            while next < transitions.count, transitions[next].time <= time + step / 2 {
                current = transitions[next]
                next += 1
            }
            guard let state = current?.state, state.isWatched else { return [HopPeriod]() }
            let latency = Self.latency(at: Int64(time.timeIntervalSince1970))
            let isLost: [Bool] =
                switch current?.fault {
                case .machine: [true, true, true]
                case .provider: [false, true, true]
                case .nameServers: [false, true, false]
                default: [false, false, false]
                }
            return zip(HeartbeatHop.allCases, zip(isLost, [0.1, 0.5, 0.9])).map { hop, part in
                let answer = part.0 ? nil : Duration.seconds(latency * part.1)
                return HopPeriod(
                    start: time, length: step, hop: hop, statistics: HopStatistics(Array(repeating: answer, count: 12)))
            }
        }
    }

    var transitions: [HistoryTransition] {
        let last = now.milliseconds / 1000
        let first = last - Self.days * Self.day
        var transitions = [transition(first, .online)]
        var free = first
        let events = (first / Self.day...last / Self.day).flatMap(Self.events).sorted { $0.start < $1.start }
        for event in events where event.start > free && event.start < current.time.milliseconds / 1000 {
            free = event.start + event.seconds
            transitions.append(transition(event.start, event.state, event.cause, event.fault))
            transitions.append(transition(free, .online))
        }
        transitions.removeAll { $0.time >= current.time }
        return transitions + [current, HistoryTransition(time: now, state: .notWatching, cause: .noRecord)]
    }

    private func transition(
        _ seconds: Int64, _ state: HistoryState, _ cause: HistoryCause? = nil,
        _ fault: ConnectivityFault? = nil
    ) -> HistoryTransition {
        let time = Date(timeIntervalSince1970: Double(seconds))
        return HistoryTransition(
            time: time, earliest: time, state: state, cause: cause, interfaceName: "wlan0",
            interfaceType: "wifi", fault: fault)
    }

    /// The events of a day, counted from 1970.
    private static func events(_ day: Int64) -> [Event] {
        var random = DayRandom(day)
        let midnight = day * Self.day
        var events: [Event] = []
        // The router reconnects in some nights.
        if day % 4 == 1 {
            let start = midnight + 3 * 3600 + random.number(900)
            events.append(Event(start, 45 + random.number(60), .offline, "noRoute", .machine))
        }
        // Short losses of the radio's link.
        for _ in 0..<max(0, random.number(5) - 2) {
            let start = midnight + 6 * 3600 + random.number(60_000)
            events.append(Event(start, 15 + random.number(75), .offline, "noCarrier", .machine))
        }
        if day % 3 == 1 {
            events.append(
                Event(midnight + random.number(80_000), 300 + random.number(900), .limited, "dnsSilent", .nameServers))
        }
        if day % 7 == 2 {
            // Nine losses within 49 minutes.
            for drop in 0..<Int64(9) {
                events.append(Event(midnight + 68_400 + drop * 360, 40, .offline, "noAddress", .machine))
            }
        }
        if day % 7 == 5 {
            events.append(Event(midnight + 28_800 + random.number(7200), 900, .captivePortal, "captivePortal", .portal))
        }
        if day % 5 == 0 { events.append(Event(midnight + 4 * 3600, 2 * 3600, .asleep, "suspended")) }
        if day % 13 == 6 {
            events.append(
                Event(midnight + 50_000, 9000 + random.number(3600), .noInternet, "provider", .provider))
        }
        if day % 17 == 9 { events.append(Event(midnight + 40_000, 480, .notWatching, "crashed")) }
        if day % 45 == 20 { events.append(Event(midnight + 32_000, 25_000, .offline, "noCarrier", .machine)) }
        return events
    }

    /// The latency at a time in seconds: higher in the evening, and in one of every six weeks.
    private static func latency(at time: Int64) -> Double {
        var random = DayRandom(time / 30)
        let isEvening = (17..<23).contains(time % day / 3600)
        let isSlow = time / day % 42 < 7
        let base = (isEvening ? 0.034 : 0.019) + (isSlow ? 0.045 : 0)
        return base + Double(random.number(8000)) / 1e6
    }
}

/// Random numbers that depend only on a number.
private struct DayRandom {
    private var generator: SeededGenerator

    init(_ seed: Int64) { generator = SeededGenerator(seed: UInt64(bitPattern: seed) &* 0x9e37_79b9_7f4a_7c15) }

    /// A number from 0 to just below `bound`.
    mutating func number(_ bound: Int64) -> Int64 { Int64(generator.next() % UInt64(bound)) }
}
