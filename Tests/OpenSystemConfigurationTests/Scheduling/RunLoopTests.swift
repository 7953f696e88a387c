// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import NetworkState
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import OpenSystemConfiguration

private let gatewayed = NetworkAddress(198, 51, 100, 1)
private let up = Fixture.answer("198.51.100.1", by: 2, gateway: "192.0.2.254")
private let down = Fixture.answer("198.51.100.1", .rejected)

@Suite(.real)
struct `Callbacks in run loops` {
    private let network = ScriptedNetwork()

    @Test func `callbacks come in the given loop and mode, only while it runs`() throws {
        try onThread { [network] in
            let target = network.target("198.51.100.1")
            let calls = Mutex<[UInt32]>([])
            SCNetworkReachabilitySetCallback(
                target, { _, flags, _ in calls.withLock { $0.append(flags.rawValue) } }, nil)
            let mode = "test.mode" as CFString
            #expect(SCNetworkReachabilityScheduleWithRunLoop(target, CFRunLoopGetCurrent(), mode))
            network.route(gatewayed, down)
            #expect(calls.withLock { $0 }.isEmpty)
            #expect(CFRunLoopRunInMode(.defaultMode, 0, true) == .finished)
            #expect(calls.withLock { $0 }.isEmpty)
            #expect(CFRunLoopRunInMode(CFRunLoopMode(mode), 10, true) == .handledSource)
            #expect(calls.withLock { $0 } == [0])
            #expect(CFRunLoopRunInMode(CFRunLoopMode(mode), 0, true) == .timedOut)
            #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetCurrent(), mode))
            #expect(CFRunLoopRunInMode(CFRunLoopMode(mode), 0, true) == .finished)
        }
    }

    @Test func `callbacks wake a waiting loop of another thread`() async throws {
        let target = network.target("198.51.100.1")
        let calls = Recorder<UInt32>()
        let isScheduled = Recorder<Bool>()
        SCNetworkReachabilitySetCallback(
            target,
            { target, flags, _ in
                SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetCurrent(), kCFRunLoopCommonModes)
                calls.record(flags.rawValue)
            }, nil)
        let thread = Thread {
            isScheduled.record(
                SCNetworkReachabilityScheduleWithRunLoop(
                    target, RunLoop.current.getCFRunLoop(), CFRunLoopMode.commonModes.rawValue))
            CFRunLoopRun()
            calls.record(99)
        }
        thread.start()
        #expect(try await isScheduled.next())
        network.route(gatewayed, down)
        #expect(try await calls.next() == 0)
        // Without its last source the loop ends.
        #expect(try await calls.next() == 99)
        #expect(SCNetworkReachabilitySetDispatchQueue(target, nil) == false)
    }

    @Test func `callbacks continue in one loop when removed from another`() throws {
        try onThread { [network] in
            let target = network.target("198.51.100.1")
            let calls = Mutex<[UInt32]>([])
            SCNetworkReachabilitySetCallback(
                target, { _, flags, _ in calls.withLock { $0.append(flags.rawValue) } }, nil)
            let loop: CFRunLoop = CFRunLoopGetCurrent()
            let other = "test.mode" as CFString
            #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, kCFRunLoopDefaultMode))
            #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, other))
            #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, "never added" as CFString))
            #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, kCFRunLoopDefaultMode))
            network.route(gatewayed, down)
            #expect(CFRunLoopRunInMode(.defaultMode, 0, true) == .finished)
            #expect(CFRunLoopRunInMode(CFRunLoopMode(other), 10, true) == .handledSource)
            #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, other))
            #expect(calls.withLock { $0 } == [0])
            // The same again, in a loop and then on a queue.
            #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, other))
            #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
            #expect(CFRunLoopRunInMode(CFRunLoopMode(other), 0, true) == .finished)
            #expect(SCNetworkReachabilitySetDispatchQueue(target, .global()))
            #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
        }
    }

    @Test func `callbacks also come in Foundation's run loop`() throws {
        try onThread { [network] in
            let target = network.target("host.example")
            let calls = Mutex(0)
            SCNetworkReachabilitySetCallback(target, { _, _, _ in calls.withLock { $0 += 1 } }, nil)
            #expect(
                SCNetworkReachabilityScheduleWithRunLoop(
                    target, RunLoop.current.getCFRunLoop(), RunLoop.Mode.default as CFString))
            // clock: a run loop takes a date.
            let end = Date(timeIntervalSinceNow: 60)
            // clock: as above.
            while calls.withLock({ $0 }) == 0, Date() < end { _ = RunLoop.current.run(mode: .default, before: end) }
            #expect(calls.withLock { $0 } == 1)
            #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
        }
    }

    @Test func `a Core Foundation loop is found from Foundation's, and the reverse`() async throws {
        #expect(RunLoop.main.getCFRunLoop() === CFRunLoopGetMain())
        let loops = Recorder<Bool>()
        let other = Mutex<ScheduledRunLoop?>(nil)
        let isLooking = DispatchSemaphore(value: 0)
        let foundationLoop = Mutex<LoopOfAnotherThread?>(nil)
        let thread = Thread {
            other.withLock { $0 = ScheduledRunLoop(CFRunLoopGetCurrent(), "") }
            foundationLoop.withLock { $0 = LoopOfAnotherThread(loop: RunLoop.current) }
            loops.record(RunLoop.current.getCFRunLoop() === CFRunLoopGetCurrent())
            isLooking.wait()
        }
        thread.start()
        #expect(try await loops.next())
        let found = foundationLoop.withLock { $0 }?.loop.getCFRunLoop()
        #expect(found === other.withLock { $0 }?.loop)
        isLooking.signal()
    }

    /// Unchecked, because only its Core Foundation side is used.
    private struct LoopOfAnotherThread: @unchecked Sendable { let loop: RunLoop }

    /// Runs on a new thread, with a new run loop, and waits.
    private func onThread(_ body: @escaping @Sendable () -> Void) throws {
        let isDone = DispatchSemaphore(value: 0)
        try DedicatedThread.start(name: "loop") {
            body()
            isDone.signal()
        }
        // clock: a fail-safe.
        #expect(isDone.wait(timeout: .now() + 60) == .success)
    }
}
