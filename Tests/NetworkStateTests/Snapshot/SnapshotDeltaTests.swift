// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

struct SnapshotDeltaTests {
    private static let base = Host(.wired(2), .wired(3)).answering(.via("192.0.2.1")).snapshot

    private static func changed(_ body: (inout NetworkSnapshot) -> Void) -> NetworkSnapshot {
        var snapshot = base
        body(&snapshot)
        return snapshot
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var new: NetworkSnapshot
        var changes: [SnapshotDelta.Change]
    }

    static let cases = [
        Case(testDescription: "nothing", new: base, changes: []),
        Case(
            testDescription: "a new link", new: changed { $0.interfaces.append(.tunnel()) },
            changes: [.interfaceAdded("wg9")]),
        Case(
            testDescription: "a link is gone", new: changed { $0.interfaces.removeLast() },
            changes: [.interfaceRemoved("eth3")]),
        Case(
            testDescription: "flags", new: changed { $0.interfaces[1].flags = [.up] },
            changes: [.interfaceState("eth2")]),
        Case(
            testDescription: "a name", new: changed { $0.interfaces[1].name = "wan" },
            changes: [.interfaceState("wan")]),
        Case(
            testDescription: "addresses", new: changed { $0.interfaces[1].addresses = [] },
            changes: [.addresses("eth2")]),
        Case(
            testDescription: "addresses and flags",
            new: changed {
                $0.interfaces[1].addresses = []
                $0.interfaces[1].flags = []
            }, changes: [.addresses("eth2"), .interfaceState("eth2")]),
        Case(
            testDescription: "a number used again", new: changed { $0.interfaces[2] = .tunnel(3) },
            changes: [.addresses("wg3"), .interfaceState("wg3")]),
        Case(testDescription: "routing", new: changed { $0.routing.general = [] }, changes: [.routing]),
        Case(testDescription: "a rule", new: changed { $0.hasRejectingRule = true }, changes: [.rules]),
        Case(testDescription: "name servers", new: changed { $0.resolver.servers = [] }, changes: [.resolver]),
        Case(
            testDescription: "visibility",
            new: changed {
                $0.visibility = .polling(because: NetlinkError(.system, operation: "join", errno: .notPermitted))
            }, changes: [.visibility]),
        Case(
            testDescription: "several, links first",
            new: changed {
                $0.resolver.servers = []
                $0.routing.general = []
                $0.interfaces.removeLast()
            }, changes: [.interfaceRemoved("eth3"), .routing, .resolver]),
    ]

    @Test(arguments: cases)
    func `the changes are listed`(example: Case) {
        #expect(SnapshotDelta(from: Self.base, to: example.new).changes == example.changes)
        #expect(SnapshotDelta(from: nil, to: example.new).changes == [])
    }

    @Test(arguments: cases)
    func `no changes are listed exactly when the states are equal`(example: Case) {
        #expect((Self.base == example.new) == example.changes.isEmpty)
    }
}
