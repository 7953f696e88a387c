// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone

struct ScheduleTests {
    private func configuration(
        _ change: (inout ConnectivityMonitor.Configuration) -> Void
    ) -> ConnectivityMonitor.Configuration {
        var configuration = ConnectivityMonitor.Configuration.spaced
        change(&configuration)
        return configuration
    }

    /// The start times of checks, in seconds, if every check immediately gets the same verdict.
    private func starts(_ rig: MachineRig, _ verdict: InternetCheck.Verdict, count: Int) -> [Double] {
        var rig = rig
        while rig.starts.count < count {
            if rig.running != nil { rig.answer(verdict) }
            guard rig.advanceToTimer() else { break }
        }
        #expect(rig.violations == [])
        return rig.starts.map { $0 / .seconds(1) }
    }

    @Test func `while verified, a check runs at every interval`() {
        #expect(starts(.started(), .verified, count: 4) == [0, 60, 120, 180])
    }

    @Test func `for ten minutes after a login page has appeared, its end is noticed within three seconds`() {
        let times = starts(.started(), .somePortal, count: 210)
        #expect(times.starts(with: [0, 1, 3, 6, 9, 12]))
        let waits = zip(times.dropFirst(), times).filter { next, _ in next <= 600 }.map { $0 - $1 }
        #expect(waits.allSatisfy { $0 <= 3 })
        #expect(times.last.map { $0 > 660 } == true)
    }

    @Test func `a login page that appears after a long failure is tried again as soon`() {
        var rig = MachineRig.started()
        for _ in 0..<8 {
            rig.answer(.dead)
            _ = rig.advanceToTimer()
        }
        rig.answer(.somePortal)
        let appeared = rig.starts.last
        _ = rig.advanceToTimer()
        #expect(rig.starts.last == appeared.map { $0 + .seconds(3) })
        #expect(rig.violations == [])
    }

    @Test(arguments: [InternetCheck.Verdict.dead, .partial, .inconclusive])
    func `while failing, the wait doubles from one second up to the interval`(verdict: InternetCheck.Verdict) {
        #expect(starts(.started(), verdict, count: 9) == [0, 1, 3, 7, 15, 31, 63, 123, 183])
    }

    @Test func `polling only while not online ends with the first good verdict`() {
        let configuration = configuration { $0.polling = .whileNotOnline }
        #expect(starts(.started(.wifi, configuration), .verified, count: 2) == [0])
        #expect(starts(.started(.wifi, configuration), .dead, count: 3) == [0, 1, 3])
    }

    @Test(arguments: InternetCheck.Verdict.each) func `without polling there is one check`(
        verdict: InternetCheck.Verdict
    ) {
        let configuration = configuration { $0.polling = .never }
        #expect(starts(.started(.wifi, configuration), verdict, count: 2) == [0])
    }

    @Test func `a first retry beyond the interval is limited to the interval`() {
        let configuration = configuration { ($0.interval, $0.firstRetry) = (.seconds(5), .seconds(20)) }
        #expect(starts(.started(.wifi, configuration), .dead, count: 3) == [0, 5, 10])
    }

    @Test func `a good verdict resets the doubling`() {
        var rig = MachineRig.started()
        for _ in 0..<4 {
            rig.answer(.dead)
            _ = rig.advanceToTimer()
        }
        rig.answer(.verified)
        #expect(rig.timer == rig.now + .seconds(60))
        _ = rig.advanceToTimer()
        rig.answer(.dead)
        #expect(rig.timer == rig.now + .seconds(1))
    }

    @Test func `a new path resets the doubling and is checked at once`() {
        var rig = MachineRig.started()
        for _ in 0..<4 {
            rig.answer(.dead)
            _ = rig.advanceToTimer()
        }
        rig.answer(.dead)
        rig.advance(.seconds(3))
        rig.become(.cellular)
        #expect(rig.starts.last == rig.now)
        rig.answer(.dead)
        #expect(rig.timer == rig.now + .seconds(1))
    }

    @Test func `jitter shortens a wait, and never lengthens it`() {
        for (random, share) in [(0.0, 1.0), (0.5, 0.9), (1.0, 0.8), (7.0, 0.8), (-3.0, 1.0), (.nan, 1.0)] {
            var configuration = ConnectivityMonitor.Configuration()
            configuration.jitter = 0.2
            var rig = MachineRig(configuration) { random }
            rig.handle(.started)
            rig.become(.wifi)
            rig.answer(.verified)
            let wait = (rig.timer ?? .zero) / .seconds(1)
            #expect(abs(wait - 60 * share) < 0.001)
        }
    }

    @Test(arguments: [SimulatedPath.offline, .offline(.dormant), .offline(.noInterface)])
    func `without a path no check runs and no timer is set`(simulated: SimulatedPath) {
        var rig = MachineRig.started(simulated)
        for input in [MachineInput.checkRequested, .reported(.failed), .reported(.reached), .timerFired, .clockJumped] {
            rig.handle(input)
        }
        #expect(rig.starts.isEmpty)
        #expect(rig.timer == nil)
        #expect(rig.states == [ConnectivityState(simulated.path)])
    }

    @Test func `a hidden network is still checked`() {
        var rig = MachineRig.started(.unseen)
        rig.answer(.verified)
        #expect(rig.states == [.online])
    }

    @Test func `without a checker the state follows from the path alone`() {
        var rig = MachineRig(canCheck: false)
        rig.handle(.started)
        rig.become(.wifi)
        rig.handle(.checkRequested)
        #expect(rig.starts.isEmpty)
        #expect(rig.states == [.unverified])
        #expect(rig.timer == nil)
    }

    @Test func `a timer that fires early is set again`() {
        var rig = MachineRig.started()
        rig.answer(.verified)
        var machine = rig.machine
        let actions = machine.handle(.timerFired, at: rig.moment)
        #expect(actions == [.setTimer(.seconds(60))])
    }

    @Test func `a check that never answers is abandoned`() {
        var rig = MachineRig.started()
        rig.advance(.seconds(29))
        #expect(rig.running != nil)
        rig.advance(.seconds(1))
        #expect(rig.running == nil)
        #expect(rig.states == [.unverified, .unverified])
        rig.answer(1, .verified)
        #expect(rig.state == .unverified)
        rig.advance(.seconds(1))
        #expect(rig.running == 2)
        #expect(rig.violations == [])
    }

    @Test func `the silence of checks with a short time limit adds up until one is answered`() {
        var rig = MachineRig.started()
        func answerNothing(after duration: Duration) {
            rig.advance(duration)
            rig.answerTooShortSilence()
        }
        answerNothing(after: .seconds(2))
        #expect(rig.states == [.unverified])
        _ = rig.advanceToTimer()
        #expect(rig.now == .seconds(3))
        answerNothing(after: .milliseconds(999))
        #expect(rig.state == .unverified)
        _ = rig.advanceToTimer()
        answerNothing(after: .zero)
        #expect(rig.state == .limited)
        _ = rig.advanceToTimer()
        rig.answer(.verified)
        _ = rig.advanceToTimer()
        answerNothing(after: .seconds(2))
        #expect(rig.state == .unverified)
        #expect(rig.violations == [])
    }

    // MARK: The first value

    @Test func `whether the Internet was proven over a network is known until its link goes down`() {
        var rig = MachineRig.started()
        let wasProven = { (rig: inout MachineRig) in
            rig.answer(.somePortal)
            return rig.machine.connectivity.evidence?.wasProven
        }
        #expect(wasProven(&rig) == false)
        _ = rig.advanceToTimer()
        rig.answer(.verified)
        _ = rig.advanceToTimer()
        #expect(wasProven(&rig) == true)
        _ = rig.advanceToTimer()
        #expect(wasProven(&rig) == true)
        rig.become(.offline)
        rig.become(.wifi)
        #expect(wasProven(&rig) == false)
        #expect(rig.violations == [])
    }

    @Test func `the first value waits for the verdict`() {
        var rig = MachineRig.started()
        rig.advance(.seconds(2))
        #expect(rig.published.isEmpty)
        rig.answer(.verified)
        #expect(rig.states == [.online])
        #expect(rig.published.first?.changes == [])
    }

    @Test func `the first value is unverified if the bound passes first`() {
        var rig = MachineRig.started()
        rig.advance(.seconds(3))
        #expect(rig.states == [.unverified])
        rig.answer(.somePortal)
        #expect(rig.states == [.unverified, .captivePortal])
        #expect(rig.published.last?.changes == [.state, .internet])
    }

    @Test func `the first value is unknown if nothing is known within the bound`() {
        var rig = MachineRig()
        rig.handle(.started)
        rig.advance(.seconds(3))
        #expect(rig.states == [.unknown])
        rig.become(.offline)
        #expect(rig.states == [.unknown, .offline])
    }

    @Test func `without a path the first value is definite at once`() {
        #expect(MachineRig.started(.offline).states == [.offline])
    }

    @Test func `a bound of zero delivers the first value at the start`() {
        let rig = MachineRig.started(.wifi, configuration { $0.firstValueBound = .zero })
        #expect(rig.states == [.unknown, .unverified])
    }
}
