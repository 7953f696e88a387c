// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Netlink
import NetworkState
import TestSupport
import Testing

@testable import OpenSystemConfiguration

@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct `Names through a real name server` {
    private static let configuration = "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n"

    @Test func `a name gets an optimistic first callback, then the flags of its address`() async throws {
        let (lab, server) = try await network()
        server.set("near.example", .addresses(["192.0.2.9", "2001:db8:1::9"]))
        server.hold("near.example")
        let (target, calls) = try await watch("near.example", in: lab)
        #expect(try await calls.next(timeout: patience) == 0x2)
        server.release()
        #expect(try await calls.next(timeout: patience) == 0x20002)
        // An unscheduled target makes no queries.
        SCNetworkReachabilitySetDispatchQueue(target, nil)
        let unscheduled = try await lab.run { flags(target) }
        #expect(unscheduled == .reachable)
    }

    @Test func `a name that does not exist is not reachable`() async throws {
        let (lab, server) = try await network()
        server.set("missing.example", .noSuchName)
        let (target, calls) = try await watch("missing.example", in: lab)
        #expect(try await calls.next(timeout: patience) { $0 == 0 } == 0)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
        let unscheduled = try await lab.run { flags(target) }
        #expect(unscheduled == .reachable)
    }

    @Test func `this host's name is local, and a name in an unreachable network is unreachable`() async throws {
        let (lab, server) = try await network()
        server.set("own.example", .addresses(["192.0.2.1"]))
        server.set("dead.example", .addresses(["198.51.100.1"]))
        try lab.kernel { try $0.addRoute(NewRoute("198.51.100.0/24", type: .unreachable)) }
        let (own, ownCalls) = try await watch("own.example", in: lab)
        let (dead, deadCalls) = try await watch("dead.example", in: lab)
        #expect(try await ownCalls.next(timeout: patience) { $0 != 0x2 } == 0x30002)
        #expect(try await deadCalls.next(timeout: patience) { $0 != 0x2 } == 0)
        // The resolved address is watched too.
        try lab.kernel { try $0.deleteRoute(NewRoute("198.51.100.0/24", type: .unreachable)) }
        #expect(try await deadCalls.next(timeout: patience) == 0x2)
        for target in [own, dead] { SCNetworkReachabilitySetDispatchQueue(target, nil) }
    }

    @Test func `a name that a silent server delays blocks neither callers nor other names`() async throws {
        let (lab, server) = try await network()
        server.set("fast.example", .addresses(["192.0.2.9"]))
        let silent = (0..<4).map { "silent\($0).example" }
        for name in silent { server.set(name, .silence) }
        var targets: [SCNetworkReachability] = []
        for name in silent {
            let (target, calls) = try await watch(name, in: lab)
            // Optimistic at first, and not reachable in the end.
            #expect(try await calls.next(timeout: patience) == 0x2)
            targets.append(target)
        }
        let (fast, calls) = try await watch("fast.example", in: lab)
        #expect(try await calls.next(timeout: patience) { $0 == 0x20002 } == 0x20002)
        for target in targets { #expect(flags(target) == .reachable) }
        for target in targets + [fast] { SCNetworkReachabilitySetDispatchQueue(target, nil) }
    }

    @Test func `a name without an answer is queried again until there is one`() async throws {
        let (lab, server) = try await network()
        server.set("late.example", .serverFailure)
        let (target, calls) = try await watch("late.example", in: lab)
        #expect(try await calls.next(timeout: patience) { $0 == 0 } == 0)
        server.set("late.example", .addresses(["192.0.2.9"]))
        #expect(try await calls.next(timeout: patience) { $0 == 0x20002 } == 0x20002)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a name is queried again when the path changes, and when the resolver configuration does`() async throws
    {
        let (lab, server) = try await network()
        server.set("moving.example", .addresses(["192.0.2.9"]))
        let (target, calls) = try await watch("moving.example", in: lab)
        #expect(try await calls.next(timeout: patience) { $0 == 0x20002 } == 0x20002)
        server.set("moving.example", .addresses(["192.0.2.1"]))
        try lab.kernel { try $0.addAddress("192.0.2.3/24", to: lab.link) }
        #expect(try await calls.next(timeout: patience) { $0 == 0x30002 } == 0x30002)
        server.set("moving.example", .addresses(["198.51.100.1"]))
        try lab.setResolver("search example\n" + Self.configuration)
        #expect(try await calls.next(timeout: patience) { $0 == 0x2 } == 0x2)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `another number of addresses causes a callback even when the flags are equal`() async throws {
        let (lab, server) = try await network()
        server.set("grows.example", .addresses(["192.0.2.9"]))
        let (target, calls) = try await watch("grows.example", in: lab)
        #expect(try await calls.next(timeout: patience) { $0 == 0x20002 } == 0x20002)
        server.set("grows.example", .addresses(["192.0.2.9", "192.0.2.10"]))
        try lab.kernel { try $0.addAddress("192.0.2.3/24", to: lab.link) }
        #expect(try await calls.next(timeout: patience) == 0x20002)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a name keeps its addresses while the network is away, and is reachable when it returns`() async throws {
        let (lab, server) = try await network()
        server.set("far.example", .addresses(["198.51.100.1"]))
        let (target, calls) = try await watch("far.example", in: lab)
        _ = try await calls.next(timeout: patience)
        try lab.deleteDefaults()
        #expect(try await calls.next(timeout: patience) { $0 == 0 } == 0)
        try lab.addDefaults()
        #expect(try await calls.next(timeout: patience) { $0 == 0x2 } == 0x2)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test(arguments: [String(repeating: "a", count: 5000), "a..b", " ", "-", String(repeating: "a.", count: 200)])
    func `a name that is invalid for every resolver is not reachable`(name: String) async throws {
        let (lab, _) = try await network()
        let (target, calls) = try await watch(name, in: lab)
        #expect(try await calls.next(timeout: patience) { $0 == 0 } == 0)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    private func network() async throws -> (Lab, NameServer) {
        let lab = try await Lab(resolver: Self.configuration)
        try lab.addDefaults()
        return (lab, try await lab.run { try NameServer() })
    }

    private func watch(_ name: String, in lab: Lab) async throws -> (SCNetworkReachability, Recorder<UInt32>) {
        let calls = Recorder<UInt32>()
        let target = try await lab.run {
            let target = try #require(SCNetworkReachabilityCreateWithName(nil, name))
            SCNetworkReachabilitySetCallback(target, { _, flags, _ in calls.record(flags.rawValue) }, nil)
            #expect(SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test")))
            return target
        }
        return (target, calls)
    }
}
