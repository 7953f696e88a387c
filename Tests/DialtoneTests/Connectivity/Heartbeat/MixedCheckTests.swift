// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// An outage that begins or ends while a check is under way.
struct MixedCheckTests {
    private static let names = report(.noInternet(.dnsSilent), .answers)
    /// Nothing beyond the router answered.
    private static let silent = {
        var report = Self.report(.noInternet(.timedOut), .silent)
        report.silence = .seconds(6)
        return report
    }()

    /// No name was resolved, and a public address answered, or did not.
    private static func report(
        _ verdict: InternetCheck.Verdict, _ beyond: InternetCheck.AddressAnswer.Outcome
    ) -> InternetCheck.Report {
        var report = InternetCheck.Report(verdict: verdict, checkedAt: .distantPast)
        report.endpoints = ["http://one.test/", "http://two.test/"].map {
            .init(
                url: $0, operatorName: $0, .failed(.init(.timedOut, during: .resolve)),
                durations: .init(total: .seconds(6)))
        }
        report.hops = .init(
            routers: [.init(.init(HeartbeatRig.router), .answers)],
            nameServers: [.init(HeartbeatRig.router, .silent, isNearby: true)],
            publicAddresses: [.init(HeartbeatRig.operators[0], beyond)])
        return report
    }

    private func rig(
        _ operators: [InternetCheck.Operator] = [], beating heartbeat: ConnectivityMonitor.Heartbeat? = .init()
    ) -> MachineRig {
        var configuration = ConnectivityMonitor.Configuration.spaced
        configuration.heartbeat = heartbeat
        var rig = MachineRig(configuration, operators: operators)
        rig.handle(.started)
        rig.become(.wired)
        rig.answer(.verified)
        return rig
    }

    private func observe(_ rig: inout MachineRig, _ isAnswered: Bool, _ sent: Double) {
        rig.handle(
            .observed(.init(hop: .beyond, isAnswered: isAnswered, sent: .seconds(sent), ended: rig.now)))
    }

    /// A rig in an outage, which two missed beats have reported.
    private func outage() -> MachineRig {
        var rig = rig()
        rig.advance(.seconds(10))
        observe(&rig, true, 9.98)
        rig.advance(.seconds(6))
        observe(&rig, false, 15)
        rig.advance(.seconds(1))
        observe(&rig, false, 16)
        rig.handle(.reported(.failed))
        return rig
    }

    @Test func `names that were asked in an outage are not blamed because addresses answer after it`() {
        var rig = outage()
        let count = rig.starts.count
        #expect(rig.running != nil)
        rig.advance(.seconds(3))
        observe(&rig, true, 19.98)
        rig.advance(.seconds(2))
        rig.answer(Self.names)
        // It asks again at once, and the state stays as it was.
        #expect(rig.state == .online && rig.starts.count == count + 1)
        rig.answer(.verified)
        #expect(rig.states == [.online])
        #expect(rig.violations == [])
    }

    @Test func `nor are they while the heartbeat has not seen the end yet`() {
        var rig = outage()
        rig.advance(.seconds(5))
        rig.answer(Self.names)
        #expect(rig.state == .online && rig.running != nil)
        rig.answer(.verified)
        #expect(rig.states == [.online])
    }

    @Test(arguments: [InternetCheck.AddressAnswer.Outcome.answers, .refuses])
    func `without a heartbeat, the check that meets the end of an outage does not blame them either`(
        beyond: InternetCheck.AddressAnswer.Outcome
    ) {
        let names = Self.report(.noInternet(.dnsSilent), beyond)
        for isEnd in [true, false] {
            var rig = rig(beating: nil)
            rig.handle(.reported(.failed))
            rig.advance(.seconds(6))
            rig.answer(Self.silent)
            #expect(rig.state == .noInternet)
            while rig.running == nil, rig.advanceToTimer() {}
            rig.advance(.seconds(5))
            rig.answer(names)
            // It asks again at once.
            #expect(rig.state == .noInternet && rig.running != nil)
            if isEnd { rig.answer(.verified) } else { rig.answer(names) }
            #expect(rig.states == [.online, .noInternet, isEnd ? .online : .limited])
            // Name servers that are blamed already are no end of an outage.
            if !isEnd {
                while rig.running == nil, rig.advanceToTimer() {}
                rig.answer(names)
                #expect(rig.running == nil)
            }
            #expect(rig.violations == [])
        }
    }

    @Test(arguments: [true, false]) func `names that took until the end of an outage are not slow`(hasBeats: Bool) {
        var rig = rig(beating: hasBeats ? .init() : nil)
        if hasBeats {
            rig = outage()
            rig.advance(.seconds(3))
            observe(&rig, true, 19.98)
        } else {
            rig.handle(.reported(.failed))
            rig.advance(.seconds(6))
            rig.answer(Self.silent)
            while rig.running == nil, rig.advanceToTimer() {}
        }
        var slow = Self.report(.verified, .answers)
        for place in slow.endpoints.indices {
            slow.endpoints[place].outcome = .passed
            slow.endpoints[place].durations = .init(resolve: .seconds(5), total: .milliseconds(5100))
        }
        rig.answer(slow)
        #expect(rig.state == .online && rig.machine.connectivity.remarks.isEmpty)
        rig.advance(.seconds(1))
        rig.handle(.checkRequested)
        rig.answer(slow)
        #expect(rig.machine.connectivity.remarks.map(\.kind) == [.slowNames])
    }

    @Test func `the same result without a change meanwhile counts, and so does the second of two`() {
        var rig = rig()
        rig.advance(.seconds(10))
        observe(&rig, true, 9.98)
        rig.handle(.reported(.failed))
        rig.advance(.seconds(2))
        rig.answer(Self.names)
        #expect(rig.state == .limited && rig.machine.connectivity.fault == .nameServers)

        rig = self.rig()
        rig.advance(.seconds(10))
        observe(&rig, true, 9.98)
        rig.handle(.reported(.failed))
        for second in [11.0, 21] {
            rig.advance(.seconds(1))
            observe(&rig, false, second)
            rig.advance(.seconds(3))
            observe(&rig, true, second + 3)
            if second == 11 {
                rig.answer(Self.names)
                #expect(rig.state == .online)
                rig.advance(.seconds(2))
            }
        }
        rig.answer(Self.names)
        #expect(rig.state == .limited)
        #expect(rig.violations == [])
    }

    @Test func `that nothing answers is right of a part of the check`() {
        var rig = rig()
        rig.advance(.seconds(10))
        observe(&rig, true, 9.98)
        rig.advance(.seconds(6))
        observe(&rig, false, 15)
        rig.handle(.reported(.failed))
        rig.advance(.seconds(5))
        observe(&rig, true, 20)
        rig.answer(Self.silent)
        #expect(rig.state == .noInternet)
    }

    @Test func `the routine check of all operators gives way to one that misses provoke`() {
        var rig = rig()
        while rig.now < .seconds(3590) {
            _ = rig.advanceToTimer()
            if rig.running != nil { rig.answer(.verified) }
        }
        let count = rig.starts.count
        _ = rig.advanceToTimer()
        #expect(rig.starts.count == count + 1 && rig.queried.last == .some(nil))
        rig.advance(.seconds(2))
        rig.handle(.reported(.failed))
        #expect(rig.starts.count == count + 2 && rig.starts.last == rig.now)
        // One that was provoked does not.
        rig.advance(.seconds(2))
        rig.handle(.reported(.failed))
        #expect(rig.starts.count == count + 2)
        rig.answer(.verified)
        #expect(rig.violations == [])
    }

    @Test func `a routine check never delays a provoked one, which waits because the last ones found nothing`() throws {
        var rig = rig(
            [.init("one", urls: ["http://one.test/"]), .init("two", urls: ["http://two.test/"])], beating: nil)
        // Provoked checks that confirm the verdict back off, here for longer than the routine check waits.
        for _ in 0..<7 {
            rig.handle(.reported(.failed))
            while rig.running == nil { guard rig.advanceToTimer() else { break } }
            rig.answer(.verified)
        }
        while rig.running == nil { guard rig.advanceToTimer() else { break } }
        let routine = rig.starts.count
        rig.handle(.reported(.failed))
        let due = try #require(rig.machine.provokedCheck)
        #expect(due > rig.now + .seconds(1))
        rig.advance(due - rig.now)
        #expect(rig.starts.count == routine + 1 && rig.starts.last == due)
        #expect(rig.violations == [])
    }
}
