// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// The waits, and the order and times of their release: on virtual time, without tasks.
struct WaitingRoomMachineTests {
    typealias Action = WaitingRoomMachine.Action

    static func machine(limit: Int = 2, random: @escaping @Sendable () -> Double = { 0.5 }) -> WaitingRoomMachine {
        WaitingRoomMachine(limit: limit, spread: .seconds(10), random: random)
    }

    static func connectivity(_ path: SimulatedPath, _ state: ConnectivityState? = nil) -> Connectivity {
        Connectivity(
            state: state ?? ConnectivityState(path.path), path: path.path, since: Date(timeIntervalSince1970: 0))
    }

    @Test func `work gets no event before connectivity is known`() {
        var machine = Self.machine()
        #expect(machine.enter(1, WaitRequirement(), deadline: nil, at: .zero).isEmpty)
        #expect(machine.nextTime(after: .zero) == nil)
        #expect(machine.update(Self.connectivity(.wifi), .passive, at: .zero) == [.admit(1)])
        #expect(machine.count == 0)
    }

    @Test func `work waits until the network has been read, but not for a hidden network`() {
        var machine = Self.machine()
        _ = machine.enter(1, WaitRequirement(), deadline: .seconds(4), at: .zero)
        _ = machine.enter(2, WaitRequirement(), deadline: nil, at: .zero)
        let unread = Connectivity(
            state: .unknown, path: NetworkPath(status: .unsatisfied, limitation: .notLookedAt), since: .distantPast)
        #expect(machine.update(unread, .passive, at: .seconds(3)).isEmpty)
        #expect(machine.update(unread, .passive, at: .seconds(4)) == [.expire(1, nil)])
        #expect(machine.update(Self.connectivity(.unseen), .passive, at: .seconds(5)) == [.admit(2)])
    }

    @Test func `with a network, all work starts at once, whatever the limit`() {
        var machine = Self.machine()
        _ = machine.update(Self.connectivity(.wifi), .passive, at: .zero)
        for identifier in UInt64(1)...10 {
            #expect(machine.enter(identifier, WaitRequirement(), deadline: nil, at: .zero) == [.admit(identifier)])
        }
    }

    @Test func `work that waited is released within the spread, and never more at once than the limit`() {
        var machine = Self.machine()
        _ = machine.update(Self.connectivity(.offline), .passive, at: .zero)
        let reason = WaitingPolicy.Obstacle.offline(SimulatedPath.offline.path.diagnosis)
        for identifier in UInt64(1)...4 {
            #expect(
                machine.enter(identifier, WaitRequirement(), deadline: nil, at: .zero) == [.notify(identifier, reason)])
        }
        #expect(machine.update(Self.connectivity(.wifi), .passive, at: .seconds(1)).isEmpty)
        #expect(machine.nextTime(after: .seconds(1)) == .seconds(6))
        #expect(machine.timePassed(at: .seconds(5)).isEmpty)
        #expect(machine.timePassed(at: .seconds(6)) == [.admit(1), .admit(2)])
        // The others follow once those have started, or count as started after the start limit.
        #expect(machine.nextTime(after: .seconds(6)) == .seconds(9))
        #expect(machine.start(2, at: .seconds(7)) == [.admit(3)])
        #expect(machine.start(2, at: .seconds(7)).isEmpty)
        #expect(machine.leave(4, at: .seconds(8)).isEmpty)
        #expect(machine.start(1, at: .seconds(9)).isEmpty)
        #expect(machine.starting == [3])
    }

    @Test func `work that is queued when the network is lost keeps waiting, and is not notified again`() {
        var machine = Self.machine()
        _ = machine.update(Self.connectivity(.offline), .passive, at: .zero)
        _ = machine.enter(1, WaitRequirement(), deadline: nil, at: .zero)
        #expect(machine.update(Self.connectivity(.wifi), .passive, at: .seconds(1)).isEmpty)
        #expect(machine.update(Self.connectivity(.offline), .passive, at: .seconds(2)).isEmpty)
        #expect(machine.timePassed(at: .seconds(60)).isEmpty)
        #expect(machine.update(Self.connectivity(.wired), .passive, at: .seconds(60)).isEmpty)
        #expect(machine.timePassed(at: .seconds(65)) == [.admit(1)])
    }

    @Test func `a deadline ends the wait with the reason`() {
        var machine = Self.machine()
        _ = machine.update(Self.connectivity(.offline(.allDown)), .passive, at: .zero)
        _ = machine.enter(1, WaitRequirement(), deadline: .seconds(3), at: .zero)
        _ = machine.enter(2, WaitRequirement(), deadline: .seconds(2), at: .zero)
        #expect(machine.nextTime(after: .zero) == .seconds(2))
        let reason = WaitingPolicy.Obstacle.offline(SimulatedPath.offline(.allDown).path.diagnosis)
        #expect(machine.timePassed(at: .seconds(2)) == [.expire(2, reason)])
        #expect(machine.timePassed(at: .seconds(3)) == [.expire(1, reason)])
        #expect(machine.count == 0)
    }

    @Test func `a deadline while queued precedes the release`() {
        var machine = Self.machine()
        _ = machine.update(Self.connectivity(.offline), .passive, at: .zero)
        _ = machine.enter(1, WaitRequirement(), deadline: .seconds(5), at: .zero)
        _ = machine.update(Self.connectivity(.wifi), .passive, at: .seconds(1))
        #expect(machine.timePassed(at: .seconds(6)) == [.expire(1, nil)])
    }

    @Test func `a change of the path ends a backoff that waits for one, within the spread`() {
        var machine = Self.machine()
        _ = machine.update(Self.connectivity(.wifi), .passive, at: .zero)
        _ = machine.enter(
            1, WaitRequirement(), deadline: nil, earliest: .seconds(60), retriesOnChange: true, at: .zero)
        _ = machine.enter(2, WaitRequirement(), deadline: nil, earliest: .seconds(60), at: .zero)
        _ = machine.enter(3, WaitRequirement(), deadline: nil, earliest: .seconds(2), retriesOnChange: true, at: .zero)
        #expect(machine.nextTime(after: .zero) == .seconds(2))
        // Only the path counts.
        _ = machine.update(Self.connectivity(.wifi, .online), .passive, at: .zero)
        #expect(machine.timePassed(at: .seconds(1)).isEmpty)
        _ = machine.update(Self.connectivity(.wired), .passive, at: .seconds(1))
        #expect(machine.timePassed(at: .seconds(2)) == [.admit(3)])
        #expect(machine.timePassed(at: .seconds(5)).isEmpty)
        #expect(machine.timePassed(at: .seconds(6)) == [.admit(1)])
        #expect(machine.timePassed(at: .seconds(60)) == [.admit(2)])
    }

    @Test func `a backoff is respected, and then the work is queued for a place`() {
        var machine = Self.machine(limit: 1)
        _ = machine.update(Self.connectivity(.wifi), .passive, at: .zero)
        #expect(machine.enter(1, WaitRequirement(), deadline: nil, earliest: .seconds(4), at: .zero).isEmpty)
        #expect(machine.enter(2, WaitRequirement(), deadline: nil, earliest: .seconds(3), at: .zero).isEmpty)
        #expect(machine.timePassed(at: .seconds(3)) == [.admit(2)])
        #expect(machine.timePassed(at: .seconds(4)).isEmpty)
        #expect(machine.start(2, at: .seconds(5)) == [.admit(1)])
    }

    private static let dormant =
        SimulatedPath.offline(.dormant).path.diagnosis?.description ?? GeneralReason.onDemand

    @Test(arguments: [
        (
            SimulatedPath.offline(.dormant), ConnectivityState.requiresConnection,
            WaitingPolicy.Obstacle.requiresConnection(dormant) as WaitingPolicy.Obstacle?,
            .requiresConnection(dormant) as WaitingPolicy.Obstacle?
        ),
        (.wifi, .unverified, nil, .unverified(GeneralReason.unchecked)),
        (.wifi, .limited, nil, .noInternet(GeneralReason.noInternet)),
        (.wifi, .captivePortal, nil, .captivePortal), (.wifi, .online, nil, nil),
        // If the network is hidden, only an attempt can show the result.
        (.unseen, .unknown, nil, .unverified("A simulation hides the network.")), (.unseen, .online, nil, nil),
    ])
    func `the obstacle depends on the requirement`(
        path: SimulatedPath, state: ConnectivityState, ofPath: WaitingPolicy.Obstacle?, ofProof: WaitingPolicy.Obstacle?
    ) {
        let connectivity = Self.connectivity(path, state)
        #expect(WaitRequirement().obstacle(in: connectivity) == ofPath)
        #expect(WaitRequirement(needsProof: true).obstacle(in: connectivity) == ofProof)
    }

    @Test func `a forbidden path is an obstacle`() {
        let requirement = WaitRequirement(interfaces: InterfacePolicy(allowsCellular: false))
        #expect(requirement.obstacle(in: Self.connectivity(.cellular)) == .notAllowed(.cellular))
        #expect(requirement.obstacle(in: Self.connectivity(.wifi)) == nil)
    }

    @Test(arguments: [true, false]) func `an arrival looks only at the work that arrives`(isOnline: Bool) {
        var machine = Self.machine(limit: 32)
        _ = machine.update(Self.connectivity(isOnline ? .wifi : .offline), .passive, at: .zero)
        let count = 20_000
        for identifier in 1...UInt64(count) {
            let now = Duration.milliseconds(Int(identifier))
            let actions = machine.enter(
                identifier, WaitRequirement(), deadline: now + .seconds(3600), earliest: isOnline ? now * 2 : nil,
                at: now)
            #expect(actions.allSatisfy { if case .expire = $0 { false } else { true } })
            _ = machine.nextTime(after: now)
        }
        // Work in a backoff is also removed when it is released.
        #expect(machine.lookCount <= 2 * count)
        // A change of the path concerns all of them, once.
        let waiting = machine.count
        let before = machine.lookCount
        _ = machine.update(Self.connectivity(.wired), .passive, at: .seconds(21))
        #expect(waiting > 0 && machine.lookCount - before <= waiting + 32)
    }

    @Test func `events of the schedule come by time, then by arrival`() {
        var schedule = Schedule()
        for (identifier, seconds) in [(5, 3), (2, 1), (9, 3), (1, 2), (7, 1)] as [(UInt64, Int)] {
            schedule.insert(identifier, at: .seconds(seconds))
        }
        #expect(schedule.remove(1) == .seconds(2))
        #expect(schedule.remove(1) == nil)
        schedule.insert(9, at: .zero)
        var order: [UInt64] = []
        while let (_, identifier) = schedule.first {
            order.append(identifier)
            schedule.remove(identifier)
        }
        #expect(order == [9, 2, 7, 5] && schedule.count == 0)
    }

    @Test func `the reason of a wait is the sentence of the connectivity`() throws {
        let wired = SimulatedPath.wired.path
        let report = InternetCheck.Report(
            verdict: .noInternet(.dnsSilent), checkedAt: .distantPast,
            endpoints: [
                .init(
                    url: "http://a.test/",
                    .failed(ProbeError(.nameServerSilent, during: .resolve, "DNS servers do not answer (192.0.2.53)")))
            ])
        let limited = Connectivity(state: .limited, path: wired, since: .distantPast, evidence: report)
        let reason = try #require(WaitingPolicy(.verified).obstacle(in: limited))
        #expect("\(reason)" == limited.reason)
        #expect("\(reason)" != GeneralReason.noInternet)
        // A restriction is the policy's, not the network's.
        var policy = WaitingPolicy(.verified)
        policy.interfaces.allowsCellular = false
        #expect(policy.obstacle(in: Self.connectivity(.cellular)) == .notAllowed(.cellular))
        // Without a path, a proxy may keep the state online; work that needs a path waits for the path's reason.
        let proxied = Self.connectivity(.offline(.dormant), .online)
        #expect(WaitRequirement().obstacle(in: proxied) == .requiresConnection(Self.dormant))
    }

    @Test func `in any order of events, no work is lost, notified twice, or released beyond the limit`() {
        var generator = SeededGenerator(seed: 55)
        for round in 0..<200 {
            var machine = Self.machine(limit: 3, random: { 0.3 })
            var (waiting, told, out): (Set<UInt64>, Set<UInt64>, Set<UInt64>) = ([], [], [])
            var queued: Set<UInt64> = []
            var now = Duration.zero
            func check(_ actions: [Action]) {
                for action in actions {
                    switch action {
                    case .notify(let identifier, _):
                        let isToldNews = told.insert(identifier).inserted
                        #expect(isToldNews)
                    case .admit(let identifier), .expire(let identifier, _):
                        let wasWaiting = waiting.remove(identifier) != nil
                        #expect(wasWaiting)
                        let isOutNews = out.insert(identifier).inserted
                        #expect(isOutNews)
                        if machine.starting.contains(identifier) { queued.insert(identifier) }
                    }
                }
                #expect(machine.starting.count <= 3)
                #expect(machine.count == waiting.count)
            }
            for step in UInt64(1)...60 {
                now += .milliseconds(Int.random(in: 0..<3000, using: &generator))
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1:
                    waiting.insert(step)
                    let deadline = Bool.random(using: &generator) ? now + .seconds(20) : nil
                    let earliest = Bool.random(using: &generator) ? now + .seconds(2) : nil
                    check(machine.enter(step, WaitRequirement(), deadline: deadline, earliest: earliest, at: now))
                case 2: check(machine.update(Self.connectivity(.wifi), .passive, at: now))
                case 3: check(machine.update(Self.connectivity(.offline), .passive, at: now))
                case 4:
                    let runner = queued.randomElement(using: &generator)
                    if let runner { queued.remove(runner) }
                    check(machine.start(runner ?? 0, at: now))
                default:
                    let leaver = waiting.sorted().randomElement(using: &generator)
                    if let leaver { waiting.remove(leaver) }
                    check(machine.leave(leaver ?? 0, at: now))
                }
            }
            // At the end the network works and everything finishes: no work may be left.
            check(machine.update(Self.connectivity(.wifi), .passive, at: now))
            while let time = machine.nextTime(after: now) ?? (machine.starting.isEmpty ? nil : now) {
                now = max(now, time)
                check(machine.timePassed(at: now))
                for runner in machine.starting.sorted() { check(machine.start(runner, at: now)) }
            }
            #expect(waiting.isEmpty, "round \(round)")
        }
    }
}
