//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import Dialtone

/// Who waits, who is let go, and when: on virtual time, without tasks.
struct WaitingRoomMachineTests {
    typealias Action = WaitingRoomMachine.Action

    static func machine(limit: Int = 2, random: @escaping @Sendable () -> Double = { 0.5 }) -> WaitingRoomMachine {
        WaitingRoomMachine(limit: limit, spread: .seconds(10), random: random)
    }

    static func connectivity(_ path: SimulatedPath, _ state: ConnectivityState? = nil) -> Connectivity {
        Connectivity(
            state: state ?? ConnectivityState(path.path), path: path.path, since: Date(timeIntervalSince1970: 0))
    }

    @Test func `nobody is told anything before anything is known`() {
        var machine = Self.machine()
        #expect(machine.enter(1, WaitRequirement(), deadline: nil, at: .zero).isEmpty)
        #expect(machine.nextTime(after: .zero) == nil)
        #expect(machine.see(Self.connectivity(.wifi), .passive, at: .zero) == [.admit(1)])
        #expect(machine.count == 0)
    }

    @Test func `with a network everybody goes on at once, whatever the limit`() {
        var machine = Self.machine()
        _ = machine.see(Self.connectivity(.wifi), .passive, at: .zero)
        for identifier in UInt64(1)...10 {
            #expect(machine.enter(identifier, WaitRequirement(), deadline: nil, at: .zero) == [.admit(identifier)])
        }
    }

    @Test func `who waited is let go within the spread, no more than the limit at once`() {
        var machine = Self.machine()
        _ = machine.see(Self.connectivity(.offline), .passive, at: .zero)
        let reason = WaitReason.offline(SimulatedPath.offline.path.diagnosis)
        for identifier in UInt64(1)...4 {
            #expect(
                machine.enter(identifier, WaitRequirement(), deadline: nil, at: .zero) == [.tell(identifier, reason)])
        }
        #expect(machine.see(Self.connectivity(.wifi), .passive, at: .seconds(1)).isEmpty)
        #expect(machine.nextTime(after: .seconds(1)) == .seconds(6))
        #expect(machine.timePassed(at: .seconds(5)).isEmpty)
        #expect(machine.timePassed(at: .seconds(6)) == [.admit(1), .admit(2)])
        // The others go when there is room, not at a time.
        #expect(machine.nextTime(after: .seconds(6)) == nil)
        #expect(machine.finish(2, at: .seconds(7)) == [.admit(3)])
        #expect(machine.finish(2, at: .seconds(7)).isEmpty)
        #expect(machine.leave(4, at: .seconds(8)).isEmpty)
        #expect(machine.finish(1, at: .seconds(9)).isEmpty)
        #expect(machine.running == [3])
    }

    @Test func `who is still in line when the network goes waits on, and is not told again`() {
        var machine = Self.machine()
        _ = machine.see(Self.connectivity(.offline), .passive, at: .zero)
        _ = machine.enter(1, WaitRequirement(), deadline: nil, at: .zero)
        #expect(machine.see(Self.connectivity(.wifi), .passive, at: .seconds(1)).isEmpty)
        #expect(machine.see(Self.connectivity(.offline), .passive, at: .seconds(2)).isEmpty)
        #expect(machine.timePassed(at: .seconds(60)).isEmpty)
        #expect(machine.see(Self.connectivity(.wired), .passive, at: .seconds(60)).isEmpty)
        #expect(machine.timePassed(at: .seconds(65)) == [.admit(1)])
    }

    @Test func `a deadline ends the wait with the reason`() {
        var machine = Self.machine()
        _ = machine.see(Self.connectivity(.offline(.allDown)), .passive, at: .zero)
        _ = machine.enter(1, WaitRequirement(), deadline: .seconds(3), at: .zero)
        _ = machine.enter(2, WaitRequirement(), deadline: .seconds(2), at: .zero)
        #expect(machine.nextTime(after: .zero) == .seconds(2))
        let reason = WaitReason.offline(SimulatedPath.offline(.allDown).path.diagnosis)
        #expect(machine.timePassed(at: .seconds(2)) == [.expire(2, reason)])
        #expect(machine.timePassed(at: .seconds(3)) == [.expire(1, reason)])
        #expect(machine.count == 0)
    }

    @Test func `a deadline in line goes before the release`() {
        var machine = Self.machine()
        _ = machine.see(Self.connectivity(.offline), .passive, at: .zero)
        _ = machine.enter(1, WaitRequirement(), deadline: .seconds(5), at: .zero)
        _ = machine.see(Self.connectivity(.wifi), .passive, at: .seconds(1))
        #expect(machine.timePassed(at: .seconds(6)) == [.expire(1, nil)])
    }

    @Test func `a backoff is kept, and then takes a place in line`() {
        var machine = Self.machine(limit: 1)
        _ = machine.see(Self.connectivity(.wifi), .passive, at: .zero)
        #expect(machine.enter(1, WaitRequirement(), deadline: nil, earliest: .seconds(4), at: .zero).isEmpty)
        #expect(machine.enter(2, WaitRequirement(), deadline: nil, earliest: .seconds(3), at: .zero).isEmpty)
        #expect(machine.timePassed(at: .seconds(3)) == [.admit(2)])
        #expect(machine.timePassed(at: .seconds(4)).isEmpty)
        #expect(machine.finish(2, at: .seconds(5)) == [.admit(1)])
    }

    @Test(arguments: [
        (
            SimulatedPath.offline(.dormant), ConnectivityState.requiresConnection,
            WaitReason.requiresConnection as WaitReason?, .requiresConnection as WaitReason?
        ),
        (.wifi, .unverified, nil, .unverified), (.wifi, .limited, nil, .noInternet),
        (.wifi, .captivePortal, nil, .captivePortal), (.wifi, .online, nil, nil),
        // Nobody knows better than the attempt.
        (.unseen, .unknown, nil, .unverified), (.unseen, .online, nil, nil),
    ])
    func `what is in the way depends on what is wanted`(
        path: SimulatedPath, state: ConnectivityState, ofPath: WaitReason?, ofProof: WaitReason?
    ) {
        let connectivity = Self.connectivity(path, state)
        #expect(WaitRequirement().obstacle(in: connectivity) == ofPath)
        #expect(WaitRequirement(needsProof: true).obstacle(in: connectivity) == ofProof)
    }

    @Test func `a path that is not allowed is none`() {
        let requirement = WaitRequirement(interfaces: InterfacePolicy(allowsCellular: false))
        #expect(requirement.obstacle(in: Self.connectivity(.cellular)) == .notAllowed(.cellular))
        #expect(requirement.obstacle(in: Self.connectivity(.wifi)) == nil)
    }

    @Test func `whatever happens, nobody is lost, told twice, or let go beyond the limit`() {
        var generator = SeededGenerator(seed: 55)
        for round in 0..<200 {
            var machine = Self.machine(limit: 3, random: { 0.3 })
            var (waiting, told, out): (Set<UInt64>, Set<UInt64>, Set<UInt64>) = ([], [], [])
            var queued: Set<UInt64> = []
            var now = Duration.zero
            func take(_ actions: [Action]) {
                for action in actions {
                    switch action {
                    case .tell(let identifier, _):
                        let isToldNews = told.insert(identifier).inserted
                        #expect(isToldNews)
                    case .admit(let identifier), .expire(let identifier, _):
                        let wasWaiting = waiting.remove(identifier) != nil
                        #expect(wasWaiting)
                        let isOutNews = out.insert(identifier).inserted
                        #expect(isOutNews)
                        if machine.running.contains(identifier) { queued.insert(identifier) }
                    }
                }
                #expect(machine.running.count <= 3)
                #expect(machine.count == waiting.count)
            }
            for step in UInt64(1)...60 {
                now += .milliseconds(Int.random(in: 0..<3000, using: &generator))
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1:
                    waiting.insert(step)
                    let deadline = Bool.random(using: &generator) ? now + .seconds(20) : nil
                    let earliest = Bool.random(using: &generator) ? now + .seconds(2) : nil
                    take(machine.enter(step, WaitRequirement(), deadline: deadline, earliest: earliest, at: now))
                case 2: take(machine.see(Self.connectivity(.wifi), .passive, at: now))
                case 3: take(machine.see(Self.connectivity(.offline), .passive, at: now))
                case 4:
                    let runner = queued.randomElement(using: &generator)
                    if let runner { queued.remove(runner) }
                    take(machine.finish(runner ?? 0, at: now))
                default:
                    let leaver = waiting.sorted().randomElement(using: &generator)
                    if let leaver { waiting.remove(leaver) }
                    take(machine.leave(leaver ?? 0, at: now))
                }
            }
            // In the end the network is well and everybody finishes: nobody is left.
            take(machine.see(Self.connectivity(.wifi), .passive, at: now))
            while let time = machine.nextTime(after: now) ?? (machine.running.isEmpty ? nil : now) {
                now = max(now, time)
                take(machine.timePassed(at: now))
                for runner in machine.running.sorted() { take(machine.finish(runner, at: now)) }
            }
            #expect(waiting.isEmpty, "round \(round)")
        }
    }
}
