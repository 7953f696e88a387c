// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Testing

@testable import Dialtone

/// A machine whose checks use a proxy.
struct ProxyRouteTests {
    private func rig(_ simulated: SimulatedPath, _ routes: [NetworkAddress: HostRoute]) -> MachineRig {
        var rig = MachineRig(hasNearbyHosts: true)
        rig.handle(.started)
        rig.become(simulated)
        rig.handle(.nearbyRoutes(routes))
        return rig
    }

    private func online() -> MachineRig {
        var rig = rig(.offline(.noRoute), .toProxy)
        rig.answer(.verified)
        rig.advance(.seconds(10))
        return rig
    }

    /// The state by path, route to the proxy, and verdict (columns: verified, partial, portal, no Internet,
    /// inconclusive); nil for no check.
    static let table: [(SimulatedPath, Bool, [ConnectivityState]?)] = [
        (.offline(.noRoute), true, [.online, .offline, .offline, .offline, .offline]),
        (.offline(.noAddress), true, [.online, .offline, .offline, .offline, .offline]),
        (.offline(.noRoute), false, nil), (.offline(.noCarrier), false, nil),
        // A check would dial.
        (.offline(.dormant), true, nil), (.offline(.dormant), false, nil),
        (.wired, true, [.online, .limited, .captivePortal, .limited, .unverified]),
        (.wired, false, [.online, .limited, .captivePortal, .limited, .unverified]),
        (.unseen, true, [.online, .limited, .captivePortal, .limited, .unknown]),
        (.unseen, false, [.online, .limited, .captivePortal, .limited, .unknown]),
    ]

    @Test(arguments: table.indices) func `without a path, a route to a proxy permits a check`(row: Int) {
        let (simulated, hasRoute, states) = Self.table[row]
        let routes = hasRoute ? [NetworkAddress: HostRoute].toProxy : [:]
        for (index, verdict) in InternetCheck.Verdict.each.enumerated() {
            var rig = rig(simulated, routes)
            #expect((rig.running != nil) == (states != nil))
            if rig.running != nil { rig.answer(verdict) }
            #expect(rig.state == states?[index] ?? ConnectivityState(simulated.path))
            #expect(rig.published.count == 1)
            #expect(rig.violations == [])
        }
    }

    @Test func `the first value waits for the routes to proxies, but not beyond its bound`() {
        var rig = MachineRig(hasNearbyHosts: true)
        rig.handle(.started)
        rig.become(.offline(.noRoute))
        #expect(rig.states == [])
        rig.handle(.nearbyRoutes(.toProxy))
        #expect(rig.states == [])
        rig.answer(.verified)
        #expect(rig.states == [.online])
        var late = MachineRig(hasNearbyHosts: true)
        late.handle(.started)
        late.become(.offline(.noRoute))
        late.advance(.seconds(3))
        #expect(late.states == [.offline])
        var satisfied = MachineRig(hasNearbyHosts: true)
        satisfied.handle(.started)
        satisfied.become(.wired)
        satisfied.answer(.verified)
        #expect(satisfied.states == [.online])
    }

    @Test func `the loss of the route to the proxy is offline at once`() {
        var rig = online()
        rig.handle(.nearbyRoutes([:]))
        #expect(rig.states == [.online, .offline])
        #expect(rig.published.last?.evidence == nil)
        #expect(rig.running == nil && rig.timer == nil)
        rig.handle(.nearbyRoutes(.toProxy))
        #expect(rig.running != nil)
        rig.answer(.verified)
        #expect(rig.states == [.online, .offline, .online])
        #expect(rig.violations == [])
    }

    @Test func `the loss of the route cancels a check`() {
        var rig = rig(.offline(.noRoute), .toProxy)
        let slow = rig.lastGeneration
        rig.handle(.nearbyRoutes([:]))
        #expect(rig.running == nil)
        rig.answer(slow, .verified)
        #expect(rig.states == [.offline])
        #expect(rig.violations == [])
    }

    @Test func `another cause of the missing path discards the verdict, and is checked at once`() {
        var rig = online()
        rig.become(.offline(.noAddress))
        #expect(rig.states == [.online, .offline])
        rig.answer(.verified)
        #expect(rig.states == [.online, .offline, .online])
        #expect(rig.violations == [])
    }

    @Test func `another route to the proxy discards the verdict; a further route keeps it, and is checked too`() {
        var rig = online()
        rig.handle(.nearbyRoutes(.toProxy(over: "up1")))
        #expect(rig.states == [.online, .offline])
        rig.answer(.verified)
        rig.advance(.seconds(10))
        let further = [NetworkAddress(192, 0, 2, 54): HostRoute()]
        rig.handle(.nearbyRoutes([NetworkAddress: HostRoute].toProxy(over: "up1").merging(further) { $1 }))
        #expect(rig.running != nil)
        #expect(rig.states == [.online, .offline, .online])
        rig.answer(.dead)
        #expect(rig.states == [.online, .offline, .online, .offline])
        #expect(rig.violations == [])
    }

    @Test func `a path that is lost leaves the proxy, and one that is gained replaces it`() {
        var rig = rig(.wired, .toProxy)
        rig.answer(.verified)
        rig.advance(.seconds(10))
        rig.become(.offline(.noRoute))
        rig.answer(.verified)
        #expect(rig.states == [.online, .offline, .online])
        rig.advance(.seconds(10))
        rig.become(.wired)
        // The routes no longer matter.
        rig.handle(.nearbyRoutes([:]))
        rig.answer(.verified)
        #expect(rig.states == [.online, .offline, .online, .unverified, .online])
        #expect(rig.violations == [])
    }

    @Test func `a proxy that fails is tried again on the schedule of any failed check`() {
        var rig = rig(.offline(.noRoute), .toProxy)
        for seconds in [1, 2, 4] {
            rig.answer(.dead)
            let before = rig.now
            _ = rig.advanceToTimer()
            #expect(rig.now - before == .seconds(seconds))
        }
        rig.answer(.verified)
        #expect(rig.states == [.offline, .online])
        rig.handle(.suspended)
        rig.handle(.nearbyRoutes(.toProxy(over: "up1")))
        #expect(rig.running == nil && rig.timer == nil)
    }
}

extension [NetworkAddress: HostRoute] {
    static let toProxy = toProxy(over: "up0")

    static func toProxy(over name: String) -> Self {
        [NetworkAddress(192, 0, 2, 53): HostRoute(interface: .init(name: name, index: 2, type: .wiredEthernet))]
    }
}
