// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneHistory

/// A host that boots with a clock that is wrong by years.
struct WrongClockTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))
    private static let day: Double = 86_400
    private static let years: Double = 6 * 365 * 86_400

    init() throws { directory = try TemporaryDirectory() }

    private func open(at reading: ClockReading, _ days: Double = 400) async -> HistoryStore {
        clocks.set(reading)
        var configuration = clocks.configuration(tickInterval: 7 * Self.day)
        configuration.retention.transitions = days * Self.day
        return await HistoryStore.open(at: directory.url, configuration: configuration)
    }

    /// Records a week with an outage on its second day.
    private func recordWeek() async {
        let store = await open(at: Sample.clocks(0))
        store.record(Sample.transition(1, .online))
        store.record(Sample.transition(Self.day, .offline))
        store.record(Sample.transition(Self.day + 60, .online))
        clocks.set(Sample.clocks(7 * Self.day))
        await store.close()
    }

    /// The clocks of a host that booted `seconds` after the week.
    private func later(_ seconds: Double, ahead: Double = 0) -> ClockReading {
        ClockReading(
            wall: Sample.time(7 * Self.day + seconds + ahead), boottime: seconds, monotonic: seconds, boot: "b")
    }

    private func outages(_ start: Double, _ end: Double) async throws -> [Double] {
        let reading = later(7200)
        return try await HistoryReader(directory.url) { reading }
            .timeline(from: Sample.time(start), to: Sample.time(end)).outages.map(\.length)
    }

    private func checkWeek() async throws {
        #expect(try await outages(0, 7 * Self.day) == [60])
        #expect(try await outages(Self.day - 100, Self.day + 100) == [60])
        #expect(try await outages(Self.day + 30, Self.day + 40) == [10])
        #expect(try await outages(-Self.years - Self.day, 8 * Self.day) == [60])
        #expect(try await outages(2 * Self.day, 8 * Self.day).isEmpty)
    }

    @Test func `a clock that starts years behind and is corrected hides and deletes nothing`() async throws {
        await recordWeek()
        let store = await open(at: later(10, ahead: -Self.years))
        store.record(HistoryTransition(time: later(11, ahead: -Self.years).wall, state: .online))
        await store.flush()
        clocks.set(later(3700))
        store.tick()
        await store.flush()
        let start = Sample.time(0)
        let end = Sample.time(7 * Self.day + 3600)
        let timeline = try await store.timeline(from: start, to: end)
        #expect(timeline.outages.map(\.length) == [60])
        await store.close()
        try await checkWeek()
        // The next run applies retention with a correct clock.
        await open(at: later(7200)).close()
        try await checkWeek()
    }

    @Test func `a corrected time is stored, read by another process, and one event`() async throws {
        await recordWeek()
        let store = await open(at: later(10, ahead: -Self.years))
        store.beginDelivery {}
        for (second, state) in [(11.0, HistoryState.noInternet), (31, .online)] {
            clocks.set(later(second, ahead: -Self.years))
            store.record(HistoryTransition(time: later(second, ahead: -Self.years).wall, state: state))
        }
        await store.flush()
        clocks.set(later(40))
        store.tick()
        let start = Sample.time(7 * Self.day)
        let waiting = try await store.timeline(from: start, to: later(40).wall)
        await store.flush()
        let written = try await store.timeline(from: start, to: later(40).wall)
        #expect(waiting == written && written.outages.map(\.start) == [later(11).wall])
        #expect(written.outages.map(\.length) == [20])
        let events = try await store.events(limit: 100)?.events.compactMap { event -> String? in
            guard case .transition(let transition) = event.content else { return nil }
            return "\(transition.state) \(transition.reason ?? "-")"
        }
        #expect(
            events?.suffix(4) == [
                "noInternet -", "online -", "notWatching time corrected by 2190 d", "online -",
            ])
        await store.close()
        #expect(try await outages(0, 7 * Self.day) == [60])
        #expect(try await outages(-Self.years - Self.day, 8 * Self.day) == [60, 20])
    }

    @Test func `a run that ends before its clock is corrected hides nothing either`() async throws {
        await recordWeek()
        let store = await open(at: later(10, ahead: -Self.years))
        store.record(HistoryTransition(time: later(11, ahead: -Self.years).wall, state: .online))
        await store.close()
        await open(at: later(3600)).close()
        try await checkWeek()
    }

    @Test func `a clock that is years ahead deletes nothing`() async throws {
        await recordWeek()
        await open(at: later(10, ahead: 12 * Self.years)).close()
        await open(at: later(3600)).close()
        #expect(try await outages(Self.day - 100, Self.day + 100) == [60])
        #expect(try await outages(0, 7 * Self.day) == [60])
    }

    @Test func `expired records are removed, even after a clock was wrong`() async throws {
        await recordWeek()
        await open(at: later(10, ahead: -Self.years)).close()
        await open(at: later(3600)).close()
        // The previous run had the correct clock again, so this run's clock is trusted.
        await open(at: later(7200), 3).close()
        #expect(try await outages(Self.day - 100, Self.day + 100).isEmpty)
        #expect(try await outages(5 * Self.day, 6 * Self.day).isEmpty)
        let reading = later(7300)
        let timeline = try await HistoryReader(directory.url) { reading }
            .timeline(from: Sample.time(5 * Self.day), to: Sample.time(6 * Self.day))
        #expect(timeline.spans.map(\.state) == [.online], "the state at the cut stays known")
    }
}
