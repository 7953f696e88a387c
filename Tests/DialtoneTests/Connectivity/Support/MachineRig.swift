// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport

@testable import Dialtone

/// A machine on virtual time, in an environment that a test controls by hand.
struct MachineRig {
    private(set) var machine: ConnectivityMachine
    private(set) var moment: TimeSource.Moment
    /// Every published value, in order.
    private(set) var published: [Connectivity] = []
    /// The start times of the checks.
    private(set) var starts: [Duration] = []
    /// The operator that each check queried first; nil for a check of all.
    private(set) var queried: [String?] = []
    /// The check under way; nil once answered or cancelled.
    private(set) var running: UInt64?
    private(set) var lastGeneration: UInt64 = 0
    private(set) var timer: Duration?
    /// The situations for the heartbeat, in order.
    private(set) var situations: [HeartbeatSituation?] = []
    private let operators: [InternetCheck.Operator]
    private var lastAnswered: UInt64?
    /// The rules that the machine has violated.
    private(set) var violations: [String] = []

    init(
        _ configuration: ConnectivityMonitor.Configuration = .spaced, canCheck: Bool = true,
        hasNearbyHosts: Bool = false, operators: [InternetCheck.Operator] = [],
        random: @escaping @Sendable () -> Double = { 0 }
    ) {
        self.operators = operators
        moment = TimeSource.Moment(
            boottime: .zero, monotonic: .zero, realtime: Date(timeIntervalSince1970: 1_800_000_000))
        machine = ConnectivityMachine(
            configuration, canCheck: canCheck, hasNearbyHosts: hasNearbyHosts, operators: operators, at: moment,
            random: random)
    }

    /// Creates a machine that has been started with this path.
    static func started(
        _ simulated: SimulatedPath = .wifi, _ configuration: ConnectivityMonitor.Configuration = .spaced
    ) -> MachineRig {
        var rig = MachineRig(configuration)
        rig.handle(.started)
        rig.become(simulated)
        return rig
    }

    var states: [ConnectivityState] { published.map(\.state) }
    var state: ConnectivityState { machine.connectivity.state }
    var now: Duration { moment.boottime }

    mutating func handle(_ input: MachineInput) {
        if case .timerFired = input { timer = nil }
        for action in machine.handle(input, at: moment) {
            switch action {
            case .startCheck(let generation, _, let operatorName):
                if running != nil { violations.append("two checks at a time") }
                if generation <= lastGeneration { violations.append("a generation came twice") }
                (running, lastGeneration) = (generation, generation)
                starts.append(now)
                queried.append(operatorName)
            case .cancelCheck:
                if running != lastGeneration, lastGeneration != lastAnswered {
                    violations.append("a check was cancelled that did not run")
                }
                running = nil
            case .beat(let situation): situations.append(situation)
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

    /// Answers the running check with a silence that is too short to prove anything.
    mutating func answerTooShortSilence() {
        var report = InternetCheck.Report(
            verdict: .noInternet(.timedOut), checkedAt: moment.realtime,
            endpoints: [.init(url: "http://a.example/", .failed(.init(.timedOut, during: .connect)))])
        report.limit = .seconds(3)
        report.judgeSilence()
        answer(report)
    }

    /// Delivers an answer for any check, late or not.
    mutating func answer(
        _ generation: UInt64, _ verdict: InternetCheck.Verdict, identity: NetworkIdentity? = nil
    ) {
        if running == generation { running = nil }
        lastAnswered = generation
        let name = queried.last.flatMap(\.self)
        let asked = operators.filter { verdict != .verified || name == nil || $0.name == name }
        let report = InternetCheck.Report(
            verdict: verdict, checkedAt: moment.realtime,
            endpoints: asked.flatMap(\.urls).map {
                .init(url: $0, verdict == .verified ? .passed : .failed(.init(.timedOut, during: .headers)))
            })
        deliver(report, of: generation, identity)
    }

    /// Answers the running check with a report.
    mutating func answer(_ report: InternetCheck.Report) {
        guard let generation = running else { return violations.append("no check was running") }
        running = nil
        lastAnswered = generation
        deliver(report, of: generation, nil)
    }

    private mutating func deliver(
        _ report: InternetCheck.Report, of generation: UInt64, _ identity: NetworkIdentity?
    ) {
        handle(.checkFinished(generation: generation, report, identity))
    }

    /// Advances the time, firing the timer when it is due.
    mutating func advance(_ duration: Duration) {
        let end = now + duration
        while let due = timer, due <= end {
            move(max(due - now, .zero))
            handle(.timerFired)
        }
        move(end - now)
    }

    /// Advances the time up to the timer, and fires it; false if no timer is set.
    mutating func advanceToTimer() -> Bool {
        guard let timer else { return false }
        advance(max(timer - now, .zero))
        return true
    }

    /// Puts the machine to sleep: the timer fires late.
    mutating func sleep(_ duration: Duration) {
        moment.boottime += duration
        moment.realtime += duration / .seconds(1)
    }

    /// Stops the process, as SIGSTOP does: the timer fires late.
    mutating func stop(_ duration: Duration) { move(duration) }

    mutating func setWallClock(forward seconds: Double) { moment.realtime += seconds }

    private mutating func move(_ duration: Duration) {
        moment.boottime += duration
        moment.monotonic += duration
        moment.realtime += duration / .seconds(1)
    }
}

extension InternetCheck.Verdict {
    static let somePortal = URL(string: "http://login.example/").map(captivePortal) ?? .inconclusive
    static let dead = noInternet(.timedOut)
    static let each: [InternetCheck.Verdict] = [.verified, .partial, .somePortal, .dead, .inconclusive]
}

extension InternetCheck.Report {
    static let somePortal = Self(verdict: .somePortal, checkedAt: .distantPast)
    static let dead = Self(verdict: .dead, checkedAt: .distantPast)
}

extension SimulatedPath {
    static let each: [SimulatedPath] =
        [.wifi, .wifi("Cafe"), .wired, .cellular, .unseen] + PathDiagnosis.Reason.allCases.map(offline)
}

extension ConnectivityState {
    /// The state that follows from a path and a bare verdict, which counts only over a path that can be checked.
    init(_ path: NetworkPath, _ verdict: InternetCheck.Verdict?) {
        let report = verdict.map { InternetCheck.Report(verdict: $0, checkedAt: .distantPast) }
        self.init(path, checkedBy: path.canBeChecked ? report : nil)
    }
}

extension ConnectivityMonitor.Configuration {
    /// The default configuration, with its spacing of checks, but with exact waits.
    static let spaced: Self = {
        var configuration = Self()
        configuration.jitter = 0
        return configuration
    }()
}
