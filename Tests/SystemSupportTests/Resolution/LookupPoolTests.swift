// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import TestSupport
import Testing

struct LookupPoolTests {
    /// All calls hang: after the patience for the first, the pool starts another one.
    @Test func `the calls that wait for a place have one alarm together`() async throws {
        let now = Mutex(Duration.zero)
        let alarms = Recorder<@Sendable () -> Void>()
        let time = TimeSource {
            let elapsed = now.withLock(\.self)
            return TimeSource.Moment(boottime: elapsed, monotonic: elapsed, realtime: .sample)
        } schedule: { _, body in
            alarms.record(body)
            return {}
        }
        let started = Recorder<@Sendable () -> Void>()
        let pool = LookupPool(
            LookupQueue<Int, Int>(hopefulCalls: 1, calls: 100, patience: .seconds(5), sharing: .zero),
            withoutThread: -1, time: time, start: { work, _ in started.record(work) }, lookUp: { $0 })
        for number in 0..<20 { pool.resolve(number) { _ in } }
        _ = try await started.next()
        for round in 1...3 {
            let alarm = try await alarms.next()
            now.withLock { $0 += .seconds(5) }
            alarm()
            _ = try await started.next()
            #expect(pool.running == round + 1)
        }
        _ = try await alarms.next()
        #expect(alarms.values.count == 4)
    }

    /// More than a stack holds: each refused lookup starts the next one.
    @Test func `thirty thousand lookups end when no thread can be started`() async throws {
        let refusals = Recorder<@Sendable () -> Void>()
        let isRefusing = Mutex(false)
        let pool = LookupPool(
            LookupQueue<Int, Int>(hopefulCalls: 1, calls: 1, patience: .seconds(5), sharing: .zero), withoutThread: -1,
            start: { _, refused in if isRefusing.withLock(\.self) { refused() } else { refusals.record(refused) } },
            lookUp: { $0 })
        let count = 30_000
        let (answers, waiter) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<count { pool.resolve(number) { waiter.yield($0) } }
        let first = try await refusals.next()
        isRefusing.withLock { $0 = true }
        first()
        #expect(await answers.prefix(count).allSatisfy { $0 == -1 })
        #expect(pool.running == 0)
    }
}
