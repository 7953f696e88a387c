// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Testing

@testable import Dialtone

struct StateTableTests {
    /// The state by path (rows) and verdict (columns: none, verified, partial, portal, no Internet, inconclusive).
    static let table: [(SimulatedPath, [ConnectivityState])] = [
        (.wifi, [.unverified, .online, .limited, .captivePortal, .limited, .unverified]),
        (.wired, [.unverified, .online, .limited, .captivePortal, .limited, .unverified]),
        (.cellular, [.unverified, .online, .limited, .captivePortal, .limited, .unverified]),
        (.unseen, [.unknown, .online, .limited, .captivePortal, .limited, .unknown]),
        (.offline, [.offline, .offline, .offline, .offline, .offline, .offline]),
        (.offline(.dormant), Array(repeating: .requiresConnection, count: 6)),
    ]

    @Test(arguments: table.indices) func `path and verdict determine the state`(row: Int) {
        let (simulated, states) = Self.table[row]
        let verdicts: [InternetCheck.Verdict?] = [nil] + InternetCheck.Verdict.each
        #expect(verdicts.map { ConnectivityState(simulated.path, $0) } == states)
    }

    /// Packets leave, and only an answer shows that there is a path.
    @Test func `with a borrowed address the verdict decides`() {
        var path = NetworkPath(status: .unsatisfied, diagnosis: PathDiagnosis(.noAddress))
        path.diagnosis?.borrowedAddress = NetworkAddress(10, 77, 0, 1)
        let verdicts: [InternetCheck.Verdict?] = [nil] + InternetCheck.Verdict.each
        #expect(
            verdicts.map { ConnectivityState(path, $0) } == [
                .offline, .online, .limited, .captivePortal, .offline, .offline,
            ])
    }

    @Test(arguments: SimulatedPath.each, SimulatedPath.each)
    func `from any path to any other, the second decides`(first: SimulatedPath, second: SimulatedPath) {
        var rig = MachineRig.started(first)
        if rig.running != nil { rig.answer(.verified) }
        let before = rig.published.count
        rig.become(second)
        #expect(rig.violations == [])
        if first.path == second.path {
            let isOther = first.identity != second.identity
            #expect(rig.published.count == before + (isOther ? 1 : 0))
        } else {
            #expect(rig.published.count == before + 1)
            #expect(rig.state == ConnectivityState(second.path))
            #expect(rig.machine.connectivity.evidence == nil)
        }
        #expect(rig.machine.connectivity.path == second.path)
        rig.advance(.seconds(1))
        if rig.running != nil { rig.answer(.verified) }
        #expect(rig.state == ConnectivityState(second.path, .verified))
        #expect(rig.violations == [])
    }

    @Test(arguments: InternetCheck.Verdict.each, InternetCheck.Verdict.each)
    func `from any verdict to any other, the second decides`(
        first: InternetCheck.Verdict, second: InternetCheck.Verdict
    ) {
        var rig = MachineRig.started()
        rig.answer(first)
        _ = rig.advanceToTimer()
        rig.answer(second)
        #expect(rig.state == ConnectivityState(SimulatedPath.wifi.path, second))
        #expect(rig.published.count == (first == second ? 1 : 2))
        #expect(rig.published.last?.evidence?.verdict == second)
        #expect(rig.violations == [])
    }

    @Test func `since is the time when the state began, not when it was confirmed`() {
        var rig = MachineRig.started()
        rig.answer(.verified)
        let since = rig.machine.connectivity.since
        rig.advance(.seconds(60))
        rig.answer(.verified)
        #expect(rig.machine.connectivity.since == since)
        #expect(rig.machine.connectivity.evidence?.checkedAt == since.addingTimeInterval(60))
        rig.advance(.seconds(60))
        rig.answer(.dead)
        #expect(rig.machine.connectivity.since == since.addingTimeInterval(120))
    }

    @Test func `the names of the states match those of the well-known library`() {
        func connectivity(_ state: ConnectivityState, _ simulated: SimulatedPath) -> Connectivity {
            Connectivity(state: state, path: simulated.path, since: .distantPast)
        }
        #expect(connectivity(.online, .wifi).isOnlineViaWiFi)
        #expect(!connectivity(.online, .wifi).isOnlineViaCellular)
        #expect(connectivity(.online, .cellular).isOnlineViaCellular)
        #expect(connectivity(.online, .wired).isOnlineViaWiredEthernet)
        for state in [ConnectivityState.captivePortal, .limited] {
            #expect(connectivity(state, .wifi).isOnWiFiWithoutInternet)
            #expect(connectivity(state, .cellular).isOnCellularWithoutInternet)
            #expect(connectivity(state, .wired).isOnWiredEthernetWithoutInternet)
            #expect(!connectivity(state, .wifi).isOnline)
        }
        for state in [ConnectivityState.unknown, .offline, .requiresConnection, .unverified] {
            #expect(!connectivity(state, .wifi).isOnWiFiWithoutInternet)
            #expect(!connectivity(state, .wifi).isOnline)
        }
        var tunnel = SimulatedPath.wifi
        tunnel.path.usedInterfaceTypes = [.other, .wifi]
        #expect(connectivity(.online, tunnel).isOnlineViaWiFi)
    }
}
