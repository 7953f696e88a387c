// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// `withConnectivity` on a simulated network and virtual time.
///
/// The room has its own clock: only work sleeps on it, never the monitor.
@Suite(.timeLimit(.minutes(5)))
struct WithConnectivityTests {
    let clock = TestClock()
    let monitorClock = TestClock()
    let network: SimulatedNetwork
    let monitor: ConnectivityMonitor
    let room: WaitingRoom
    let reasons = Recorder<WaitingPolicy.Obstacle>()

    init() async throws {
        network = SimulatedNetwork(.wifi, clock: monitorClock)
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.polling = .never
        monitor = try ConnectivityMonitor(simulating: network, configuration)
        room = try WaitingRoom(monitor, time: clock.timeSource, random: { 0.5 })
        monitor.start()
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        // After this, the room also knows the state of the network.
        try await withConnectivity(WaitingPolicy(.verified), in: room) {}
        try await withConnectivity(in: room) {}
    }

    /// An operation in its own task, which records the reasons why it waits.
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

    @Test func `a loss of this machine's path is an obstacle before the monitor knows it, and that of no other source`()
        async throws
    {
        // The logic tier runs without a network; elsewhere there may be one.
        let path = NetworkPath.read()
        try #require(path.status != .satisfied || !Tier.isLogic)
        let monitor = monitor
        let own = WaitingRoom(
            .init(), time: clock.timeSource, random: { 0.5 }, passive: { monitor }, verified: { monitor },
            onDemand: { monitor })
        try await withConnectivity(in: own) {}
        let wait = ConnectivityWait(WaitingPolicy(), own)
        #expect(wait.obstacle == nil)
        #expect(wait.unannouncedObstacle == (path.status == .satisfied ? nil : .offline(path.diagnosis)))
        #expect(ConnectivityWait(WaitingPolicy(), room).unannouncedObstacle == nil)
    }

    @Test func `with a network the operation starts at once`() async throws {
        #expect(try await start().value == "done")
        #expect(reasons.values.isEmpty)
    }

    @Test func `without a network it waits, reports that once, and starts when it is back`() async throws {
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

    @Test func `work whose host turns out to need no path waits only once in the room`() async throws {
        await network.become(.offline, seenBy: monitor)
        var wait = ConnectivityWait(WaitRequirement(), room, contact: nil) { _ in true }
        let place = try await wait.pass { _ in .keepWaiting }
        #expect(room.waitingCount == 0)
        room.leave(place)
    }

    @Test func `verified waits for the Internet, also behind a captive portal`() async throws {
        try await joinPortal()
        let work = start(WaitingPolicy(.verified))
        #expect(try await reasons.next() == .captivePortal)
        network.internet = .online
        monitor.requestCheck()
        try await advance(until: work)
        #expect(try await work.value == "done")
        #expect(reasons.values.count == 1)
    }

    @Test func `a path is enough for a policy that requires no more`() async throws {
        try await joinPortal()
        #expect(try await start().value == "done")
    }

    @Test func `an operation waits while the path is forbidden`() async throws {
        await network.become(.cellular, seenBy: monitor)
        let work = start(WaitingPolicy(interfaces: InterfacePolicy(allowsExpensive: false)))
        #expect(try await reasons.next() == .notAllowed(.expensive))
        await network.become(.wifi, seenBy: monitor)
        try await advance(until: work)
        #expect(try await work.value == "done")
    }

    @Test func `the deadline ends the wait, and the error states the obstacle`() async throws {
        await network.become(.offline, seenBy: monitor)
        let work = start(WaitingPolicy(deadline: .seconds(30)))
        _ = try await reasons.next()
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: WaitingError.self) { try await work.value }
        #expect(error?.code == .deadlinePassed)
        #expect(error?.obstacle == .offline(SimulatedPath.offline.path.diagnosis))
        #expect(error?.attempts == 0)
        #expect(room.waitingCount == 0)
    }

    @Test func `the callback can give up the operation as stale`() async throws {
        await network.become(.offline, seenBy: monitor)
        let error = await #expect(throws: WaitingError.self) { try await start(decision: .giveUpAsStale).value }
        #expect(error?.code == .stale)
        #expect(room.waitingCount == 0)
    }

    @Test func `an operation that is cancelled while waiting ends at once and leaves nothing behind`() async throws {
        await network.become(.offline, seenBy: monitor)
        let work = start()
        _ = try await reasons.next()
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(room.waitingCount == 0)
    }

    @Test func `an operation that is cancelled before the call never runs`() async throws {
        let work = Task { [room] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await withConnectivity(in: room) { Issue.record("the work began") }
        }
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test func `an operation that is cancelled between attempts ends`() async throws {
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

    @Test func `failures are retried with growing waits, up to the number of attempts`() async throws {
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

    @Test func `the call does not wait for a retry that could not start before the deadline`() async throws {
        let count = Recorder<Void>()
        let work = start(
            WaitingPolicy(deadline: .milliseconds(900), backoff: WaitingPolicy.Backoff(first: .milliseconds(800)))
        ) {
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
    func `an operation that is not idempotent is retried only if it never reached the server`(
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

    @Test func `an error unrelated to connectivity is rethrown`() async throws {
        struct Own: Error {}
        await #expect(throws: Own.self) { try await start { throw Own() }.value }
    }

    @Test func `an operation that fails during an outage is repeated when the network is back`() async throws {
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

    /// A router whose uplink is down reports hosts as unreachable, or drops the packets; the path stays the same.
    @Test(arguments: [RequestFailure(.cannotConnect), RequestFailure(.timedOut, mayHaveReachedServer: false)])
    func `while a check finds no Internet, attempts that fail to connect do not count`(
        failure: RequestFailure
    ) async throws {
        // The verdict is recent, but older than the failures.
        monitorClock.advance(by: .seconds(10))
        network.internet = .dead
        let attempts = Mutex(0)
        let work = start(WaitingPolicy(maximumAttempts: 1)) { [network] in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt < 8 { throw failure }
            network.internet = .online
            return "done"
        }
        try await advance(until: work)
        #expect(try await work.value == "done")
        #expect(reasons.values == [.noInternet(try #require(monitor.current.reason))])
    }

    @Test(arguments: [RequestFailure(.cannotConnect), RequestFailure(.timedOut, mayHaveReachedServer: false)])
    func `if a check that began after the failure reaches the Internet, the attempt counts`(
        failure: RequestFailure
    ) async throws {
        monitorClock.advance(by: .seconds(10))
        let checkCount = network.checkCount
        await #expect(throws: failure) { try await start(WaitingPolicy(maximumAttempts: 1)) { throw failure }.value }
        #expect(network.checkCount == checkCount + 1)
        #expect(reasons.values.isEmpty)
    }

    @Test func `all operations of a room share one budget for retries`() async throws {
        var configuration = WaitingRoom.Configuration()
        configuration.retryBudget = 3
        configuration.retryRefillInterval = .seconds(3600)
        let room = try WaitingRoom(monitor, configuration: configuration, time: clock.timeSource, random: { 0 })
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

    @Test func `a thousand operations wait on one monitor, all complete, and few run at once`() async throws {
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
        #expect(load.most <= WaitingRoom.Configuration().concurrencyLimit)
        #expect(reasons.values.count == 1000)
        #expect(room.waitingCount == 0)
    }

    /// Forty operations that never end, such as event streams, start after an outage.
    @Test(arguments: [true, false])
    func `forty endless operations all start after an outage`(marksStart: Bool) async throws {
        await network.become(.offline, seenBy: monitor)
        let started = Recorder<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { [room, reasons] in
                    try await withConnectivity(in: room) { reason in
                        reasons.record(reason)
                        return .keepWaiting
                    } operation: {
                        started.record(number)
                        if marksStart { WaitingRoom.markStarted() }
                        try await waitForCancellation()
                    }
                }
            }
            for _ in 0..<40 { _ = try await reasons.next() }
            await network.become(.wifi, seenBy: monitor)
            try await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            for _ in 0..<32 { _ = try await started.next() }
            if !marksStart {
                try await clock.sleepers(atLeast: 1)
                #expect(started.values.count == 32)
                clock.advance(by: .seconds(3))
            }
            for _ in 32..<40 { _ = try await started.next() }
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
        #expect(Set(started.values).count == 40)
        #expect(room.waitingCount == 0)
    }

    @Test func `a higher limit applies to work that is already waiting`() async throws {
        let room = try WaitingRoom(
            monitor, configuration: .init(concurrencyLimit: 1), time: clock.timeSource, random: { 0.5 })
        await network.become(.offline, seenBy: monitor)
        let started = Recorder<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { [reasons] in
                    try await withConnectivity(in: room) { reason in
                        reasons.record(reason)
                        return .keepWaiting
                    } operation: {
                        started.record(number)
                        try await waitForCancellation()
                    }
                }
            }
            for _ in 0..<3 { _ = try await reasons.next() }
            await network.become(.wifi, seenBy: monitor)
            try await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            _ = try await started.next()
            #expect(started.values.count == 1)
            #expect(throws: InvalidConfiguration.self) { try room.configure(.init(concurrencyLimit: 0)) }
            try room.configure(.init(concurrencyLimit: 3))
            for _ in 1..<3 { _ = try await started.next() }
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
    }

    @Test func `work inside released work needs no place`() async throws {
        var configuration = WaitingRoom.Configuration()
        configuration.concurrencyLimit = 1
        let room = try WaitingRoom(monitor, configuration: configuration, time: clock.timeSource, random: { 0.5 })
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

    /// Joins another network, which requires a login.
    private func joinPortal() async throws {
        network.internet = .captivePortal(try #require(URL(string: "http://portal.test/")))
        await network.become(.wired, seenBy: monitor)
        monitorClock.advance(by: .seconds(1))
        for await connectivity in monitor.updates() where connectivity.state == .captivePortal { break }
    }

    /// Advances the clock whenever the operation waits for it, until the operation has ended.
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

/// Counts how many operations run at once.
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
