// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import SystemSupport
import TestSupport
import Testing

struct TestClockTests {
    @Test func `the clock stands still until it is advanced`() {
        let clock = TestClock()
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .seconds(3))
        #expect(start.duration(to: clock.now) == .seconds(3))
        clock.advance(by: .seconds(-9))
        #expect(start.duration(to: clock.now) == .seconds(3))
    }

    @Test func `sleepers wake in the order of their deadlines`() async throws {
        let (clock, woken) = (TestClock(), Recorder<Int>())
        for seconds in [3, 1, 2] {
            _ = clock.call(at: .init(offset: .seconds(seconds))) { woken.record(seconds) }
        }
        let sleeper = Task { try await clock.sleep(for: .seconds(4)) }
        try await clock.sleepers(atLeast: 4)
        #expect(clock.deadlines.map(\.offset) == [.seconds(1), .seconds(2), .seconds(3), .seconds(4)])
        clock.advance(by: .seconds(2))
        #expect(woken.values == [1, 2])
        clock.advance(by: .seconds(2))
        #expect(woken.values == [1, 2, 3])
        try await sleeper.value
        #expect(clock.deadlines.isEmpty)
    }

    @Test func `each sleeper is woken at its own time`() {
        let (clock, times) = (TestClock(), Recorder<Duration>())
        for seconds in 1...3 {
            _ = clock.call(at: .init(offset: .seconds(seconds))) { times.record(clock.now.offset) }
        }
        clock.advance(by: .seconds(10))
        #expect(times.values == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func `a deadline that has passed does not wait`() async throws {
        let clock = TestClock()
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: .init(offset: .seconds(1)))
    }

    @Test func `a cancelled sleeper throws`() async throws {
        let clock = TestClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.sleepers(atLeast: 1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.deadlines.isEmpty)
    }

    @Test func `a cancelled call is not made`() {
        let clock = TestClock()
        let calls = Mutex(0)
        let cancel = clock.call(at: .init(offset: .seconds(1))) { calls.withLock { $0 += 1 } }
        cancel()
        clock.advance(by: .seconds(2))
        #expect(calls.withLock { $0 } == 0)
    }

    @Test(.real) func `waiting for sleepers that never come reports the actual sleepers`() async throws {
        let clock = TestClock()
        let cancel = clock.call(at: .init(offset: .seconds(7))) {}
        let error = await #expect(throws: TestClockTimeout.self) {
            try await clock.sleepers(atLeast: 2, timeout: .milliseconds(10))
        }
        #expect(error?.description == "wanted 2 to wait, but there were 1: 7.0 seconds")
        cancel()
    }

    @Test func `a machine that sleeps wakes its sleepers late`() {
        let (clock, times) = (TestClock(), Recorder<Duration>())
        _ = clock.call(at: .init(offset: .seconds(1))) { times.record(clock.now.offset) }
        let before = clock.timeSource.moment
        clock.sleepMachine(for: .seconds(100))
        let after = clock.timeSource.moment
        #expect(times.values == [.seconds(100)])
        #expect(after.boottime - before.boottime == .seconds(100))
        #expect(after.monotonic == before.monotonic)
        #expect(after.realtime.timeIntervalSince(before.realtime) == 100)
        clock.setWallClock(forward: .seconds(-50))
        #expect(clock.date.timeIntervalSince(before.realtime) == 50)
    }

    @Test(.real) func `the system time moves on and calls back`() async throws {
        let time = TimeSource.system
        let (before, calls) = (time.moment, Recorder<Bool>())
        let cancelled = time.call(at: before.boottime + .seconds(1)) { calls.record(false) }
        cancelled()
        _ = time.call(at: before.boottime + .milliseconds(1010)) { calls.record(true) }
        #expect(try await calls.next())
        let after = time.moment
        #expect(after.boottime - before.boottime >= .milliseconds(1010))
        #expect(after.monotonic - before.monotonic >= .milliseconds(1009))
    }
}
