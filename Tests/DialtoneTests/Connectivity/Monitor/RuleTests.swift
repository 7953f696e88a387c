// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Testing

@testable import Dialtone

struct RuleTests {
    private func online(_ simulated: SimulatedPath = .wifi) -> MachineRig {
        var rig = MachineRig.started(simulated)
        rig.answer(.verified)
        rig.advance(.seconds(10))
        return rig
    }

    @Test func `a portal that puts the requested URL into its address is reported once`() throws {
        let pages = try ["http://login.test/?for=1", "http://login.test/?for=2"].map { try #require(URL(string: $0)) }
        var rig = MachineRig.started()
        rig.answer(.captivePortal(pages[0]))
        _ = rig.advanceToTimer()
        rig.answer(.captivePortal(pages[1]))
        #expect(rig.states == [.captivePortal])
        #expect(rig.machine.connectivity.evidence?.verdict.portal == pages[1])
        _ = rig.advanceToTimer()
        rig.answer(.noInternet(.refused))
        _ = rig.advanceToTimer()
        rig.answer(.noInternet(.timedOut))
        #expect(rig.states == [.captivePortal, .limited, .limited])
        #expect(rig.published.last?.changes == [.internet, .fault])
        #expect(rig.violations == [])
    }

    // MARK: Paths

    @Test func `a late answer never overwrites a newer verdict`() {
        var rig = MachineRig.started()
        let slow = rig.lastGeneration
        rig.become(.cellular)
        rig.advance(.seconds(1))
        rig.answer(.verified)
        let before = rig.machine.connectivity
        for verdict in InternetCheck.Verdict.each { rig.answer(slow, verdict) }
        #expect(rig.machine.connectivity == before)
        #expect(rig.states == [.online])
    }

    @Test func `an answer from before the path was lost does not apply to the path after`() {
        var rig = online()
        rig.advance(.seconds(50))
        let slow = rig.lastGeneration
        #expect(rig.running == slow)
        rig.become(.offline)
        rig.become(.wifi)
        rig.answer(slow, .verified)
        #expect(rig.states == [.online, .offline, .unverified])
    }

    @Test func `a network with the same addresses behind another router is another network`() {
        var rig = online()
        rig.become(.wifi("Cafe"))
        #expect(rig.states == [.online, .unverified])
        #expect(rig.published.last?.changes.contains(.network) == true)
        rig.answer(.verified)
        #expect(rig.states == [.online, .unverified, .online])
        #expect(rig.published.last?.identity?.ssid == "Cafe")
    }

    @Test func `a different network after a gap is detected, and the same network is recognized`() {
        var rig = online()
        rig.become(.offline)
        rig.become(.wifi)
        #expect(rig.states == [.online, .offline, .unverified])
        #expect(rig.published.allSatisfy { !$0.changes.contains(.network) })
        rig.become(.offline)
        rig.become(.wifi("Cafe"))
        #expect(rig.states == [.online, .offline, .unverified, .offline, .unverified])
        #expect(rig.published.map { $0.changes.contains(.network) } == [false, false, false, false, true])
    }

    @Test func `a network that was replaced unnoticed is detected after the next check`() {
        var rig = online()
        rig.advance(.seconds(50))
        rig.answer(.verified, identity: SimulatedPath.wifi("Cafe").identity)
        #expect(rig.states == [.online, .unverified])
        #expect(rig.published.last?.changes == [.state, .network, .internet])
        rig.advance(.seconds(1))
        rig.answer(.verified, identity: SimulatedPath.wifi("Cafe").identity)
        #expect(rig.states == [.online, .unverified, .online])
    }

    @Test func `a router whose address becomes known later is not another network`() {
        var unresolved = SimulatedPath.wifi
        unresolved.identity?.gatewayLinkAddresses = []
        var rig = MachineRig.started(unresolved)
        rig.answer(.verified, identity: SimulatedPath.wifi.identity)
        rig.advance(.seconds(60))
        rig.answer(.verified, identity: unresolved.identity)
        #expect(rig.states == [.online])
        #expect(rig.machine.connectivity.identity == SimulatedPath.wifi.identity)
    }

    @Test func `a path that only gains routes keeps its verdict, and is checked`() {
        var ipv4 = SimulatedPath.wifi
        ipv4.path.supportsIPv6 = false
        ipv4.path.gateways = Array(ipv4.path.gateways.prefix(1))
        var rig = online(ipv4)
        rig.become(.wifi)
        #expect(rig.states == [.online, .online])
        #expect(rig.published.last?.changes.map(\.rawValue) == ["supportsIPv6", "gateways"])
        #expect(rig.running != nil)
        rig.answer(.verified)
        #expect(rig.published.count == 2)
    }

    @Test func `a path that gains routes during a check is checked once more`() {
        var ipv4 = SimulatedPath.wifi
        ipv4.path.supportsIPv6 = false
        var rig = MachineRig.started(ipv4)
        rig.become(.wifi)
        #expect(rig.running == 1)
        rig.answer(.verified)
        rig.advance(.seconds(1))
        #expect(rig.running == 2)
        #expect(rig.violations == [])
    }

    /// Paths that lack something that `.wifi` has, or lead elsewhere.
    static let others: [SimulatedPath] = {
        var (ipv6, ipv4, router, cable) = (
            SimulatedPath.wifi, SimulatedPath.wifi, SimulatedPath.wifi, SimulatedPath.wifi
        )
        ipv6.path.supportsIPv4 = false
        ipv4.path.supportsIPv6 = false
        router.path.gateways = [.init(NetworkAddress(192, 0, 2, 9))]
        cable.path.interfaces.insert(.init(name: "eth9", index: 9, type: .wiredEthernet), at: 0)
        return [ipv6, ipv4, router, cable]
    }()

    @Test(arguments: others) func `a path that loses something is checked again`(other: SimulatedPath) {
        var rig = online()
        rig.become(other)
        #expect(rig.states == [.online, .unverified])
        #expect(rig.running != nil)
    }

    @Test func `an identical path is not reported`() {
        var rig = online()
        rig.become(.wifi)
        #expect(rig.published.count == 1)
        #expect(rig.running == nil)
    }

    @Test func `a flapping path does not start a check at every change`() {
        var rig = online()
        let before = rig.starts.count
        for turn in 0..<1000 {
            rig.become(turn.isMultiple(of: 2) ? .cellular : .wifi)
            rig.advance(.milliseconds(1))
        }
        #expect(rig.starts.count - before <= 4)
        #expect(rig.violations == [])
    }

    // MARK: Reports

    @Test func `a reported failure while verified starts a check`() {
        var rig = online()
        rig.handle(.reported(.failed))
        #expect(rig.running != nil)
        #expect(rig.states == [.online])
        rig.answer(.dead)
        #expect(rig.states == [.online, .limited])
    }

    @Test func `a thousand reported failures start one check`() {
        var rig = online()
        let before = rig.starts.count
        for _ in 0..<1000 { rig.handle(.reported(.failed)) }
        rig.answer(.dead)
        for _ in 0..<1000 { rig.handle(.reported(.failed)) }
        #expect(rig.starts.count == before + 1)
    }

    @Test(arguments: [nil, InternetCheck.Verdict.inconclusive])
    func `a failure during a check causes another check after a good verdict`(before: InternetCheck.Verdict?) {
        var rig = MachineRig.started()
        if let before {
            rig.answer(before)
            _ = rig.advanceToTimer()
        }
        rig.handle(.reported(.failed))
        rig.answer(.verified)
        rig.advance(.seconds(1))
        #expect(rig.running == (before == nil ? 2 : 3))
        rig.answer(.verified)
        #expect(rig.timer == rig.now + .seconds(60))
    }

    @Test(arguments: [InternetCheck.Verdict.dead, .somePortal, .partial])
    func `a reported success while the Internet seems unreachable starts a check`(verdict: InternetCheck.Verdict) {
        var rig = MachineRig.started()
        rig.answer(verdict)
        for _ in 0..<5 {
            _ = rig.advanceToTimer()
            rig.answer(verdict)
        }
        rig.advance(.seconds(2))
        rig.handle(.reported(.reached))
        #expect(rig.running != nil)
        rig.answer(.verified)
        #expect(rig.state == .online)
    }

    @Test func `a reported success while online changes nothing`() {
        var rig = online()
        let timer = rig.timer
        rig.handle(.reported(.reached))
        #expect(rig.running == nil)
        #expect(rig.timer == timer)
    }

    // MARK: Requests

    @Test func `requests start at most one check per spacing`() {
        var rig = online()
        let before = rig.starts.count
        for _ in 0..<100 {
            rig.handle(.checkRequested)
            if rig.running != nil { rig.answer(.verified) }
            rig.advance(.milliseconds(100))
        }
        #expect(rig.starts.count - before <= 11)
        #expect(rig.starts.count - before >= 10)
        for (first, second) in zip(rig.starts, rig.starts.dropFirst()) { #expect(second - first >= .seconds(1)) }
    }

    @Test func `a request joins the running check`() {
        var rig = online()
        rig.handle(.checkRequested)
        rig.handle(.checkRequested)
        rig.answer(.verified)
        rig.advance(.seconds(5))
        #expect(rig.starts.count == 2)
    }

    // MARK: Suspending

    @Test func `while suspended, the machine follows paths but does not check`() {
        var rig = online()
        rig.handle(.checkRequested)
        rig.handle(.suspended)
        #expect(rig.running == nil)
        #expect(rig.timer == nil)
        rig.become(.offline)
        rig.become(.cellular)
        rig.handle(.checkRequested)
        rig.handle(.reported(.failed))
        #expect(rig.running == nil)
        #expect(rig.states == [.online, .offline, .unverified])
        rig.handle(.resumed)
        rig.answer(.verified)
        #expect(rig.state == .online)
        #expect(rig.violations == [])
    }

    @Test func `resuming checks again`() {
        var rig = online()
        rig.handle(.suspended)
        rig.advance(.seconds(3600))
        #expect(rig.states == [.online])
        rig.handle(.resumed)
        #expect(rig.states == [.online, .unverified])
        rig.handle(.resumed)
        #expect(rig.starts.count == 2)
    }

    // MARK: Sleep and the wall clock

    @Test func `after a sleep the verdict no longer counts`() {
        var rig = online()
        rig.sleep(.seconds(3600))
        rig.handle(.timerFired)
        #expect(rig.states == [.online, .unverified])
        #expect(rig.running != nil)
        rig.answer(.verified)
        #expect(rig.states == [.online, .unverified, .online])
    }

    @Test func `a sleep below the threshold does not count`() {
        var rig = online()
        rig.sleep(.milliseconds(4900))
        rig.handle(.timerFired)
        #expect(rig.states == [.online])
        #expect(rig.running == nil)
    }

    @Test func `an answer that was under way before the sleep does not count`() {
        var rig = online()
        rig.handle(.checkRequested)
        let slow = rig.lastGeneration
        rig.sleep(.seconds(3600))
        rig.answer(slow, .verified)
        #expect(rig.state == .unverified)
        #expect(rig.running == slow + 1)
    }

    @Test(arguments: [3600.0, -3600.0]) func `a changed wall clock starts a check but keeps the verdict`(jump: Double) {
        var rig = online()
        rig.setWallClock(forward: jump)
        rig.handle(.timerFired)
        #expect(rig.states == [.online])
        #expect(rig.running != nil)
    }

    @Test(arguments: [3600.0, -7200, 2, 1]) func `the times of a state are those of the clock that was set`(
        jump: Double
    ) throws {
        var rig = online()
        rig.handle(.reported(.failed))
        rig.answer(.dead)
        let before = rig.machine.connectivity
        rig.setWallClock(forward: jump)
        rig.handle(.clocksLookedAt)
        let after = rig.machine.connectivity
        // A smaller step may be a difference between the clocks.
        let step = jump == 1 ? 0 : jump
        #expect(after.since == before.since + step)
        let (old, new) = (try #require(before.beginning), try #require(after.beginning))
        #expect(new.latest == old.latest + step && new.earliest == old.earliest.map { $0 + step })
        #expect(after.state == .limited && rig.published.count == 2)
        #expect(rig.machine.firstValue?.since == after.since)
    }

    @Test func `after the clock was set back, the loss of a minute is a remark at once`() {
        var rig = online()
        rig.setWallClock(forward: -7200)
        rig.handle(.clocksLookedAt)
        rig.answer(.verified)
        rig.advance(.seconds(61))
        let trips = (0..<10).map { $0 < 2 ? nil : Duration.milliseconds(20) }
        rig.handle(.minute(HopMinute(start: rig.moment.realtime - 60, hops: [.beyond: HopStatistics(trips)])))
        #expect(rig.machine.connectivity.remarks.map(\.kind) == [.packetLoss])
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300]) func `an absurd wall clock does no harm`(jump: Double)
    {
        var rig = online()
        rig.setWallClock(forward: jump)
        rig.handle(.timerFired)
        rig.handle(.checkRequested)
        #expect(rig.states == [.online])
    }

    @Test func `a reported wake counts as a sleep`() {
        var rig = online()
        rig.handle(.clockJumped)
        #expect(rig.states == [.online, .unverified])
        #expect(rig.running != nil)
    }
}
