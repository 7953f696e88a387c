// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct LinkTests {
    @Test func `a new namespace has a loopback link, which is down`() throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        let loopback = try kernel.link(index: 1)
        #expect(loopback.name == "lo")
        #expect(loopback.hardwareType == .loopback)
        #expect(loopback.flags.contains(.loopback))
        #expect(!loopback.flags.contains(.up))
        #expect(loopback.kind == nil)
    }

    @Test func `a veth is a pair that has carrier when both ends are up`() async throws {
        var lab = try await Lab()
        let a = try lab.kernel.link(named: "a")
        let b = try lab.kernel.link(named: "b")
        #expect(a.kind == "veth")
        #expect(a.hardwareType == .ethernet)
        #expect(a.hardwareAddress?.count == 6)
        #expect((a.lowerIndex, b.lowerIndex) == (lab.b, lab.a))
        #expect(a.hasCarrier == true)
        #expect(a.operationalState == .up)
        #expect(a.flags.isSuperset(of: [.up, .running, .lowerUp, .broadcast, .multicast]))

        let events = try lab.events()
        try lab.kernel.setLink(lab.b, up: false)
        let cut = try await events.link(lab.a) { $0.operationalState == .lowerLayerDown }
        #expect(cut.hasCarrier == false)
        #expect(cut.flags.contains(.up))
        #expect(cut.flags.isDisjoint(with: [.running, .lowerUp]))
    }

    @Test func `the dump and a single query agree`() async throws {
        var lab = try await Lab()
        let all = try lab.kernel.links()
        #expect(Set(all.compactMap(\.name)).isSuperset(of: ["lo", "a", "b"]))
        for link in all { #expect(try lab.kernel.link(index: link.index) == link) }
    }

    @Test(.requires(.linkKind("bridge"))) func `a bridge port has its bridge as controller`() async throws {
        var lab = try await Lab()
        try lab.kernel.createLink(.bridge(name: "br0"))
        let bridge = try lab.kernel.link(named: "br0")
        #expect(bridge.kind == "bridge")
        try lab.kernel.setLink(lab.a, controller: bridge.index)
        let port = try lab.kernel.link(named: "a")
        #expect(port.controllerIndex == bridge.index)
        #expect(port.controllerKind == "bridge")
        try lab.kernel.setLink(lab.a, controller: nil)
        let free = try lab.kernel.link(named: "a")
        #expect(free.controllerIndex == nil)
    }

    @Test(.requires(.linkKind("macvlan"))) func `a macvlan has its lower link`() async throws {
        var lab = try await Lab()
        try lab.kernel.createLink(.macvlan(name: "mac0", on: lab.a))
        let link = try lab.kernel.link(named: "mac0")
        #expect((link.kind, link.lowerIndex) == ("macvlan", lab.a))
    }

    @Test(.requires(.linkKind("vlan"))) func `a VLAN has its lower link`() async throws {
        var lab = try await Lab()
        try lab.kernel.createLink(.vlan(name: "a.7", on: lab.a, identifier: 7))
        let link = try lab.kernel.link(named: "a.7")
        #expect((link.kind, link.lowerIndex) == ("vlan", lab.a))
    }

    @Test(.requires(.linkKind("dummy"))) func `a dummy link has an unknown operational state`() async throws {
        var lab = try await Lab()
        try lab.kernel.createLink(.dummy(name: "d0"))
        let index = try lab.kernel.link(named: "d0").index
        try lab.kernel.setLink(index, up: true)
        let link = try lab.kernel.link(index: index)
        #expect((link.kind, link.operationalState) == ("dummy", .unknown))
    }

    @Test(.requires(.linkKind("ifb"))) func `a link of any other kind is created by the kind's name`() async throws {
        var lab = try await Lab()
        try lab.kernel.createLink(.other(name: "ifb7", kind: "ifb"))
        let link = try lab.kernel.link(named: "ifb7")
        #expect(link.kind == "ifb")
    }

    @Test func `deleting a veth deletes its peer`() async throws {
        var lab = try await Lab()
        try lab.kernel.deleteLink(lab.a)
        for name in ["a", "b"] {
            let error = try refusal { try lab.kernel.link(named: name) }
            #expect(error.errno == .noSuchDevice)
        }
    }

    @Test func `a moved link arrives in the other namespace, down`() async throws {
        var lab = try await Lab()
        let other = try NetworkNamespace()
        try lab.kernel.setLink(lab.b, namespace: other)
        let gone = try refusal { try lab.kernel.link(named: "b") }
        #expect(gone.errno == .noSuchDevice)
        var elsewhere = try RouteNetlink(in: other)
        let arrived = try elsewhere.link(named: "b")
        #expect(!arrived.flags.contains(.up))
        #expect(arrived.lowerNamespace != nil)
    }

    @Test func `a dormant link waits for authentication`() async throws {
        var lab = try await Lab()
        try lab.kernel.setLink(lab.a, operationalState: .dormant)
        let waiting = try lab.kernel.link(named: "a")
        #expect(waiting.operationalState == .dormant)
        #expect(waiting.flags.isSuperset(of: [.up, .lowerUp]))
        #expect(!waiting.flags.contains(.running))
        try lab.kernel.setLink(lab.a, operationalState: .up)
        let done = try lab.kernel.link(named: "a")
        #expect(done.flags.contains(.running))
    }

    @Test func `in dormant mode a link with carrier becomes dormant`() async throws {
        var lab = try await Lab()
        let events = try lab.events()
        try lab.kernel.setLink(lab.b, up: false)
        try await events.link(lab.a) { $0.operationalState == .lowerLayerDown }
        try lab.kernel.setLink(lab.a, startsDormant: true)
        try lab.kernel.setLink(lab.b, up: true)
        let link = try await events.link(lab.a) { $0.operationalState == .dormant }
        #expect(link.hasCarrier == true)
        #expect(!link.flags.contains(.running))
    }

    @Test(arguments: ["", "sixteen-bytes-xx", "a\0b"]) func `an invalid name is rejected before it is sent`(
        name: String
    ) throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        let error = try #require(throws: NetlinkError.self) { try kernel.createLink(.bridge(name: name)) }
        #expect(error.code == .invalidArgument)
    }

    @Test func `a text that is too long for an attribute is rejected before it is sent`() throws {
        var kernel = try RouteNetlink(in: NetworkNamespace())
        let kind = String(repeating: "x", count: 70_000)
        let error = try #require(throws: NetlinkError.self) {
            try kernel.createLink(.other(name: "x", kind: kind))
        }
        #expect(error.code == .invalidArgument)
    }

    @Test func `the kernel's message explains a rejection`() async throws {
        var lab = try await Lab()
        let unknown = try refusal { try lab.kernel.createLink(.other(name: "x", kind: "no-such-kind")) }
        #expect(unknown.errno == .notSupported)
        #expect(unknown.message == "Unknown device type")
        let taken = try refusal { try lab.kernel.createLink(.bridge(name: "a")) }
        #expect(taken.errno == .exists)
        let missing = try refusal { try lab.kernel.setLink(999, up: true) }
        #expect(missing.errno == .noSuchDevice)
    }
}
#endif
