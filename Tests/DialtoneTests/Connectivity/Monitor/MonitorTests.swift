// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
    /// A monitor of a simulated network, and a recorder of every value that it delivers.
    private struct Rig {
        let clock = TestClock()
        let network: SimulatedNetwork
        let monitor: ConnectivityMonitor
        let recorder = Recorder<Connectivity>()
        let observation: ConnectivityObservation

        init(
            _ path: SimulatedPath = .wifi, internet: InternetCheck.Report = .online,
            _ configuration: ConnectivityMonitor.Configuration = .spaced
        ) throws {
            network = SimulatedNetwork(path, internet: internet, clock: clock)
            monitor = try ConnectivityMonitor(simulating: network, configuration)
            observation = monitor.observe(on: .global()) { [recorder] in recorder.record($0) }
        }

        func next(_ state: ConnectivityState) async throws -> Connectivity {
            let value = try await recorder.next()
            #expect(value.state == state)
            return value
        }
    }

    @Test func `a day with a portal, an outage and a change of network`() async throws {
        let rig = try Rig(.offline)
        _ = try await rig.next(.offline)

        rig.network.internet = .somePortal
        rig.network.become(.wifi)
        _ = try await rig.next(.unverified)
        let portal = try await rig.next(.captivePortal)
        #expect(portal.isOnWiFiWithoutInternet)

        // The monitor notices the login at the next attempt.
        rig.network.internet = .online
        rig.clock.advance(by: .seconds(1))
        let online = try await rig.next(.online)
        #expect(online.changes == [.state, .internet])
        #expect(online.isOnlineViaWiFi)

        // The uplink fails behind the router: only the next check can notice it.
        rig.network.internet = .dead
        rig.clock.advance(by: .seconds(60))
        _ = try await rig.next(.limited)
        rig.network.internet = .online
        rig.clock.advance(by: .seconds(1))
        _ = try await rig.next(.online)

        rig.network.become(.cellular)
        let changed = try await rig.next(.unverified)
        #expect(
            changed.changes.map(\.rawValue) == ["connectivity", "internet", "interfaces", "isExpensive", "gateways"])
        _ = try await rig.next(.online)
    }

    @Test func `a sleep of the machine is noticed at once, without any other event`() async throws {
        var configuration = ConnectivityMonitor.Configuration.spaced
        configuration.polling = .never
        let rig = try Rig(.wifi, internet: .online, configuration)
        _ = try await rig.next(.online)
        // The time limit of the check ends a little later.
        try await eventually { rig.clock.deadlines.isEmpty }
        rig.network.internet = .dead
        rig.clock.sleepMachine(for: .seconds(3600))
        // The earlier verdict no longer counts; then the check answers.
        let doubtful = try await rig.next(.unverified)
        #expect(doubtful.changes == [.state, .internet])
        _ = try await rig.next(.limited)
    }

    @Test func `a wall clock that is set by hours starts a check, but keeps the verdict`() async throws {
        var configuration = ConnectivityMonitor.Configuration.spaced
        configuration.polling = .never
        let rig = try Rig(.wifi, internet: .online, configuration)
        _ = try await rig.next(.online)
        rig.clock.advance(by: .seconds(10))
        rig.network.internet = .dead
        rig.clock.setWallClock(forward: .seconds(7200))
        _ = try await rig.next(.limited)
        rig.network.internet = .online
        rig.clock.advance(by: .seconds(10))
        // Corrections of less than half a minute are ignored.
        rig.clock.setWallClock(forward: .seconds(20))
        #expect(!rig.monitor.isChecking)
        #expect(rig.monitor.current.state == .limited)
    }

    @Test func `a resting monitor does not watch the clock`() async throws {
        let (clock, watches, states) = (TestClock(), Recorder<String>(), Recorder<ConnectivityState>())
        let network = SimulatedNetwork(clock: clock)
        let time = TimeSource {
            clock.timeSource.moment
        } schedule: {
            clock.timeSource.call(at: $0, $1)
        } watch: { body in
            watches.record("begins")
            let cancel = clock.timeSource.whenClocksJump(body)
            return {
                watches.record("ends")
                cancel()
            }
        }
        let monitor = try ConnectivityMonitor(.spaced, paths: network, checker: network, identifier: nil, time: time)
        let observation = monitor.observe(on: .global()) { states.record($0.state) }
        #expect(try await states.next() == .online)
        observation.cancel()
        #expect(try await watches.next() == "begins")
        #expect(try await watches.next() == "ends")
        clock.sleepMachine(for: .seconds(3600))
        #expect(monitor.current.state == .unknown)
        #expect(states.values.count == 1 && watches.values.count == 2)
    }

    @Test func `a failed request of the app reveals an outage at once`() async throws {
        let rig = try Rig()
        _ = try await rig.next(.online)
        rig.clock.advance(by: .seconds(10))
        rig.network.internet = .dead
        rig.monitor.report(.failed)
        _ = try await rig.next(.limited)
        rig.network.internet = .online
        rig.monitor.report(.reached)
        rig.clock.advance(by: .seconds(1))
        _ = try await rig.next(.online)
    }

    @Test func `a slow check of the old network does not count for the new one`() async throws {
        let rig = try Rig(.wifi)
        _ = try await rig.next(.online)
        rig.network.holdChecks()
        rig.clock.advance(by: .seconds(60))
        rig.network.become(.offline)
        _ = try await rig.next(.offline)
        rig.network.releaseChecks()
        rig.network.internet = .somePortal
        rig.network.become(.wifi("Hotel"))
        _ = try await rig.next(.unverified)
        _ = try await rig.next(.captivePortal)
    }

    @Test func `a script runs on the clock`() async throws {
        let rig = try Rig(.offline)
        _ = try await rig.next(.offline)
        rig.network.play([
            .path(.wifi, after: .seconds(5)), .path(.offline(.noRoute), after: .seconds(1)), .internet(.somePortal),
            .path(.wired, after: .seconds(1)),
        ])
        rig.clock.advance(by: .seconds(10))
        let states = try await rig.recorder.values { $0.state == .captivePortal }.map(\.state)
        #expect(states.first == .unverified)
        #expect(states.contains(.offline))
        #expect(rig.clock.now.offset == .seconds(10))
    }

    // MARK: Verifying

    @Test func `verifying waits for the new verdict`() async throws {
        let rig = try Rig()
        _ = try await rig.next(.online)
        rig.network.internet = .somePortal
        async let verdict = rig.monitor.verify()
        try await eventually { rig.monitor.state.withLock { !$0.waits.isEmpty } }
        // Longer than the spacing after the previous check; advanced only once, so that the check does not time out.
        rig.clock.advance(by: .seconds(30))
        try await eventually { rig.network.checkCount >= 2 }
        #expect(await verdict.state == .captivePortal)
    }

    @Test func `verifying while offline or suspended returns at once, also on a resting monitor`() async throws {
        let rig = try Rig(.offline)
        _ = try await rig.next(.offline)
        #expect(await rig.monitor.verify().state == .offline)
        rig.network.become(.wifi)
        _ = try await rig.recorder.next { $0.state == .online }
        rig.monitor.suspend()
        #expect(await rig.monitor.verify().state == .online)
        rig.observation.cancel()
        #expect(await rig.monitor.verify().state == .unverified)
        rig.monitor.resume()
        #expect(await rig.monitor.verify().state == .online)
    }

    @Test func `verifying ends with its task, and when the monitor stops watching`() async throws {
        let rig = try Rig()
        _ = try await rig.next(.online)
        rig.network.holdChecks()
        rig.clock.advance(by: .seconds(60))
        let cancelled = Task { await rig.monitor.verify() }
        cancelled.cancel()
        #expect(await cancelled.value.state == .online)
        let abandoned = Task { await rig.monitor.verify() }
        try await eventually { rig.monitor.state.withLock { !$0.waits.isEmpty } }
        rig.observation.cancel()
        #expect(await abandoned.value.state == .unknown)
        rig.network.releaseChecks()
    }

    @Test func `a thousand callers share the checks`() async throws {
        let rig = try Rig()
        _ = try await rig.next(.online)
        rig.clock.advance(by: .seconds(10))
        let before = rig.network.checkCount
        rig.network.holdChecks()
        try await withThrowingTaskGroup(of: ConnectivityState.self) { group in
            for _ in 0..<1000 { group.addTask { await rig.monitor.verify().state } }
            try await eventually { rig.monitor.state.withLock { $0.waits.count == 1000 } }
            rig.network.releaseChecks()
            for try await state in group { #expect(state == .online) }
        }
        #expect(rig.network.checkCount == before + 1)
    }

    @Test func `while suspended, no check runs until resume`() async throws {
        let rig = try Rig()
        _ = try await rig.next(.online)
        rig.monitor.suspend()
        rig.clock.advance(by: .seconds(3600))
        #expect(rig.network.checkCount == 1)
        #expect(rig.clock.deadlines.isEmpty)
        rig.monitor.resume()
        _ = try await rig.next(.unverified)
        _ = try await rig.next(.online)
    }

    // MARK: Lifetime

    @Test func `a monitor rests without observers`() async throws {
        let rig = try Rig()
        _ = try await rig.next(.online)
        #expect(rig.monitor.current.state == .online)
        rig.observation.cancel()
        #expect(rig.monitor.current.state == .unknown)
        try await eventually { rig.clock.deadlines.isEmpty }
        rig.network.become(.offline)
        let again = Recorder<Connectivity>()
        let observation = rig.monitor.observe(on: .global()) { again.record($0) }
        #expect(try await again.next().state == .offline)
        observation.cancel()
    }

    @Test func `a started monitor keeps watching without observers`() async throws {
        let network = SimulatedNetwork(.offline, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        #expect(monitor.current.state == .unknown)
        monitor.start()
        monitor.start()
        #expect(monitor.current.state == .offline)
        network.become(.offline(.noRoute))
        #expect(monitor.current.path.diagnosis?.reason == .noRoute)
        monitor.stop()
        #expect(monitor.current.state == .unknown)
    }

    @Test func `a monitor without references stops working`() async throws {
        let clock = TestClock()
        let network = SimulatedNetwork(clock: clock)
        weak var weakMonitor: ConnectivityMonitor?
        do {
            let monitor = try ConnectivityMonitor(simulating: network)
            weakMonitor = monitor
            monitor.start()
            try await eventually { monitor.current.state == .online }
            // The time limit of the check, which ends a little later, has a deadline too.
            try await eventually { clock.deadlines.count == 1 }
        }
        // The task of the last check may hold it a little longer.
        try await eventually { weakMonitor == nil }
        try await eventually { clock.deadlines.isEmpty }
    }

    @Test func `starting, observing and ending from many threads leaves it at rest`() async throws {
        let clock = TestClock()
        let network = SimulatedNetwork(clock: clock)
        let monitor = try ConnectivityMonitor(simulating: network)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let observation = monitor.observe(on: .global()) { _ in }
                    if number.isMultiple(of: 3) { network.become(number.isMultiple(of: 2) ? .wifi : .cellular) }
                    monitor.requestCheck()
                    observation.cancel()
                }
            }
        }
        #expect(monitor.current.state == .unknown)
        // The thread that performs the last actions may be another one.
        try await eventually { clock.deadlines.isEmpty }
    }

    @Test func `a monitor that was never started answers verify, and rests again`() async throws {
        let clock = TestClock()
        let network = SimulatedNetwork(clock: clock)
        let monitor = try ConnectivityMonitor(simulating: network)
        #expect(await monitor.verify().state == .online)
        network.internet = .dead
        #expect(await monitor.verify().state == .limited)
        network.become(.offline)
        #expect(await monitor.verify().isOffline)
        #expect(monitor.current.state == .unknown)
        try await eventually { clock.deadlines.isEmpty }
    }

    @Test func `a cancelled verify does not start a resting monitor`() async throws {
        let network = SimulatedNetwork(clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await monitor.verify()
        }
        #expect(await work.value.state == .unknown)
        #expect(network.checkCount == 0)
    }

    @Test(.real) func `the passive monitor sends nothing and never verifies`() async {
        #expect(await !ConnectivityMonitor.passive.verify().isOnline)
        #expect(ConnectivityMonitor.passive.checker == nil)
    }

    // MARK: Configuration

    @Test(.real) func `the shared monitor can be configured only before its first use`() throws {
        let invalid = #expect(throws: InvalidConfiguration.self) {
            try ConnectivityMonitor.configureShared(.init(interval: .zero))
        }
        #expect(invalid?.field == "interval")
        // Other tests of this process may have used it.
        let late = Result { try ConnectivityMonitor.configureShared(.init(polling: .never), checker: nil) }
        let isConfigured = ConnectivityMonitor.shared.configuration.polling == .never
        #expect(isConfigured == ((try? late.get()) != nil))
        let error = #expect(throws: InvalidConfiguration.self) {
            try ConnectivityMonitor.configureShared()
        }
        #expect(error?.field == "shared")
    }

    @Test func `a timer is released when another one replaces it`() async throws {
        final class Count: Sendable {
            let live = Mutex(0)
        }
        final class Held: Sendable {
            private let count: Count

            init(_ count: Count) {
                self.count = count
                count.live.withLock { $0 += 1 }
            }

            deinit { count.live.withLock { $0 -= 1 } }
        }
        let (clock, count) = (TestClock(), Count())
        let network = SimulatedNetwork(clock: clock)
        let time = TimeSource {
            clock.timeSource.moment
        } schedule: { boottime, body in
            let (cancel, held) = (clock.timeSource.call(at: boottime, body), Held(count))
            return { withExtendedLifetime(held) { cancel() } }
        }
        let monitor = try ConnectivityMonitor(
            .spaced, paths: network, checker: network, identifier: nil, time: time)
        monitor.start()
        for number in 1...20 {
            try await eventually { network.checkCount == number && !monitor.isChecking }
            clock.advance(by: .seconds(60))
        }
        try await eventually { count.live.withLock { $0 } < 5 }
    }

    @Test func `a provoked check that finishes while a request asks for its verdict is the answer`() async throws {
        let clock = TestClock()
        let network = SimulatedNetwork(clock: clock)
        // The clock is read between the decisions for the request.
        let atNextReading = Mutex<(@Sendable () -> Void)?>(nil)
        let time = TimeSource {
            atNextReading.withLock { action in
                defer { action = nil }
                return action
            }?()
            return clock.timeSource.moment
        } schedule: {
            clock.timeSource.call(at: $0, $1)
        }
        var configuration = ConnectivityMonitor.Configuration.spaced
        configuration.polling = .never
        let monitor = try ConnectivityMonitor(
            configuration, paths: network, checker: network, identifier: nil, time: time)
        monitor.start()
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        clock.advance(by: .seconds(10))
        network.holdChecks()
        monitor.report(.failed)
        try await eventually { network.checkCount == 2 }
        atNextReading.withLock {
            $0 = {
                network.releaseChecks()
                while monitor.isChecking { sched_yield() }
            }
        }
        let connectivity = await monitor.recentlyVerified(since: clock.timeSource.moment.realtime)
        #expect(connectivity?.isOnline == true && network.checkCount == 2)
    }

    @Test(
        arguments: [
            ("interval", { @Sendable in $0.interval = .zero }), ("interval", { $0.interval = .seconds(-1) }),
            ("interval", { $0.interval = .seconds(Int64.max) }), ("firstRetry", { $0.firstRetry = .zero }),
            ("jitter", { $0.jitter = -0.1 }), ("jitter", { $0.jitter = 1.1 }), ("jitter", { $0.jitter = .nan }),
            ("checkSpacing", { $0.checkSpacing = .seconds(-1) }), ("checkTimeLimit", { $0.checkTimeLimit = .zero }),
            ("firstValueBound", { $0.firstValueBound = .seconds(-1) }),
            ("sleepThreshold", { $0.sleepThreshold = .zero }),
        ] as [(String, @Sendable (inout ConnectivityMonitor.Configuration) -> Void)])
    func `an invalid configuration names the field`(
        field: String, change: @Sendable (inout ConnectivityMonitor.Configuration) -> Void
    ) throws {
        var configuration = ConnectivityMonitor.Configuration()
        change(&configuration)
        let error = try #require(throws: InvalidConfiguration.self) {
            _ = try ConnectivityMonitor(configuration, checker: nil)
        }
        #expect(error.field == field)
        #expect(error.description.hasPrefix(field))
    }
}
