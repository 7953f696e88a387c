// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Netlink
import NetworkState
import Synchronization
import TestSupport
import Testing

@testable import OpenSystemConfiguration

@Suite(.real)
struct `A thousand targets` {
    private let count = 1000

    @Test func `a thousand targets all get the callback for a change, and leave nothing behind`() async throws {
        let network = ScriptedNetwork(Self.snapshot(count))
        for number in 0..<count { network.name("h\(number).example", .addresses([Self.address(number)])) }
        let released = Recorder<Int>()
        let calls = (0..<count).map { _ in Recorder<UInt32>() }
        let queue = DispatchQueue(label: "targets", attributes: .concurrent)
        do {
            let targets = Mutex<[SCNetworkReachability?]>(Array(repeating: nil, count: count))
            DispatchQueue.concurrentPerform(iterations: count) { number in
                let target = network.target(
                    number.isMultiple(of: 4) ? "h\(number).example" : "\(Self.address(number))")
                SCNetworkReachabilitySetCallback(target, { _, flags, _ in calls[number].record(flags.rawValue) }, nil)
                #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
                targets.withLock { $0[number] = target }
            }
            for number in stride(from: 0, to: count, by: 4) { _ = try await calls[number].next { $0 == 0x20002 } }
            try await eventually { network.watchedHosts.count == count }
            network.change { snapshot in
                for number in 0..<count {
                    let address = Self.address(number)
                    snapshot.hosts[RouteLookup(to: address)] = RouteAnswer(address, .rejected)
                }
            }
            for number in 0..<count { _ = try await calls[number].next { $0 == 0 } }
            let all = targets.withLock { targets in
                defer { targets = [] }
                return targets
            }
            DispatchQueue.concurrentPerform(iterations: count) { number in
                guard let target = all[number] else { return }
                #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
                if number == count - 1 { released.record(number) }
            }
        }
        _ = try await released.next()
        #expect(network.watchedHosts.isEmpty)
    }

    @Test func `targets that several threads start and stop quickly neither trap nor hang`() async throws {
        let network = ScriptedNetwork(Self.snapshot(16))
        let targets = (0..<16).map {
            network.target($0.isMultiple(of: 2) ? "h\($0).example" : "\(Self.address($0))")
        }
        let queue = DispatchQueue(label: "targets")
        let calls = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<200 {
                let target = targets[(thread * 7 + round) % targets.count]
                switch (thread + round) % 6 {
                case 0, 1: SCNetworkReachabilitySetDispatchQueue(target, queue)
                case 2: SCNetworkReachabilitySetDispatchQueue(target, nil)
                case 3: SCNetworkReachabilitySetCallback(target, { _, _, _ in calls.withLock { $0 += 1 } }, nil)
                case 4: SCNetworkReachabilitySetCallback(target, nil, nil)
                default:
                    network.route(
                        Self.address(round % 16),
                        round.isMultiple(of: 2)
                            ? Fixture.answer("\(Self.address(round % 16))", .rejected)
                            : Fixture.answer("\(Self.address(round % 16))", 24, by: 2))
                }
                _ = flags(target)
            }
        }
        for target in targets { SCNetworkReachabilitySetDispatchQueue(target, nil) }
        queue.sync {}
        #expect(network.watchedHosts.isEmpty)
    }

    @Test(.requires(.networkNamespaces))
    func `a thousand targets on the real kernel leave no descriptor and no thread behind`() async throws {
        let lab = try await Lab()
        let before = try await lab.run { KernelCounts.now }
        let (count, queue) = (count, DispatchQueue(label: "targets"))
        let calls = Recorder<Int>()
        let targets: [SCNetworkReachability] = try await lab.run {
            let targets = (0..<count).compactMap { number in
                SCNetworkReachabilityCreateWithName(nil, "10.\(number % 4).\(number / 4 % 256).1")
            }
            for (number, target) in targets.enumerated() {
                SCNetworkReachabilitySetCallback(target, { _, _, _ in calls.record(number) }, nil)
                #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
            }
            return targets
        }
        #expect(targets.count == count)
        try lab.kernel { kernel in
            try kernel.addRoute(NewRoute("10.0.0.0/8", via: "192.0.2.254", interface: lab.link))
        }
        while Set(calls.values).count < count { _ = try await calls.next(timeout: patience) }
        for target in targets {
            #expect(flags(target) == .reachable)
            SCNetworkReachabilitySetDispatchQueue(target, nil)
        }
        try await eventually { (try? await lab.run { KernelCounts.now })?.fits(in: before) == true }
        #expect(Set(calls.values).count == count)
    }

    private static func address(_ number: Int) -> NetworkAddress {
        NetworkAddress(10, 50, UInt8(number / 250), UInt8(number % 250 + 1))
    }

    private static func snapshot(_ count: Int) -> NetworkSnapshot {
        var snapshot = Fixture.snapshot
        for number in 0..<count {
            let address = address(number)
            snapshot.hosts[RouteLookup(to: address)] = Fixture.answer("\(address)", 24, by: 2)
        }
        return snapshot
    }
}
