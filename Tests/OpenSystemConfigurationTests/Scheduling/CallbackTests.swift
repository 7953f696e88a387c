// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Netlink
import NetworkState
import Synchronization
import TestSupport
import Testing

@testable import OpenSystemConfiguration

private let gatewayed = NetworkAddress(198, 51, 100, 1)
private let up = Fixture.answer("198.51.100.1", by: 2, gateway: "192.0.2.254")
private let down = Fixture.answer("198.51.100.1", .rejected)

@Suite(.real)
struct `Callbacks on a queue` {
    private let network = ScriptedNetwork()

    @Test func `callbacks report changes, on the queue, and nothing at first`() async throws {
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let calls = Recorder<UInt32>()
        SCNetworkReachabilitySetCallback(
            target,
            { _, flags, _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                calls.record(flags.rawValue)
            }, nil)
        #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
        network.route(gatewayed, down)
        #expect(try await calls.next() == 0)
        #expect(flags(target) == [])
        network.route(gatewayed, up)
        #expect(try await calls.next() == 0x2)
        #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
        network.route(gatewayed, down)
        queue.sync {}
        #expect(calls.values == [0, 0x2])
        // Unscheduled, the flags are evaluated again.
        #expect(flags(target) == [])
    }

    @Test func `a name always has callbacks, first without the resolver's answer, then with it`() async throws {
        network.name("host.example", .addresses([NetworkAddress(192, 0, 2, 9)]))
        let target = network.target("host.example")
        let calls = Recorder<UInt32>()
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in calls.record(flags.rawValue) }, nil)
        // The queue is blocked until the resolver has answered, so that the first callback has that answer.
        let queue = DispatchQueue(label: "test")
        #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
        #expect(try await calls.next { $0 == 0x20002 } == 0x20002)
        #expect(calls.values.first == 0x2 || calls.values.first == 0x20002)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `the flags can be read inside a sync on the same queue, and in the callback`() async throws {
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        let calls = Recorder<UInt32>()
        SCNetworkReachabilitySetCallback(target, { target, _, _ in calls.record(flags(target).rawValue) }, nil)
        SCNetworkReachabilitySetDispatchQueue(target, queue)
        #expect(queue.sync { flags(target) } == .reachable)
        network.route(gatewayed, down)
        #expect(try await calls.next() == 0)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a callback may stop, replace and start targets while it runs`() async throws {
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        let calls = Recorder<String>()
        SCNetworkReachabilitySetCallback(
            target,
            { target, _, _ in
                #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
                #expect(SCNetworkReachabilitySetDispatchQueue(target, nil) == false)
                SCNetworkReachabilitySetCallback(target, { _, _, _ in calls.record("second") }, nil)
                #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
                calls.record("first")
            }, nil)
        SCNetworkReachabilitySetDispatchQueue(target, queue)
        network.route(gatewayed, down)
        #expect(try await calls.next() == "first")
        network.route(gatewayed, up)
        #expect(try await calls.next() == "second")
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a callback that has not started when the target is unscheduled never runs`() {
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        let calls = Recorder<UInt32>()
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in calls.record(flags.rawValue) }, nil)
        SCNetworkReachabilitySetDispatchQueue(target, queue)
        queue.sync {
            network.route(gatewayed, down)
            SCNetworkReachabilitySetDispatchQueue(target, nil)
            SCNetworkReachabilitySetDispatchQueue(target, queue)
        }
        queue.sync {}
        #expect(calls.values.isEmpty)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `callbacks run one at a time even on a concurrent queue, and the last has the last flags`() async throws
    {
        let target = network.target("198.51.100.1")
        let running = Mutex(0)
        let calls = Recorder<UInt32>()
        SCNetworkReachabilitySetCallback(
            target,
            { _, flags, _ in
                #expect(
                    running.withLock {
                        $0 += 1; return $0
                    } == 1)
                calls.record(flags.rawValue)
                running.withLock { $0 -= 1 }
            }, nil)
        SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test", attributes: .concurrent))
        for round in 0..<200 { network.route(gatewayed, round.isMultiple(of: 2) ? down : up) }
        network.route(gatewayed, down)
        // The last change is reported, whatever was combined before.
        while try await calls.next() != 0 || flags(target) != [] {}
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a scheduled target lives until it is unscheduled, without other references`() async throws {
        weak var remembered: SCNetworkReachability?
        let calls = Recorder<UInt32>()
        do {
            let target = network.target("198.51.100.1")
            remembered = target
            SCNetworkReachabilitySetCallback(
                target,
                { target, flags, _ in
                    SCNetworkReachabilitySetDispatchQueue(target, nil)
                    calls.record(flags.rawValue)
                }, nil)
            SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test"))
        }
        #expect(remembered != nil)
        network.route(gatewayed, down)
        #expect(try await calls.next() == 0)
        try await eventually { remembered == nil }
    }

    @Test func `a name is resolved again also if its newer resolution ends before the older one is handled`()
        async throws
    {
        let (source, changed) = (ScriptedSource(Fixture.snapshot), DispatchSemaphore(value: 0))
        let snapshot: NetworkSnapshot = {
            var snapshot = Fixture.snapshot
            snapshot.resolver.searchDomains = ["changed.example"]
            return snapshot
        }()
        let lookups = Recorder<Int>()
        let count = Mutex(0)
        let hub = ReachabilityHub(
            source: source,
            everything: { hosts in
                if hosts.isEmpty { return Fixture.snapshot }
                // The thread that has the first resolution's addresses reads a changed network, and is then slow.
                source.publish(snapshot)
                changed.wait()
                return snapshot
            },
            answers: { _, _ in nil },
            lookup: { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                lookups.record(number)
                return number == 1 ? .addresses([gatewayed]) : .temporaryFailure
            })
        let target = SCNetworkReachability(
            try #require(Destination(RawHostName("host.example"))), hub: hub, pace: ResolutionPace(firstRetry: 0.5))
        // The failure of the second resolution has set its timer before it requests this callback.
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in if flags == [] { changed.signal() } }, nil)
        #expect(SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test")))
        #expect(try await lookups.next { $0 == 3 } == 3)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a target without a callback can be scheduled`() {
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
        network.route(gatewayed, down)
        queue.sync {}
        #expect(flags(target) == [])
        #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
    }

    @Test func `invalid calls set Apple's error code for this thread`() {
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        func refused(_ call: () -> Bool) {
            LastError.code = 0
            #expect(!call())
            #expect(SCError() == 1002)
        }
        refused { SCNetworkReachabilitySetDispatchQueue(target, nil) }
        refused { SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetMain(), kCFRunLoopDefaultMode) }
        #expect(SCNetworkReachabilitySetDispatchQueue(target, queue))
        refused { SCNetworkReachabilitySetDispatchQueue(target, queue) }
        refused { SCNetworkReachabilityScheduleWithRunLoop(target, CFRunLoopGetMain(), kCFRunLoopDefaultMode) }
        refused { SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetMain(), kCFRunLoopDefaultMode) }
        LastError.code = 7
        #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
        #expect(SCError() == 7)
    }
}
