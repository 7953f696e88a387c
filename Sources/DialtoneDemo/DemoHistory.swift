// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// A generated history of 90 days.
///
/// What happens on a day is a pure function of the day, so that it is the same at each start.
struct DemoHistory {
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
            self.start = start
            self.seconds = seconds
            self.state = state
            self.fault = fault
            self.cause = cause.map(HistoryCause.init(rawValue:))
        }
    }

    /// Records it in a directory, as a run of 90 days would have recorded it.
    static func record(in directory: URL, at now: ClockReading = ClockReading.now()) async {
        let clock = Mutex(now)
        func setClock(_ time: Date) {
            let age = now.wall.timeIntervalSince(time)
            clock.withLock { reading in
                reading = now
                reading.wall = time
                reading.boottime -= age
                reading.monotonic -= age
            }
        }
        var configuration = HistoryConfiguration()
        configuration.clock = { clock.withLock(\.self) }
        // The time between two records is no pause of the process.
        configuration.tickInterval = Double(days * day)
        let demo = DemoHistory(now: now.wall)
        setClock(now.wall - Double(days * day))
        let store = await HistoryStore.open(at: directory, configuration: configuration)
        for transition in demo.transitions {
            setClock(transition.time)
            store.record(transition)
        }
        setClock(now.wall)
        for (index, minute) in demo.minutes.enumerated() {
            store.record(minute)
            // More minutes must not wait for the disk than the store keeps.
            if index.isMultiple(of: 1000) { await store.flush() }
        }
        await store.close()
    }

    var transitions: [HistoryTransition] {
        let last = now.milliseconds / 1000
        let first = last - Self.days * Self.day
        var transitions = [transition(first, .online)]
        var free = first
        let events = (first / Self.day...last / Self.day).flatMap(Self.events).sorted { $0.start < $1.start }
        for event in events where event.start > free && event.start + event.seconds < last {
            free = event.start + event.seconds
            transitions.append(transition(event.start, event.state, event.cause, event.fault))
            transitions.append(transition(free, .online))
        }
        return transitions
    }

    /// The minutes of the heartbeat: all of the last two days, and the first of each hour before, which the history keeps as hours.
    var minutes: [HopMinute] {
        let last = now.milliseconds / 60_000 * 60
        var transitions = transitions[...]
        var current: HistoryTransition?
        let hours = stride(from: last - Self.days * Self.day, to: last - 2 * Self.day, by: 3600)
        return (Array(hours) + stride(from: last - 2 * Self.day, to: last, by: 60)).compactMap { start in
            let time = Date(timeIntervalSince1970: Double(start))
            while let next = transitions.first, next.time <= time { current = transitions.removeFirst() }
            guard let current, current.state.isWatched else { return nil }
            let isLost: [Bool] =
                switch current.fault {
                case .machine: [true, true, true]
                case .provider: [false, true, true]
                case .nameServers: [false, true, false]
                default: [false, false, false]
                }
            let latency = Self.latency(at: start)
            let hops = zip(HeartbeatHop.allCases, zip(isLost, [0.1, 0.5, 0.9])).map { hop, part in
                let answer = part.0 ? nil : Duration.seconds(latency * part.1)
                return (hop, HopStatistics(Array(repeating: answer, count: 12)))
            }
            return HopMinute(start: time, hops: Dictionary(uniqueKeysWithValues: hops))
        }
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
