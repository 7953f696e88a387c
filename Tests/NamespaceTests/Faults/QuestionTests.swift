// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
@testable import NetworkState
import TestSupport
import Testing

/// What a single question of a running program, and a subscriber that leaves, cost the source.
@Suite(
    .requires(.networkNamespaces), .requires(.linkKind("veth")), .requires(.callSupervision), .timeLimit(.minutes(5)))
struct QuestionTests {
    private static let host = RouteLookup(to: "198.51.100.7")
    private static let other = RouteLookup(to: "198.51.100.8")

    /// A running source, a subscriber that watches the host and has the first state, and what each of its states signals.
    private static func watched() throws -> (FaultyPlace, HostSubscription, DispatchSemaphore) {
        let place = try FaultyPlace()
        try place.expectToFollow()
        let told = DispatchSemaphore(value: 0)
        let watch = place.source.subscribe(watching: [host]) { _ in told.signal() }
        told.wait()
        return (place, watch, told)
    }

    @Test func `a question is answered by the running source, with one lookup for a host that nothing watches`() async {
        await #expect(processExitsWith: .success) {
            let (place, watch, _) = try Self.watched()
            let before = Cost(place.supervision)
            for lookup in [Self.host, Self.other] {
                for _ in 0..<100 {
                    let state = await place.source.state(of: [lookup]) { _ in [] }
                    #expect(state?.route(lookup)?.status == .satisfied)
                }
                // The links' own addresses may still be announced meanwhile.
                let cost = Cost(place.supervision) - before
                #expect(cost.sends < (lookup == Self.host ? 10 : 110))
                #expect(cost.filters == 0)
                #expect(cost.sockets == 0)
                #expect(cost.kernelReads == 0)
            }
            #expect(place.source.watched.hosts == [Self.host])
            watch.cancel()
            try place.expectNothingLeft()
        }
    }

    @Test func `a subscriber whose hosts others watch too changes no filter when it leaves`() async {
        await #expect(processExitsWith: .success) {
            let (place, watch, told) = try Self.watched()
            let before = Cost(place.supervision)
            for hosts in [[Self.host], []] as [Set<RouteLookup>] {
                for _ in 0..<50 {
                    let passing = place.source.subscribe(watching: hosts) { _ in told.signal() }
                    told.wait()
                    passing.cancel()
                    // The source has noticed that it left.
                    _ = await place.source.state(of: []) { _ in [] }
                }
            }
            #expect((Cost(place.supervision) - before).filters == 0)
            watch.cancel()
            try place.expectNothingLeft()
        }
    }
}

/// The system calls that a source has made.
private struct Cost {
    var sends: Int
    var filters: Int
    var sockets: Int
    var kernelReads: Int

    init(_ supervision: Supervision) {
        sends = supervision.count(.send)
        filters = supervision.count(.filter)
        sockets = supervision.count(.socket)
        kernelReads = supervision.kernelReads
    }

    static func - (new: Cost, old: Cost) -> Cost {
        var cost = new
        cost.sends -= old.sends
        cost.filters -= old.filters
        cost.sockets -= old.sockets
        cost.kernelReads -= old.kernelReads
        return cost
    }
}
#endif
