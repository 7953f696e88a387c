// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Netlink
import TestSupport
import Testing

@testable import OpenSystemConfiguration

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct `Callbacks from the real kernel` {
    @Test(arguments: ["198.51.100.1", "2001:db8:ffff::1", "0.0.0.0"])
    func `there is one callback for each change of the routes`(text: String) async throws {
        let lab = try await Lab()
        let (target, calls) = try await watch(text, in: lab)
        #expect(flags(target) == [])
        for _ in 0..<3 {
            try lab.addDefaults()
            #expect(try await calls.next(timeout: patience) == 0x2)
            try lab.deleteDefaults()
            #expect(try await calls.next(timeout: patience) == 0)
        }
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a route that only covers the host causes a callback`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        let (target, calls) = try await watch("198.51.100.1", in: lab)
        let (other, otherCalls) = try await watch("203.0.113.1", in: lab)
        let hole = NewRoute("198.51.100.0/24", type: .unreachable)
        for _ in 0..<20 {
            try lab.kernel { try $0.addRoute(hole) }
            #expect(try await calls.next(timeout: patience) == 0)
            try lab.kernel { try $0.deleteRoute(hole) }
            #expect(try await calls.next(timeout: patience) == 0x2)
        }
        #expect(otherCalls.values.isEmpty)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
        SCNetworkReachabilitySetDispatchQueue(other, nil)
    }

    @Test func `carrier, link state and addresses cause callbacks`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        let (target, calls) = try await watch("198.51.100.1", in: lab)
        try lab.kernel { try $0.setLink(lab.peer, up: false) }
        #expect(try await calls.next(timeout: patience) == 0)
        try lab.kernel { try $0.setLink(lab.peer, up: true) }
        #expect(try await calls.next(timeout: patience) == 0x2)
        try lab.kernel { try $0.deleteAddress("192.0.2.1/24", from: lab.link) }
        #expect(try await calls.next(timeout: patience) == 0)
        try lab.kernel { kernel in
            try kernel.addAddress("192.0.2.1/24", to: lab.link)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: "192.0.2.254", interface: lab.link))
        }
        #expect(try await calls.next(timeout: patience) == 0x2)
        try lab.kernel { try $0.setLink(lab.link, up: false) }
        #expect(try await calls.next(timeout: patience) == 0)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a callback for a change right after scheduling is not lost`() async throws {
        let lab = try await Lab()
        for _ in 0..<50 {
            let calls = Recorder<UInt32>()
            let target = try await lab.run {
                let target = try #require(SCNetworkReachabilityCreateWithName(nil, "198.51.100.1"))
                SCNetworkReachabilitySetCallback(target, { _, flags, _ in calls.record(flags.rawValue) }, nil)
                #expect(SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test")))
                return target
            }
            try lab.addDefaults()
            #expect(try await calls.next(timeout: patience) == 0x2)
            try lab.deleteDefaults()
            #expect(try await calls.next(timeout: patience) == 0)
            SCNetworkReachabilitySetDispatchQueue(target, nil)
        }
    }

    @Test func `another route with the same flags causes a callback`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        try lab.kernel { kernel in
            try kernel.addAddress("203.0.113.1/24", to: lab.peer)
        }
        let (target, calls) = try await watch("198.51.100.1", in: lab)
        try lab.kernel { kernel in
            try kernel.addRoute(
                NewRoute("198.51.100.0/24", via: "203.0.113.254", interface: lab.peer))
        }
        #expect(try await calls.next(timeout: patience) == 0x2)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a rule for the source address causes no callback at first`() async throws {
        let lab = try await Lab()
        try lab.addDefaults()
        let rule = RuleMessage(family: .ipv4, action: .prohibit, priority: 100, source: "192.0.2.1/32")
        let (first, calls) = try await watch("198.51.100.1", in: lab)
        try lab.kernel { try $0.addRule(rule) }
        #expect(try await calls.next(timeout: patience) == 0)
        // The state of the first target is known, so that only the route of the second one is looked up.
        let (second, secondCalls) = try await watch("203.0.113.1", in: lab)
        #expect(flags(second) == [])
        try lab.kernel { try $0.deleteRule(rule) }
        #expect(try await calls.next(timeout: patience) == 0x2)
        #expect(try await secondCalls.next(timeout: patience) == 0x2)
        SCNetworkReachabilitySetDispatchQueue(first, nil)
        SCNetworkReachabilitySetDispatchQueue(second, nil)
    }

    private func watch(_ text: String, in lab: Lab) async throws -> (SCNetworkReachability, Recorder<UInt32>) {
        let calls = Recorder<UInt32>()
        let target = try await lab.run {
            let target = try #require(SCNetworkReachabilityCreateWithName(nil, text))
            SCNetworkReachabilitySetCallback(target, { _, flags, _ in calls.record(flags.rawValue) }, nil)
            #expect(SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test")))
            return target
        }
        return (target, calls)
    }
}
