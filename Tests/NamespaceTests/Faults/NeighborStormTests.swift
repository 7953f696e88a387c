// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
@testable import NetworkState
import TestSupport
import Testing

@Suite(
    .requires(.networkNamespaces), .requires(.linkKind("veth")), .requires(.callSupervision), .timeLimit(.minutes(5)))
struct NeighborStormTests {
    @Test func `ten thousand neighbour events do not wake the source`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            // Its router is watched from the first path on.
            try place.expectToFollow()
            try place.expect("satisfied") { PathEvaluator($0).evaluate().status == .satisfied }
            let waits = place.supervision.count(.wait)
            try place.namespace.run {
                var kernel = try RouteNetlink()
                let index = try kernel.link(named: "up0").index
                for number in 0..<5000 {
                    let neighbor = NetworkAddress(192, 0, 2, UInt8(10 + number % 200))
                    try kernel.setNeighbor(neighbor, on: index, .reachable)
                    try kernel.setNeighbor(neighbor, on: index, .failed)
                }
            }
            // The links' own addresses may still be announced meanwhile.
            #expect(place.supervision.count(.wait) - waits < 10)
            try place.expectToFollow()
            #expect(place.supervision.count(.wait) > waits)
            try place.expectNothingLeft()
        }
    }
}
#endif
