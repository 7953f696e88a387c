// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import SystemSupport
import Testing

@testable import Dialtone

/// The number of requests that a monitor sends, on virtual time.
struct TrafficTests {
    private let operators = InternetCheck().endpointOperators

    private func started(polling: ConnectivityMonitor.Configuration.Polling = .always) -> MachineRig {
        var configuration = ConnectivityMonitor.Configuration.spaced
        configuration.polling = polling
        var rig = MachineRig(configuration, operators: operators)
        rig.handle(.started)
        rig.become(.wifi)
        return rig
    }

    private func online() -> MachineRig {
        var rig = started()
        rig.answer(.verified)
        return rig
    }

    // MARK: While verified

    @Test func `the default endpoints have six operators, each with HTTP and HTTPS`() {
        #expect(operators.map(\.name) == ["Google", "Apple", "Cloudflare", "GrapheneOS", "Fedora", "Ubuntu"])
        for entry in operators {
            #expect(entry.urls.map { $0.prefix { $0 != ":" } }.sorted() == ["http", "https"])
        }
    }

    @Test func `while verified, the operators take turns`() {
        var rig = online()
        for _ in 0..<8 {
            _ = rig.advanceToTimer()
            rig.answer(.verified)
        }
        let names = ["Google", "Apple", "Cloudflare", "GrapheneOS", "Fedora", "Ubuntu"]
        #expect(rig.queried == [nil] + names + ["Google", "Apple"])
        #expect(rig.states == [.online])
    }

    @Test func `a verified day sends 3,120 requests: a check of all operators each hour, and one of them each minute`()
    {
        var rig = started()
        rig.answer(.verified)
        let before = rig.queried.count
        while rig.now < .seconds(86_400) {
            guard rig.advanceToTimer() else { break }
            rig.answer(.verified)
        }
        let requests = rig.queried.dropFirst(before).map { name in
            operators.filter { name == nil || $0.name == name }.map(\.urls.count).reduce(0, +)
        }
        #expect(rig.queried.dropFirst(before).count { $0 == nil } == 24)
        #expect(requests.reduce(0, +) == 3_120)
    }

    @Test func `a check of one operator is given up only when the check of all that follows it is late, too`() {
        var rig = online()
        let limit = ConnectivityMonitor.Configuration().checkTimeLimit
        _ = rig.advanceToTimer()
        #expect(rig.queried.last == "Google")
        rig.advance(limit * 2 - .milliseconds(1))
        #expect(rig.states == [.online])
        rig.advance(.milliseconds(1))
        #expect(rig.states == [.online, .unverified])
        _ = rig.advanceToTimer()
        #expect(rig.queried.last == .some(nil))
        rig.advance(limit)
        #expect(rig.running == nil)
        #expect(rig.violations == [])
    }

    @Test(arguments: [true, false])
    func `the result of a check counts that ends after this process was stopped`(afterTimer: Bool) {
        var rig = online()
        _ = rig.advanceToTimer()
        rig.stop(.seconds(300))
        if afterTimer { rig.handle(.timerFired) }
        rig.answer(.verified)
        #expect(rig.states == [.online])
        // One that never ends is given up.
        _ = rig.advanceToTimer()
        rig.stop(.seconds(300))
        rig.handle(.timerFired)
        rig.advance(ConnectivityMonitor.Configuration().checkTimeLimit * 2)
        #expect(rig.states == [.online, .unverified])
        #expect(rig.violations == [])
    }

    @Test func `after a full round that found a fault, the next scheduled check queries all`() {
        var rig = online()
        _ = rig.advanceToTimer()
        rig.answer(.dead)
        _ = rig.advanceToTimer()
        rig.answer(.verified)
        _ = rig.advanceToTimer()
        #expect(rig.queried == [nil, "Google", nil, "Apple"])
    }

    @Test func `a change of network and a request query all operators`() {
        var rig = online()
        rig.advance(.seconds(10))
        rig.handle(.checkRequested)
        rig.answer(.verified)
        rig.become(.cellular)
        rig.answer(.verified)
        rig.handle(.clockJumped)
        #expect(rig.queried == [nil, nil, nil, nil])
    }

    @Test func `a request during a check of one operator is followed by a check of all`() {
        var rig = online()
        _ = rig.advanceToTimer()
        rig.handle(.checkRequested)
        rig.answer(.verified)
        #expect(rig.machine.isVerifying)
        rig.advance(.seconds(1))
        #expect(rig.queried == [nil, "Google", nil])
    }

    @Test(arguments: [ConnectivityMonitor.ReportedOutcome.failed, .proven])
    func `a failure during a check of one operator ends it, and all are queried at once`(
        next: ConnectivityMonitor.ReportedOutcome
    ) {
        var rig = online()
        _ = rig.advanceToTimer()
        let cut = rig.lastGeneration
        rig.handle(.reported(.failed))
        #expect(rig.running == nil)
        // Its findings mix the time before with the time after.
        rig.answer(cut, .verified)
        // A response that proves the Internet takes the place of the check.
        rig.handle(.reported(next))
        rig.advance(.seconds(1))
        #expect(rig.queried == [nil, "Google"] + (next == .failed ? [nil] : []))
        if next == .failed { rig.answer(.dead) } else { rig.advance(.seconds(60)) }
        #expect(rig.starts.count == 3)
        #expect(rig.states == (next == .failed ? [.online, .limited] : [.online]))
        #expect(rig.violations == [])
    }

    @Test func `an operator that failed is not in the rotation, and operators that passed come first`() {
        var rotation = OperatorRotation(operators)
        var report = InternetCheck.Report(verdict: .verified, checkedAt: .distantPast, endpoints: evidence(operators))
        report.endpoints[0] = .init(url: operators[0].urls[0], .failed(.init(.timedOut, during: .headers)))
        report.endpoints[3] = .init(url: operators[1].urls[1], .failed(.init(.abandoned, during: .judge)))
        rotation.update(with: report)
        let turns = ["Cloudflare", "GrapheneOS", "Fedora", "Ubuntu", "Apple", "Cloudflare"]
        #expect(turns.map { _ in rotation.next() } == turns)
        // A report on one operator says nothing about the others.
        report.endpoints = Array(report.endpoints.suffix(2))
        rotation.update(with: report)
        #expect(rotation.next() == "GrapheneOS")
    }

    @Test func `an operator whose HTTPS endpoints could not take part is not in the rotation`() {
        var rotation = OperatorRotation(operators)
        var report = InternetCheck.Report(verdict: .verified, checkedAt: .distantPast, endpoints: evidence(operators))
        for index in report.endpoints.indices where report.endpoints[index].url.hasPrefix("https:") {
            report.endpoints[index].outcome = .failed(.init(.tlsUnavailable, during: .tls))
        }
        rotation.update(with: report)
        #expect(rotation.next() == nil)
        let plain = operators.map { InternetCheck.Operator($0.name, urls: [$0.urls[0]]) }
        rotation = OperatorRotation(plain)
        rotation.update(with: .init(verdict: .verified, checkedAt: .distantPast, endpoints: evidence(plain)))
        #expect(rotation.next() == nil)
    }

    @Test func `while one operator dissents every check queries all`() throws {
        var rotation = OperatorRotation(operators)
        var report = InternetCheck.Report(verdict: .verified, checkedAt: .distantPast, endpoints: evidence(operators))
        report.endpoints[0].outcome = .portal(try #require(URL(string: "http://filter.example/")))
        #expect(report.remarks.count == 1)
        rotation.update(with: report)
        #expect(rotation.next() == nil)
        report.endpoints[0].outcome = .passed
        rotation.update(with: report)
        #expect(rotation.next() != nil)
    }

    @Test(arguments: [(1, [nil, nil]), (2, ["Google", "Apple", "Google"])])
    func `two operators are enough for a rotation`(count: Int, turns: [String?]) {
        let operators = Array(operators.prefix(count))
        var rotation = OperatorRotation(operators)
        rotation.update(
            with: .init(verdict: .verified, checkedAt: .distantPast, endpoints: evidence(operators)))
        #expect(turns.map { _ in rotation.next() } == turns)
    }

    private func evidence(_ operators: [InternetCheck.Operator]) -> [InternetCheck.Evidence] {
        operators.flatMap(\.urls).map { .init(url: $0, .passed) }
    }

    // MARK: Reported outcomes

    /// Simulates an hour in which the app reports a failure every `seconds`, and every check succeeds at once.
    @Test(arguments: [0.1, 0.25, 1, 2, 3, 7, 10, 30, 59, 60, 61, 90, 300])
    func `an hour of failures on a good connection causes at most 12 rounds`(seconds: Double) {
        for polling in ConnectivityMonitor.Configuration.Polling.allCases {
            var rig = started(polling: polling)
            rig.answer(.verified)
            rig.advance(.seconds(30))
            let (start, before) = (rig.now, rig.queried.count)
            var next = start
            while next < start + .seconds(3600) {
                advance(&rig, to: next)
                rig.handle(.reported(.failed))
                if rig.running != nil { rig.answer(.verified) }
                next += .seconds(seconds)
            }
            advance(&rig, to: start + .seconds(3600) - .nanoseconds(1))
            let rounds = rig.queried.dropFirst(before).count { $0 == nil }
            #expect(rounds <= 12, "\(polling)")
            #expect(rounds >= 5, "\(polling)")
            #expect(rig.states == [.online])
            #expect(rig.violations == [])
        }
    }

    /// The checks take 10 s each, and failures during a check count too.
    @Test func `slow checks in an hour of failures cause at most 12 rounds`() {
        var rig = online()
        rig.advance(.seconds(30))
        let before = rig.queried.count
        var startOfCheck: Duration?
        for _ in 0..<3600 {
            rig.handle(.reported(.failed))
            if rig.running != nil {
                startOfCheck = startOfCheck ?? rig.now
                if let began = startOfCheck, rig.now - began >= .seconds(10) {
                    rig.answer(.verified)
                    startOfCheck = nil
                }
            }
            rig.advance(.seconds(1))
        }
        #expect(rig.queried.dropFirst(before).count { $0 == nil } <= 12)
        #expect(rig.violations == [])
    }

    /// A captive portal answers the app's plain requests.
    @Test func `an hour of plain responses behind a portal provokes at most 12 checks besides the schedule`() {
        func starts(reporting: Bool) -> Int {
            var rig = started()
            rig.answer(.somePortal)
            for _ in 0..<3600 {
                rig.advance(.seconds(1))
                if rig.running != nil { rig.answer(.somePortal) }
                if reporting { rig.handle(.reported(.reached)) }
                if rig.running != nil { rig.answer(.somePortal) }
            }
            return rig.starts.count
        }
        #expect(starts(reporting: true) <= starts(reporting: false) + 12)
    }

    @Test func `a change of verdict or of path makes the next failure provoke a check at once`() {
        func stormed() -> MachineRig {
            var rig = online()
            for _ in 0..<600 {
                rig.advance(.seconds(1))
                rig.handle(.reported(.failed))
                if rig.running != nil { rig.answer(.verified) }
            }
            return rig
        }
        var rig = stormed()
        var before = rig.starts.count
        rig.handle(.reported(.failed))
        #expect(rig.starts.count == before)

        rig.handle(.checkRequested)
        rig.answer(.dead)
        rig.advance(.seconds(1))
        rig.answer(.verified)
        rig.advance(.seconds(1))
        before = rig.starts.count
        rig.handle(.reported(.failed))
        #expect(rig.starts.count == before + 1)

        rig = stormed()
        rig.become(.cellular)
        rig.answer(.verified)
        rig.advance(.seconds(1))
        before = rig.starts.count
        rig.handle(.reported(.failed))
        #expect(rig.starts.count == before + 1)
    }

    @Test func `a failure is not forgotten: its check starts as soon as it is allowed`() {
        var configuration = ConnectivityMonitor.Configuration.spaced
        configuration.polling = .never
        var rig = MachineRig.started(.wifi, configuration)
        rig.answer(.verified)
        for wait in [0, 1, 2] {
            rig.advance(.seconds(wait == 0 ? 10 : wait))
            rig.handle(.reported(.failed))
            rig.answer(.verified)
        }
        rig.handle(.reported(.failed))
        #expect(rig.running == nil)
        #expect(!rig.machine.isVerifying)
        #expect(rig.timer == rig.now + .seconds(4))
        rig.advance(.seconds(4))
        rig.answer(.dead)
        #expect(rig.states == [.online, .limited])
    }

    // MARK: Proof from the app's own requests

    @Test func `a validated HTTPS response saves the next check, a plain response does not`() {
        var rig = online()
        rig.advance(.seconds(50))
        rig.handle(.reported(.reached))
        #expect(rig.timer == .seconds(60))
        rig.handle(.reported(.proven))
        #expect(rig.timer == .seconds(110))
        rig.advance(.seconds(20))
        #expect(rig.starts == [.zero])
    }

    @Test func `the app's own responses never postpone checks for more than five intervals`() {
        var rig = online()
        for _ in 0..<1200 {
            rig.advance(.seconds(1))
            rig.handle(.reported(.proven))
            if rig.running != nil { rig.answer(.verified) }
        }
        #expect(rig.starts.map { $0 / .seconds(1) } == [0, 300, 600, 900, 1200])
    }

    @Test func `a validated response cancels the check that a reported failure provoked`() {
        var rig = online()
        rig.advance(.seconds(10))
        rig.handle(.reported(.failed))
        rig.answer(.verified)
        rig.handle(.reported(.failed))
        rig.handle(.reported(.proven))
        rig.advance(.seconds(5))
        #expect(rig.starts.count == 2)
    }

    @Test(arguments: [InternetCheck.Verdict.dead, .somePortal, .partial])
    func `a validated response during an outage starts a check and proves nothing`(verdict: InternetCheck.Verdict) {
        var rig = started()
        rig.answer(verdict)
        for _ in 0..<4 {
            _ = rig.advanceToTimer()
            rig.answer(verdict)
        }
        rig.advance(.seconds(2))
        rig.handle(.reported(.proven))
        #expect(rig.running != nil)
        #expect(rig.machine.report?.verdict == verdict)
    }

    private func advance(_ rig: inout MachineRig, to time: Duration) {
        while rig.now < time {
            if let timer = rig.timer, timer <= time {
                _ = rig.advanceToTimer()
            } else {
                rig.advance(time - rig.now)
            }
            if rig.running != nil { rig.answer(.verified) }
        }
    }
}
