// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

struct InterleavingTests {
    /// The paths that the random events choose from.
    private static let paths: [SimulatedPath] = {
        var ipv4 = SimulatedPath.wifi
        ipv4.path.supportsIPv6 = false
        var metered = SimulatedPath.wifi
        metered.path.isExpensive = true
        return [.wifi, .wifi("Cafe"), ipv4, metered, .cellular, .wired, .offline, .offline(.dormant), .unseen]
    }()

    private static let routes: [[NetworkAddress: HostRoute]] = [[:], .toProxy, .toProxy(over: "up1")]

    @Test(arguments: 0..<1000) func `any order of events keeps the invariants`(seed: UInt64) {
        play(seed, hasNearbyHosts: false)
    }

    @Test(arguments: 0..<1000) func `any order of events and of routes to proxies keeps the invariants`(seed: UInt64) {
        play(seed, hasNearbyHosts: true)
    }

    private func play(_ seed: UInt64, hasNearbyHosts: Bool) {
        var random = SeededGenerator(seed: seed)
        var configuration = ConnectivityMonitor.Configuration()
        configuration.polling =
            ConnectivityMonitor.Configuration.Polling.allCases.randomElement(using: &random) ?? .always
        var rig = MachineRig(configuration, hasNearbyHosts: hasNearbyHosts) { 0.5 }
        rig.handle(.started)
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            if hasNearbyHosts, Int.random(in: 0..<8, using: &random) == 0 {
                rig.handle(.nearbyRoutes(Self.routes.randomElement(using: &random) ?? [:]))
                check(rig)
            } else {
                step(&rig, &random)
            }
        }
        converge(&rig, &random, seed: seed)
    }

    private func step(_ rig: inout MachineRig, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1, 2: rig.become(Self.paths.randomElement(using: &random) ?? .wifi)
        case 3, 4, 5:
            guard let running = rig.running else { return }
            rig.answer(running, verdict(&random), identity: identity(&random))
        case 6: answerLate(&rig, &random)
        case 7: rig.handle(.reported(Bool.random(using: &random) ? .failed : .reached))
        case 8: rig.handle(.checkRequested)
        case 9: rig.handle([.suspended, .resumed, .clockJumped, .timerFired].randomElement(using: &random) ?? .resumed)
        case 10: rig.sleep(.milliseconds(Int.random(in: 1...20_000, using: &random)))
        default: rig.advance(.milliseconds(Int.random(in: 1...40_000, using: &random)))
        }
        check(rig)
    }

    private func answerLate(_ rig: inout MachineRig, _ random: inout SeededGenerator) {
        let late = UInt64.random(in: 0...rig.lastGeneration, using: &random)
        guard late != rig.running else { return }
        // The elapsed time may change the state: process that first.
        rig.handle(.timerFired)
        let before = rig.machine.connectivity
        let count = rig.published.count
        guard late != rig.running else { return }
        rig.answer(late, verdict(&random), identity: identity(&random))
        #expect(rig.machine.connectivity == before, "a late answer has overwritten")
        #expect(rig.published.count == count)
    }

    private func verdict(_ random: inout SeededGenerator) -> InternetCheck.Verdict {
        InternetCheck.Verdict.each.randomElement(using: &random) ?? .verified
    }

    private func identity(_ random: inout SeededGenerator) -> NetworkIdentity? {
        Bool.random(using: &random) ? nil : Self.paths.randomElement(using: &random)?.identity
    }

    private func check(_ rig: MachineRig) {
        #expect(rig.violations == [])
        let machine = rig.machine
        if let path = machine.path {
            let isProxied = path.isKnownToBeMissing && machine.nearbyRoutes?.isEmpty == false
            let verdict = machine.report?.verdict
            #expect(rig.state == (isProxied && verdict == .verified ? .online : ConnectivityState(path, verdict)))
            if !path.canBeChecked, !isProxied { #expect(machine.report == nil && machine.flight == nil) }
        }
        if let last = rig.published.last { #expect(machine.connectivity.changes(since: last) == []) }
        #expect(machine.flight?.generation == rig.running)
        if machine.isSuspended { #expect(machine.flight == nil) }
    }

    /// Keeps the simulated network in one state; after a while the machine must have determined that state.
    private func converge(_ rig: inout MachineRig, _ random: inout SeededGenerator, seed: UInt64) {
        let truth = Self.paths.randomElement(using: &random) ?? .wifi
        let internet = verdict(&random)
        rig.handle(.resumed)
        rig.become(truth)
        rig.handle(.checkRequested)
        for _ in 0..<20 {
            if rig.running != nil {
                rig.answer(internet, identity: truth.identity)
            } else if !rig.advanceToTimer() {
                break
            }
        }
        while rig.running != nil { rig.answer(internet, identity: truth.identity) }
        check(rig)
        let isProxied = truth.path.isKnownToBeMissing && rig.machine.nearbyRoutes?.isEmpty == false
        let expected =
            isProxied && internet == .verified
            ? .online : ConnectivityState(truth.path, truth.path.canBeChecked ? internet : nil)
        #expect(rig.published.last?.state == expected, "seed \(seed)")
        #expect(rig.published.last?.path == truth.path, "seed \(seed)")
    }
}
