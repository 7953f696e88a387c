// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
@testable import NetworkState
import TestSupport
import Testing

@Suite(
    .requires(.networkNamespaces), .requires(.linkKind("veth")), .requires(.callSupervision), .timeLimit(.minutes(5)))
struct NeighborStormTests {
    /// Changes neighbours of the uplink ten thousand times, and returns the number of other events meanwhile.
    private static func storm(in namespace: NetworkNamespace) throws -> Int {
        try namespace.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "up0").index
            let neighbors = (10..<210).map { NetworkAddress(192, 0, 2, $0) }
            var events = try NetlinkSubscription(MulticastGroup.routing)
            var others = 0
            for number in 0..<5000 {
                for state in [NeighborState.reachable, .failed] {
                    try kernel.setNeighbor(neighbors[number % neighbors.count], on: index, state)
                }
                let outcome = try events.drain { (header, payload) throws(NetlinkError) in
                    let isNeighbor = header.type == .newNeighbor || header.type == .deleteNeighbor
                    let address = isNeighbor ? try NeighborMessage(payload).address : nil
                    if !neighbors.contains(where: { $0 == address }) { others += 1 }
                }
                #expect(outcome == .empty)
            }
            return others
        }
    }

    @Test func `ten thousand neighbour events do not wake the source`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            // Its router is watched from the first path on.
            try place.expectToFollow()
            try place.expect("satisfied") { PathEvaluator($0).evaluate().status == .satisfied }
            let waits = place.supervision.count(.wait)
            // Events of the links' own addresses, and of the router, may wake it meanwhile.
            let others = try Self.storm(in: place.namespace)
            let woken = place.supervision.count(.wait) - waits
            #expect(woken < 10 + others, "\(woken) times, \(others) other events")
            try place.expectToFollow()
            #expect(place.supervision.count(.wait) > waits)
            try place.expectNothingLeft()
        }
    }
}
#endif
