// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Foundation
import NetworkSimulation
import Synchronization
import TestSupport
import Testing

@testable import DialtoneServer

struct HistorySectionCacheTests {
    private static let day = HistorySectionCache.Key(period: HistoryPeriod())

    private static func part(_ number: Int64) -> HistorySectionCache.Key {
        .init(period: HistoryPeriod(.day, part: number..<number + 60))
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    @Test(arguments: [
        (Duration.seconds(1), Duration.milliseconds(5), true, true), (.seconds(3), .milliseconds(5), true, false),
        (.milliseconds(40), .milliseconds(5), false, true), (.milliseconds(60), .milliseconds(5), false, false),
        (.seconds(4), .milliseconds(500), false, true), (.seconds(6), .milliseconds(500), false, false),
        (.seconds(4), .milliseconds(500), true, true),
    ])
    func `an expensive rendering is cached longer`(age: Duration, took: Duration, isUnchanged: Bool, isUsable: Bool) {
        #expect(HistorySectionCache.isUsable(age: age, took: took, isUnchanged: isUnchanged) == isUsable)
    }

    @Test func `a history problem is shown immediately, and so is its end`() async {
        let clock = TestClock()
        let cache = HistorySectionCache(time: clock.timeSource)
        let (well, _) = await cache.html(Self.day) { "well" }
        let (ill, _) = await cache.html(.init(period: HistoryPeriod(), isTroubled: true)) { "ill" }
        let (cached, _) = await cache.html(Self.day) { "well again" }
        #expect(well.description == "well" && ill.description == "ill" && cached.description == "well")
        clock.advance(by: .seconds(2))
        #expect(await cache.html(Self.day) { "well again" }.0.description == "well again")
    }

    @Test(.timeLimit(.minutes(5))) func `a rendering that takes too long is not waited for or cached`() async throws {
        let clock = TestClock()
        let cache = HistorySectionCache(limit: .seconds(30), time: clock.timeSource)
        let (disk, response) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<2 {
            async let rendering = cache.html(Self.day) {
                for await _ in disk {}
                return "old"
            }
            try await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(30))
            let (html, isComplete) = await rendering
            #expect(html.description.contains("could not be read in time") && !isComplete)
        }
        response.finish()
        try await eventually { await cache.html(Self.day, make: { "new" }).0.description == "new" }
    }

    @Test func `concurrent requests share one rendering, and a change causes a new one`() async throws {
        let clock = TestClock()
        let cache = HistorySectionCache(time: clock.timeSource)
        let count = Count()
        let (disk, response) = AsyncStream.makeStream(of: Void.self)
        async let hundred = withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await cache.html(Self.day) {
                        count.value.add(1, ordering: .relaxed)
                        for await _ in disk {}
                        return "<p>past</p>"
                    }.isComplete
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // Each of them has its time limit.
        try await clock.sleepers(atLeast: 100)
        response.finish()
        #expect(await hundred == 100)
        #expect(count.value.load(ordering: .relaxed) == 1)
        cache.noteChange()
        try await eventually {
            await cache.html(Self.day) {
                count.value.add(1, ordering: .relaxed)
                return "<p>news</p>"
            }.isComplete
        }
        #expect(count.value.load(ordering: .relaxed) == 2)
    }

    @Test func `the number of cached renderings is bounded, and parts of a window are kept apart`() async {
        let cache = HistorySectionCache(time: TestClock().timeSource)
        for number in 0..<100 {
            let (html, _) = await cache.html(Self.part(Int64(number))) { "\(number)" }
            #expect(html.description == "\(number)")
        }
        #expect(await cache.entries.count == 32)
    }

    @Test(.timeLimit(.minutes(5))) func `many parts do not keep a whole window from being rendered`() async throws {
        let cache = HistorySectionCache(time: TestClock().timeSource)
        let (disk, response) = AsyncStream.makeStream(of: Void.self)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let slow = Task {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<Int64(2) {
                    group.addTask {
                        _ = await cache.html(Self.part(number)) {
                            start.yield()
                            for await _ in disk {}
                            return "slow"
                        }
                    }
                }
            }
        }
        for await _ in starts.prefix(2) {}
        let (third, isComplete) = await cache.html(Self.part(3)) { "third" }
        #expect(third.description.contains("The history is busy") && !isComplete)
        #expect(await cache.html(Self.day) { "day" }.0.description == "day")
        response.finish()
        await slow.value
        #expect(await cache.html(Self.part(3)) { "third" }.0.description == "third")
    }
}
