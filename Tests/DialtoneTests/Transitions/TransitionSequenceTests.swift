// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import TestSupport
import Testing

/// Tests which values are transitions, without a monitor.
struct TransitionSequenceTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// A value that is seen some seconds after the start.
    private static func seen(
        _ seconds: Double, _ state: ConnectivityState, fault: ConnectivityFault? = nil, reason: String? = nil,
        interface: String = "eth0", cause: ConnectivityCause? = nil, portal: String? = nil
    ) -> Transition {
        Transition(
            state: state, cause: cause, reason: reason, fault: fault, interface: interface, portal: portal,
            time: start + seconds, uptime: seconds)
    }

    private static func moment(_ seconds: Double, suspended: Double = 0) -> TimeSource.Moment {
        .init(
            boottime: .seconds(1000 + seconds), monotonic: .seconds(1000 + seconds - suspended),
            realtime: start + seconds)
    }

    private static func value(_ seconds: Double, _ state: ConnectivityState) -> Connectivity {
        let path = NetworkPath(status: .satisfied, interfaces: [.init(name: "eth0", index: 2, type: .wiredEthernet)])
        return Connectivity(state: state, path: path, since: start + seconds)
    }

    /// An outage that began after ten seconds.
    private static func outage() -> TransitionSequence {
        var sequence = TransitionSequence()
        for (second, state) in [(0, .online), (10, .noInternet)] as [(Double, ConnectivityState)] {
            _ = sequence.next(value(second, state), at: moment(second))
        }
        return sequence
    }

    /// What is passed on: the number, the state, the fault and, at its end, the seconds of the outage.
    private static func passed(_ values: [Transition], isPassive: Bool = false) -> [String] {
        var sequence = TransitionSequence(isPassive: isPassive)
        return values.compactMap { sequence.next($0) }.map { transition in
            let outage = transition.outage.map { " after \(Int($0.length)) s" } ?? ""
            let fault = transition.fault.map { " \($0.rawValue)" } ?? ""
            return
                "\(transition.number)\(transition.isUpdate ? "b" : "") \(transition.state.rawValue)\(fault)\(outage)"
        }
    }

    @Test(arguments: [
        ([seen(0, .online), seen(1, .online)], ["1 online"]),
        ([seen(0, .online), seen(1, .online, interface: "wlan0")], ["1 online", "2 online"]),
        ([seen(0, .online), seen(5, .offline), seen(65, .online)], ["1 online", "2 offline", "3 online after 60 s"]),
        // The fault is found later.
        (
            [seen(0, .noInternet), seen(2, .noInternet, fault: .provider), seen(9, .online)],
            ["1 noInternet", "1b noInternet provider", "2 online after 9 s"]
        ),
        // Another side is another phase of the outage; that it becomes unknown is not passed on.
        (
            [
                seen(0, .noInternet, fault: .router), seen(1, .noInternet), seen(2, .noInternet, fault: .provider),
                seen(3, .noInternet, fault: .router),
            ], ["1 noInternet router", "1b noInternet provider", "1b noInternet router"]
        ),
        // Another cause is another phase too, but only in an outage.
        (
            [
                seen(0, .noInternet, fault: .provider, cause: .linkSilent),
                seen(1, .noInternet, fault: .provider, cause: .provider), seen(5, .online),
                seen(6, .unverified, fault: .provider, cause: .late),
                seen(7, .unverified, fault: .provider, cause: .slow),
            ], ["1 noInternet provider", "1b noInternet provider", "2 online after 5 s", "3 unverified provider"]
        ),
        // A login page whose URL changes with each request is the same page, and one of another host is another page.
        (
            [
                seen(0, .captivePortal, portal: "http://login.test/?for=1"),
                seen(5, .captivePortal, portal: "http://login.test/?for=2"),
                seen(9, .captivePortal, portal: "http://other.test/?for=2"),
            ], ["1 captivePortal", "2 captivePortal"]
        ),
        // One outage with two states, which ends when the state is no longer known.
        (
            [seen(0, .offline, fault: .machine), seen(3, .limited), seen(4, .unknown), seen(7, .online)],
            ["1 offline machine", "2 limited", "3 unknown", "4 online after 4 s"]
        ),
        // An unknown state ends no outage.
        (
            [seen(0, .offline), seen(3, .unverified), seen(5, .limited), seen(9, .online)],
            ["1 offline", "2 unverified", "3 limited", "4 online after 9 s"]
        ),
    ]) func `each change is passed on once, and a fault found later once more`(values: [Transition], expected: [String])
    {
        #expect(Self.passed(values) == expected)
    }

    @Test func `without checks, a path ends an outage`() {
        var values = [Self.seen(0, .offline), Self.seen(3, .unverified)]
        values[1].record.cause = HistoryCause(.notChecked)
        #expect(Self.passed(values, isPassive: true) == ["1 offline", "2 unverified after 3 s"])
    }

    @Test func `a restart of the router is one outage with its side at the end`() throws {
        var sequence = TransitionSequence()
        let values = [
            Self.seen(0, .online), Self.seen(10, .offline, fault: .machine), Self.seen(15, .noInternet, fault: .router),
            Self.seen(40, .noInternet, fault: .provider), Self.seen(60, .online),
        ]
        let passed = values.compactMap { sequence.next($0) }
        #expect(passed.map(\.isPhase) == [false, false, false, true, false])
        let outage = try #require(passed.last?.outage)
        #expect(passed.allSatisfy { $0.outageCount <= 1 } && outage.length == 50)
        #expect(outage.fault == .router && outage.cause == .routerRestarted && outage.phases.count == 3)
        #expect(passed.last?.message.hasSuffix(": The router restarted.") == true)
    }

    @Test func `the router answers by the cause alone`() throws {
        let silent = [0, 10].map { Self.seen($0, $0 == 0 ? .online : .noInternet, fault: $0 == 0 ? nil : .router) }
        let values =
            silent + [
                Self.seen(40, .noInternet, fault: .provider, cause: .linkSilent),
                Self.seen(45, .noInternet, fault: .provider, cause: .provider), Self.seen(60, .online),
            ]
        var sequence = TransitionSequence()
        let outage = values.compactMap { sequence.next($0) }.last?.outage
        #expect(outage?.fault == .router && outage?.cause == .routerRestarted && outage?.phases.count == 3)
    }

    @Test func `of a fault that flips back and forth, few phases are passed on`() throws {
        var sequence = TransitionSequence()
        var passed = 0
        for second in 0..<10_000 {
            let fault: ConnectivityFault = second % 2 == 0 ? .router : .provider
            if sequence.next(Self.seen(Double(second), .noInternet, fault: fault)) != nil { passed += 1 }
        }
        #expect(passed == 64)
        let end = sequence.next(Self.seen(10_000, .online))
        #expect(end?.outage?.length == 10_000 && end?.outage?.phases.count == 64)
    }

    @Test func `a sleep of a minute ends an outage, and what lasts after it is another one`() throws {
        var outage = Self.outage()
        _ = outage.next(Self.value(100, .noInternet), at: Self.moment(100, suspended: 60))
        let end = outage.next(Self.value(110, .online), at: Self.moment(110, suspended: 60))
        #expect(end?.outages.map(\.length) == [30, 10] && end?.outages.map(\.ending) == [.unwatched, .recovered])
        #expect(end?.outageCount == 2)
    }

    @Test func `a sleep in which the state does not change is placed where it was`() async throws {
        let clock = TestClock()
        let network = SimulatedNetwork(.offline, clock: clock)
        let monitor = try ConnectivityMonitor(simulating: network)
        let transitions = Recorder<Transition>()
        let observation = monitor.observeTransitions(isPassive: false) {
            if let transition = $1 { transitions.record(transition) }
        }
        _ = try await transitions.next { $0.state == .offline }
        clock.advance(by: .seconds(600))
        clock.sleepMachine(for: .seconds(3600))
        // Offline, as before: there is no value.
        clock.advance(by: .seconds(3601))
        network.become(.wired)
        let end = try await transitions.next { $0.state == .online }
        #expect(end.outages.map(\.length) == [600, 3601] && end.outageCount == 2)
        observation.cancel()
    }

    @Test func `of many sleeps in one state, the newest outages are kept`() {
        var outage = Self.outage()
        for sleep in 1...200 {
            outage.noteSleep(until: Self.moment(10 + 100 * Double(sleep), suspended: 60 * Double(sleep)))
        }
        let end = outage.next(Self.value(20_100, .online), at: Self.moment(20_100, suspended: 12_000))
        #expect(end?.outages.count == 64 && end?.outages.last?.length == 90 && end?.outageCount == 201)
    }

    @Test(arguments: [60.0, 10]) func `an outage that is over when the machine wakes ends with its own time`(
        slept: Double
    ) throws {
        var outage = Self.outage()
        let end = outage.next(Self.value(40 + slept, .online), at: Self.moment(40 + slept, suspended: slept))
        #expect(end?.outages.map(\.length) == [30] && end?.outageCount == 1)
        #expect(end?.outage?.ending == (slept > 30 ? .unwatched : .recovered))
    }

    @Test(arguments: [false, true]) func `while a check decides, a path without evidence is no transition`(
        isPassive: Bool
    ) {
        let value = Connectivity(state: .unverified, path: NetworkPath(status: .satisfied), since: Self.start)
        var sequence = TransitionSequence(isPassive: isPassive)
        let transition = sequence.next(value, at: Self.moment(0))
        #expect(transition?.cause == (isPassive ? HistoryCause(.notChecked) : nil))
        #expect((transition == nil) == !isPassive)
    }

    @Test func `a state begins at its first sign, and another interface is noticed at once`() throws {
        var sequence = TransitionSequence()
        func next(
            _ seconds: Double, _ state: ConnectivityState, _ interface: String = "eth0", earliest: Double? = nil,
            latest: Double? = nil
        ) throws -> Transition {
            let path = NetworkPath(
                status: .satisfied, interfaces: [.init(name: interface, index: 2, type: .wiredEthernet)])
            let value = Connectivity(
                state: state, path: path, since: Self.start + seconds,
                beginning: latest.map { .init(earliest: earliest.map { Self.start + $0 }, latest: Self.start + $0) })
            let next = sequence.next(value, at: Self.moment(seconds + 0.01))
            return try #require(next)
        }
        // When the first state began was not observed.
        let first = try next(0, .online)
        #expect(first.time == Self.start + 0.01 && first.earliest == nil)
        let outage = try next(68, .noInternet, earliest: 55, latest: 60)
        #expect(outage.time == Self.start + 60 && outage.earliest == Self.start + 55)
        let other = try next(75, .noInternet, "eth1", earliest: 55, latest: 60)
        #expect(other.time == Self.start + 75.01 && other.earliest == other.time)
        let end = try next(90, .online, "eth1", earliest: 80, latest: 82)
        #expect(end.time == Self.start + 82 && end.earliest == Self.start + 80)
        #expect(end.outage?.start == Self.start + 60)
        // A first sign from before the state that it ends: no outage has a negative length.
        _ = try next(100, .noInternet, "eth1", earliest: 92, latest: 98)
        let early = try next(101, .online, "eth1", earliest: 96, latest: 97)
        #expect(early.time == Self.start + 101.01 && early.earliest == nil && early.outage?.length == 3)
    }

    @Test func `the end of an outage has its beginning, its length and the reason that was found`() throws {
        var sequence = TransitionSequence()
        _ = sequence.next(Self.seen(0, .noInternet, reason: "Nothing answers."))
        _ = sequence.next(Self.seen(2, .noInternet, fault: .provider, reason: "Nothing beyond the router answers."))
        // The clock was set in between, which changes no length: the beginning is that by the clock at the end.
        var end = Self.seen(720, .online)
        end.time = Self.start + 90_000
        let next = sequence.next(end)
        let transition = try #require(next)
        let outage = try #require(transition.outage)
        #expect(outage.start == Self.start + 89_280 && outage.length == 720 && outage.fault == .provider)
        let time = LocalTime.text(outage.start, .minute)
        #expect(transition.message == "No Internet for 12 min from \(time): Nothing beyond the router answers.")
    }

    @Test(arguments: [
        (seen(0, .online), "Online over eth0."),
        (seen(0, .offline, reason: "No carrier on eth0: is the cable in?"), "No carrier on eth0: is the cable in?"),
    ]) func `every transition has a message`(transition: Transition, message: String) {
        #expect(transition.message == message)
    }
}
