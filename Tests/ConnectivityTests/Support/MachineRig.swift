//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneTesting
import FoundationEssentials
import TestSupport

@testable import Dialtone

/// A machine on virtual time, with a world around it that a test moves by hand.
struct MachineRig {
    private(set) var machine: ConnectivityMachine
    private(set) var moment: MonitorTime.Moment
    /// Everything published, in order.
    private(set) var published: [Connectivity] = []
    /// When each check began.
    private(set) var starts: [Duration] = []
    /// The check that the world is running; nil once answered or cancelled.
    private(set) var running: UInt64?
    private(set) var lastGeneration: UInt64 = 0
    private(set) var timer: Duration?
    private var lastAnswered: UInt64?
    /// What the machine did that no machine may do.
    private(set) var violations: [String] = []

    init(
        _ configuration: ConnectivityMonitor.Configuration = .withoutJitter, canCheck: Bool = true,
        random: @escaping @Sendable () -> Double = { 0 }
    ) {
        moment = MonitorTime.Moment(elapsed: .zero, awake: .zero, wall: Date(timeIntervalSince1970: 1_800_000_000))
        machine = ConnectivityMachine(configuration, canCheck: canCheck, at: moment, random: random)
    }

    /// A machine that has been started, with this path.
    static func started(
        _ simulated: SimulatedPath = .wifi, _ configuration: ConnectivityMonitor.Configuration = .withoutJitter
    ) -> MachineRig {
        var rig = MachineRig(configuration)
        rig.handle(.started)
        rig.become(simulated)
        return rig
    }

    var states: [ConnectivityState] { published.map(\.state) }
    var state: ConnectivityState { machine.connectivity.state }
    var now: Duration { moment.elapsed }

    mutating func handle(_ input: MachineInput) {
        if case .timerFired = input { timer = nil }
        for action in machine.handle(input, at: moment) {
            switch action {
            case .startCheck(let generation, _):
                if running != nil { violations.append("two checks at a time") }
                if generation <= lastGeneration { violations.append("a generation came twice") }
                (running, lastGeneration) = (generation, generation)
                starts.append(now)
            case .cancelCheck(let generation):
                if running != generation, generation != lastAnswered {
                    violations.append("a check was cancelled that did not run")
                }
                running = nil
            case .setTimer(let time):
                if time == timer { violations.append("the timer was set to what it was") }
                timer = time
            case .publish(let value):
                if let last = published.last, value.changes(since: last).isEmpty {
                    violations.append("\(value.state) was published twice")
                }
                if value.changes != published.last.map({ value.changes(since: $0) }) ?? [] {
                    violations.append("wrong changes: \(value.changes)")
                }
                published.append(value)
            }
        }
    }

    mutating func become(_ simulated: SimulatedPath) { handle(.path(simulated.path, simulated.identity)) }

    /// Answers the running check.
    mutating func answer(_ verdict: InternetCheck.Verdict, identity: NetworkIdentity? = nil) {
        guard let generation = running else { return violations.append("no check was running") }
        answer(generation, verdict, identity: identity)
    }

    /// Answers any check, late or not.
    mutating func answer(_ generation: UInt64, _ verdict: InternetCheck.Verdict, identity: NetworkIdentity? = nil) {
        if running == generation { running = nil }
        lastAnswered = generation
        let report = InternetCheck.Report(verdict: verdict, checkedAt: moment.wall)
        handle(.checkFinished(generation: generation, report, identity))
    }

    /// Lets time pass, firing the timer when it is due.
    mutating func advance(_ duration: Duration) {
        let end = now + duration
        while let due = timer, due <= end {
            move(max(due - now, .zero))
            handle(.timerFired)
        }
        move(end - now)
    }

    /// Lets time pass up to the timer, and fires it; false if it is not set.
    mutating func advanceToTimer() -> Bool {
        guard let timer else { return false }
        advance(max(timer - now, .zero))
        return true
    }

    /// The machine sleeps: the timer comes late.
    mutating func sleep(_ duration: Duration) {
        moment.elapsed += duration
        moment.wall += duration / .seconds(1)
    }

    mutating func setWallClock(forward seconds: Double) { moment.wall += seconds }

    private mutating func move(_ duration: Duration) {
        moment.elapsed += duration
        moment.awake += duration
        moment.wall += duration / .seconds(1)
    }
}

extension InternetCheck.Verdict {
    static let somePortal = URL(string: "http://login.example/").map(captivePortal) ?? .inconclusive
    static let dead = noInternet(.timedOut)
    static let each: [InternetCheck.Verdict] = [.verified, .partial, .somePortal, .dead, .inconclusive]
}

extension SimulatedPath {
    static let each: [SimulatedPath] =
        [.wifi, .wifi("Cafe"), .wired, .cellular, .unseen] + PathDiagnosis.Reason.allCases.map(offline)
}
