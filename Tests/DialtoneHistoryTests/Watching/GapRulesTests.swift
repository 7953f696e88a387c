// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import DialtoneHistory

struct GapRulesTests {
    private static func tick(_ seconds: Double, isEnd: Bool = false) -> Tick {
        Tick(reading: Sample.clocks(seconds), isEnd: isEnd, interval: 10)
    }

    @Test(arguments: [
        (tick(0), Sample.clocks(300), "0 notWatching crashed"),
        (tick(0, isEnd: true), Sample.clocks(300), "0 notWatching stopped"),
        (tick(0), Sample.clocks(0), ""),
        // The host slept during all or part of the gap.
        (tick(0), Sample.clocks(300, slept: 300), "0 asleep suspended"),
        (tick(0), Sample.clocks(300, slept: 200), "0 asleep suspended, 200 notWatching crashed"),
        (tick(0), Sample.clocks(300, slept: 0.5), "0 notWatching crashed"),
        // The host rebooted 50 seconds before the end of the gap.
        (
            tick(0),
            ClockReading(wall: Sample.time(300), boottime: 50, monotonic: 50, boot: "b"),
            "0 asleep off, 250 notWatching crashed"
        ),
        (
            tick(0, isEnd: true),
            ClockReading(wall: Sample.time(300), boottime: 0, monotonic: 0, boot: "b"), "0 asleep off"
        ),
        // The clock was wrong: the new boot seems to precede the last tick.
        (
            tick(0),
            ClockReading(wall: Sample.time(300), boottime: 400, monotonic: 400, boot: "b"), "0 notWatching crashed"
        ),
        // The clock was set back meanwhile: only the end of the run is known.
        (tick(0), Sample.clocks(300, wallIsAheadBy: -1000), "0 notWatching crashed"),
    ]) func `the gap between two runs is classified`(tick: Tick, now: ClockReading, text: String) {
        #expect(GapRules.gap(after: tick, until: now).text == text)
    }

    @Test(arguments: [
        (Sample.clocks(10), ""),
        (Sample.clocks(35), ""),
        // The process did not run.
        (Sample.clocks(36), "0 notWatching paused, 36 offline"),
        (Sample.clocks(3600, slept: 3500), "0 notWatching paused, 100 asleep suspended, 3600 offline"),
        // Awake for 10 seconds after the last tick, then asleep.
        (Sample.clocks(610, slept: 600), "10 asleep suspended, 610 offline"),
        (Sample.clocks(10.5, slept: 0.5), ""),
    ]) func `pauses and sleeps are detected while watching`(now: ClockReading, text: String) {
        let changes = GapRules.changes(
            since: Sample.clocks(0), now: now, current: Sample.transition(-100, .offline), interval: 10)
        #expect(changes.text == text)
    }

    @Test(
        arguments: [
            (nil, "0 notWatching crashed, 300 notWatching noRecord"),
            (299.5, "0 notWatching crashed, 299.5 unknown started, 300 notWatching noRecord"),
            // That process did not write anything, or it is the one of the last tick.
            (200, "0 notWatching crashed, 300 notWatching noRecord"),
            (-1, "0 notWatching crashed, 300 notWatching noRecord"),
        ] as [(Double?, String)]) func `a run that has just begun has not written its tick yet`(
            locked: Double?, text: String
        )
    {
        let ending = HistoryReader.ending(
            after: Self.tick(0), at: Sample.clocks(300), locked: locked.map(Sample.time))
        #expect(ending.text == text)
    }

    @Test(arguments: [
        // Set forward: this time never passed. Set back: it is recorded a second time.
        (Sample.clocks(1010, wallIsAheadBy: 7200), "1000 notWatching clockSet, 8200 online"),
        (Sample.clocks(1010, wallIsAheadBy: -7200), "1000 notWatching clockSet, -6200 online"),
        (Sample.clocks(1010, wallIsAheadBy: 1.5), ""),
        (
            Sample.clocks(1610, slept: 600, wallIsAheadBy: 100),
            "1000 notWatching clockSet, 1100 online, 1110 asleep suspended, 1710 online"
        ),
    ]) func `a clock that was set counts as set right after the tick before`(now: ClockReading, text: String) {
        var log = WatchLog(at: Sample.clocks(0), interval: 10)
        _ = log.record(Sample.transition(1, .online), at: Sample.clocks(1))
        for second in 1...100 { _ = log.observe(Sample.clocks(Double(second) * 10)) }
        #expect(log.observe(now).text == text)
    }

    @Test func `a run counts as alive until its tick is long overdue`() {
        #expect(Self.tick(0).isAlive(at: Sample.clocks(30)))
        #expect(!Self.tick(0).isAlive(at: Sample.clocks(60)))
        #expect(Self.tick(0).isAlive(at: Sample.clocks(60, slept: 50)), "a sleeping host gives no sign of life")
        #expect(!Self.tick(0, isEnd: true).isAlive(at: Sample.clocks(1)))
        #expect(!Self.tick(0).isAlive(at: Sample.clocks(1, boot: "b")))
    }

    @Test func `a tick is recorded only after a pause or a sleep`() {
        var log = WatchLog(at: Sample.clocks(0), interval: 10)
        #expect([log.current].text == "0 unknown started")
        #expect(log.record(Sample.transition(1, .online, nil, "eth0"), at: Sample.clocks(1)).text == "1 online")
        #expect(log.record(Sample.transition(3, .online, nil, "wlan0"), at: Sample.clocks(3)).text == "3 online")
        #expect(log.observe(Sample.clocks(4)).isEmpty)
        #expect(log.tick().reading == Sample.clocks(4))
        // The first transition after a sleep ends the sleep, and is recorded itself.
        let woken = log.record(Sample.transition(104, .offline), at: Sample.clocks(104, slept: 99))
        #expect(woken.text == "5 asleep suspended, 104 online, 104 offline")
        // A fault that is found later counts from the beginning, but not across a sleep.
        var failed = Sample.transition(110, .noInternet)
        failed.number = 5
        for (second, slept) in [(110.0, 99.0), (112, 99), (150, 130)] {
            _ = log.record(failed, at: Sample.clocks(second, slept: slept))
            #expect(log.current.time == Sample.time(second == 150 ? 150 : 110))
            failed.record.fault = .provider
        }
        log = WatchLog(at: Sample.clocks(60), interval: 10)
        let gap = GapRules.gap(after: Self.tick(0), until: Sample.clocks(60))
        #expect((gap + [log.current]).text == "0 notWatching crashed, 60 unknown started")
    }

    @Test func `a transition that is dated before the last record begins now, with no known margin`() throws {
        var log = WatchLog(at: Sample.clocks(100), interval: 10)
        let early = HistoryTransition(
            time: Sample.time(90), earliest: Sample.time(80), state: .offline, cause: .init(rawValue: "noCarrier"),
            number: 2)
        let record = try #require(log.record(early, at: Sample.clocks(105)).last)
        #expect(record.time == Sample.time(105) && record.earliest == nil)
        #expect(record.state == .offline && record.number == 2)
        // One that is dated after it keeps both.
        let late = HistoryTransition(
            time: Sample.time(107), earliest: Sample.time(106), state: .online, number: 3)
        #expect(log.record(late, at: Sample.clocks(108)) == [late])
    }
}
