//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import Dialtone

/// `withConnectivity` on a simulated network and virtual time.
///
/// The room has a clock of its own: whoever sleeps by it is work, and never the monitor.
struct WithConnectivityTests {
    let clock = TestClock()
    let monitorClock = TestClock()
    let network: SimulatedNetwork
    let monitor: ConnectivityMonitor
    let room: WaitingRoom
    let reasons = Recorder<WaitReason>()

    init() async throws {
        network = SimulatedNetwork(.wifi, clock: monitorClock)
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.polling = .never
        monitor = try ConnectivityMonitor(simulating: network, configuration)
        room = try WaitingRoom(monitor, time: clock.monitorTime, random: { 0.5 })
        monitor.start()
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        // From here on the room, too, knows how the network is.
        try await withConnectivity(WaitingPolicy(.verified), in: room) {}
        try await withConnectivity(in: room) {}
    }

    /// Work in a task of its own, which records why it waits.
    private func start(
        _ policy: WaitingPolicy = WaitingPolicy(), decision: WaitDecision = .keepWaiting,
        _ operation: @escaping @Sendable () async throws -> String = { "done" }
    ) -> Task<String, any Error> {
        Task { [room, reasons] in
            try await withConnectivity(policy, in: room) { reason in
                reasons.record(reason)
                return decision
            } operation: {
                try await operation()
            }
        }
    }

    @Test func `with a network it begins at once`() async throws {
        #expect(try await start().value == "done")
        #expect(reasons.values.isEmpty)
    }

    @Test func `without one it waits, tells once, and begins after the return`() async throws {
        await network.become(.offline(.allDown), seenBy: monitor)
        let work = start()
        #expect(try await reasons.next() == .offline(SimulatedPath.offline(.allDown).path.diagnosis))
        await network.become(.offline(.noCarrier), seenBy: monitor)
        await network.become(.wifi, seenBy: monitor)
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(249))
        #expect(room.waitingCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await work.value == "done")
        #expect(reasons.values.count == 1)
        #expect(room.waitingCount == 0)
    }

    @Test func `verified waits for the Internet, behind a portal too`() async throws {
        try await joinPortal()
        let work = start(WaitingPolicy(.verified))
        #expect(try await reasons.next() == .captivePortal)
        network.internet = .verified
        monitor.requestCheck()
        try await advance(until: work)
        #expect(try await work.value == "done")
        #expect(reasons.values.count == 1)
    }

    @Test func `a path is enough for those who want no more`() async throws {
        try await joinPortal()
        #expect(try await start().value == "done")
    }

    @Test func `a path that is not allowed is waited out`() async throws {
        await network.become(.cellular, seenBy: monitor)
        let work = start(WaitingPolicy(interfaces: InterfacePolicy(allowsExpensive: false)))
        #expect(try await reasons.next() == .notAllowed(.expensive))
        await network.become(.wifi, seenBy: monitor)
        try await advance(until: work)
        #expect(try await work.value == "done")
    }

    @Test func `the deadline ends the wait, and the error says what was missing`() async throws {
        await network.become(.offline, seenBy: monitor)
        let work = start(WaitingPolicy(deadline: .seconds(30)))
        _ = try await reasons.next()
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: WaitingError.self) { try await work.value }
        #expect(error?.code == .deadlinePassed)
        #expect(error?.reason == .offline(SimulatedPath.offline.path.diagnosis))
        #expect(error?.attempts == 0)
        #expect(room.waitingCount == 0)
    }

    @Test func `the callback can give it up as stale`() async throws {
        await network.become(.offline, seenBy: monitor)
        let error = await #expect(throws: WaitingError.self) { try await start(decision: .giveUpAsStale).value }
        #expect(error?.code == .stale)
        #expect(room.waitingCount == 0)
    }

    @Test func `cancelled while waiting, it ends at once and leaves no trace`() async throws {
        await network.become(.offline, seenBy: monitor)
        let work = start()
        _ = try await reasons.next()
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(room.waitingCount == 0)
    }

    @Test func `cancelled before, it does nothing`() async throws {
        let work = Task { [room] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await withConnectivity(in: room) { Issue.record("the work began") }
        }
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test func `cancelled between attempts, it ends`() async throws {
        let began = Recorder<Void>()
        let work = start(WaitingPolicy(isIdempotent: true)) {
            began.record(())
            throw RequestFailure(.timedOut)
        }
        _ = try await began.next()
        try await clock.sleepers(atLeast: 1)
        work.cancel()
        await #expect(throws: (any Error).self) { try await work.value }
        #expect(began.values.count == 1)
        #expect(room.waitingCount == 0)
    }

    @Test func `failures are retried with growing waits, up to the attempts`() async throws {
        let times = Recorder<Duration>()
        let work = start(WaitingPolicy(maximumAttempts: 4)) { [clock] in
            times.record(clock.now.offset)
            throw RequestFailure(.cannotConnect)
        }
        try await advance(until: work)
        await #expect(throws: RequestFailure(.cannotConnect)) { try await work.value }
        // Half of 0.5, 1 and 2 s.
        #expect(times.values == [0, 250, 750, 1750].map { Duration.milliseconds($0) })
        #expect(reasons.values.isEmpty)
    }

    @Test func `a retry that could not begin before the deadline is not waited for`() async throws {
        let count = Recorder<Void>()
        let work = start(WaitingPolicy(deadline: .milliseconds(900), backoff: Backoff(first: .milliseconds(800)))) {
            count.record(())
            throw RequestFailure(.nameNotFound)
        }
        try await advance(until: work)
        await #expect(throws: RequestFailure(.nameNotFound)) { try await work.value }
        #expect(count.values.count == 2)
    }

    @Test(arguments: [
        (RequestFailure(.connectionLost), false, 1), (RequestFailure(.connectionLost), true, 3),
        (RequestFailure(.cannotConnect), false, 3), (RequestFailure(.timedOut), false, 1),
        (RequestFailure(.unknown), true, 1), (RequestFailure(.invalidRequest), true, 1),
        (RequestFailure(.tlsFailure), true, 1),
    ])
    func `work that is not idempotent is repeated only if it never arrived`(
        failure: RequestFailure, isIdempotent: Bool, attempts: Int
    ) async throws {
        let count = Recorder<Void>()
        let work = start(WaitingPolicy(maximumAttempts: 3, isIdempotent: isIdempotent)) {
            count.record(())
            throw failure
        }
        try await advance(until: work)
        await #expect(throws: failure) { try await work.value }
        #expect(count.values.count == attempts)
    }

    @Test func `an error that is about something else is passed on`() async throws {
        struct Own: Error {}
        await #expect(throws: Own.self) { try await start { throw Own() }.value }
    }

    @Test func `work that fails while the network is away is done again when it is back`() async throws {
        let attempts = Mutex(0)
        let work = start { [network] in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            guard attempt == 1 else { return "done" }
            await network.become(.offline, seenBy: monitor)
            throw RequestFailure(.cannotConnect)
        }
        _ = try await reasons.next()
        await network.become(.wifi, seenBy: monitor)
        try await advance(until: work)
        #expect(try await work.value == "done")
        #expect(attempts.withLock { $0 } == 2)
        #expect(reasons.values.count == 1)
    }

    @Test func `all work of a room has one budget for retries`() async throws {
        var configuration = WaitingRoom.Configuration()
        configuration.retryBudget = 3
        configuration.retryRefillInterval = .seconds(3600)
        let room = try WaitingRoom(monitor, configuration: configuration, time: clock.monitorTime, random: { 0 })
        let attempts = Mutex(0)
        for _ in 0..<5 {
            await #expect(throws: RequestFailure(.cannotConnect)) {
                try await withConnectivity(WaitingPolicy(maximumAttempts: 3), in: room) {
                    attempts.withLock { $0 += 1 }
                    throw RequestFailure(.cannotConnect)
                }
            }
        }
        #expect(attempts.withLock { $0 } == 5 + 3)
    }

    @Test func `a thousand wait on one monitor, all complete, and few run at once`() async throws {
        await network.become(.offline, seenBy: monitor)
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask { [room, reasons] in
                    try await withConnectivity(in: room) { reason in
                        reasons.record(reason)
                        return .keepWaiting
                    } operation: {
                        load.begin()
                        await Task.yield()
                        load.end()
                    }
                }
            }
            for _ in 0..<1000 { _ = try await reasons.next() }
            #expect(room.waitingCount == 1000)
            await network.become(.wifi, seenBy: monitor)
            try await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            try await group.waitForAll()
        }
        #expect(load.most <= room.configuration.concurrencyLimit)
        #expect(reasons.values.count == 1000)
        #expect(room.waitingCount == 0)
    }

    @Test func `work within work that was let go waits for no place of its own`() async throws {
        var configuration = WaitingRoom.Configuration()
        configuration.concurrencyLimit = 1
        let room = try WaitingRoom(monitor, configuration: configuration, time: clock.monitorTime, random: { 0.5 })
        try await withConnectivity(in: room) {}
        await network.become(.offline, seenBy: monitor)
        let attempts = Mutex(0)
        let work = Task { [reasons] in
            try await withConnectivity(in: room) { reason in
                reasons.record(reason)
                return .keepWaiting
            } operation: {
                try await withConnectivity(in: room) {
                    let isFirst = attempts.withLock { attempts in
                        attempts += 1
                        return attempts == 1
                    }
                    if isFirst { throw RequestFailure(.cannotConnect) }
                    return "done"
                }
            }
        }
        _ = try await reasons.next()
        await network.become(.wifi, seenBy: monitor)
        try await advance(until: work)
        #expect(try await work.value == "done")
        #expect(attempts.withLock { $0 } == 2)
        #expect(room.waitingCount == 0)
    }

    /// Goes to another network, which wants a login.
    private func joinPortal() async throws {
        network.internet = .captivePortal(try #require(URL(string: "http://portal.test/")))
        await network.become(.wired, seenBy: monitor)
        monitorClock.advance(by: .seconds(1))
        for await connectivity in monitor.updates() where connectivity.state == .captivePortal { break }
    }

    /// Moves the clock whenever the work waits for it, until the work is over.
    private func advance(until work: Task<String, any Error>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await work.result }
            group.addTask { [clock] in
                while true {
                    try await clock.sleepers(atLeast: 1)
                    if let next = clock.deadlines.first { clock.advance(to: next) }
                    await Task.yield()
                }
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch {
                work.cancel()
                throw error
            }
        }
    }
}

/// Counts how much runs at once.
final class Load: Sendable {
    private let counts = Mutex((running: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock { counts in
            counts.running += 1
            counts.most = max(counts.most, counts.running)
        }
    }

    func end() { counts.withLock { $0.running -= 1 } }
}
