// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import OpenSystemConfiguration

/// A resolver that answers when it is opened.
private final class Gate: Sendable {
    let asked = Recorder<String>()
    private let opening = DispatchSemaphore(value: 0)

    func lookup(_ name: RawHostName) -> NameAnswer {
        asked.record(name.text)
        if name.text.hasPrefix("slow") { opening.wait() }
        return .notFound
    }

    func open(_ count: Int) {
        for _ in 0..<count { opening.signal() }
    }
}

struct `Resolver threads` {
    private let gate = Gate()
    private let answers = Recorder<String>()

    @Test func `each query is answered once`() async throws {
        let pool = NamespaceLookupPool(gate.lookup)
        for number in 0..<100 { pool.resolve(RawHostName("fast\(number)")) { _ in answers.record("fast\(number)") } }
        while answers.values.count < 100 { _ = try await answers.next() }
        #expect(Set(answers.values).count == 100)
        #expect(Set(gate.asked.values).count == 100)
    }

    @Test func `lookups are limited in number, however silent the server is`() async throws {
        let pool = NamespaceLookupPool(gate.lookup)
        for number in 0..<100 { pool.resolve(RawHostName("slow\(number)")) { _ in answers.record("slow\(number)") } }
        for _ in 0..<NamespaceLookupPool.mostRunning { _ = try await gate.asked.next() }
        #expect(pool.pool.running == NamespaceLookupPool.mostRunning)
        // One answer admits one query.
        gate.open(1)
        _ = try await gate.asked.next()
        #expect(gate.asked.values.count == NamespaceLookupPool.mostRunning + 1)
        gate.open(100)
        while answers.values.count < 100 { _ = try await answers.next() }
        try await eventually { pool.pool.running == 0 }
    }

    @Test func `lookups that wait for an answer about the previous network do not block the next`() async throws {
        let pool = NamespaceLookupPool(gate.lookup)
        for number in 0..<NamespaceLookupPool.mostRunning { pool.resolve(RawHostName("slow\(number)")) { _ in } }
        for _ in 0..<NamespaceLookupPool.mostRunning { _ = try await gate.asked.next() }
        pool.networkChanged()
        pool.resolve(RawHostName("fast")) { _ in answers.record("fast") }
        #expect(try await answers.next() == "fast")
        _ = try await gate.asked.next { $0 == "fast" }
        // Not forever: the total is limited too.
        let (most, atOnce) = (NamespaceLookupPool.mostThreads, NamespaceLookupPool.mostRunning)
        for era in 1..<most / atOnce {
            for number in 0..<atOnce { pool.resolve(RawHostName("slow\(era).\(number)")) { _ in } }
            for _ in 0..<atOnce { _ = try await gate.asked.next() }
            pool.networkChanged()
        }
        pool.resolve(RawHostName("fast")) { _ in answers.record("fast") }
        #expect(pool.pool.running == most)
        gate.open(1)
        #expect(try await answers.next() == "fast")
        gate.open(most)
        try await eventually { pool.pool.running == 0 }
    }

    @Test func `a name that several callers want is queried once`() async throws {
        let pool = NamespaceLookupPool(gate.lookup)
        for number in 0..<NamespaceLookupPool.mostRunning { pool.resolve(RawHostName("slow\(number)")) { _ in } }
        for _ in 0..<NamespaceLookupPool.mostRunning { _ = try await gate.asked.next() }
        for _ in 0..<50 { pool.resolve(RawHostName("wanted")) { _ in answers.record("wanted") } }
        gate.open(NamespaceLookupPool.mostRunning)
        while answers.values.count < 50 { _ = try await answers.next() }
        #expect(gate.asked.values.filter { $0 == "wanted" }.count == 1)
    }

    @Test func `lookups end with the pool, and do not call back afterwards`() async throws {
        do {
            let pool = NamespaceLookupPool(gate.lookup)
            for number in 0..<20 { pool.resolve(RawHostName("slow\(number)")) { _ in answers.record("slow") } }
            for _ in 0..<NamespaceLookupPool.mostRunning { _ = try await gate.asked.next() }
        }
        gate.open(100)
        try await eventually { answers.values.count >= NamespaceLookupPool.mostRunning }
        #expect(gate.asked.values.count == NamespaceLookupPool.mostRunning)
    }
}
