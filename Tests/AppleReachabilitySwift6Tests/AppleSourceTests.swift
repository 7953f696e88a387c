// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written in the style of such clients.

import Foundation
import SystemConfiguration
import Testing

struct `Apple's source, unmodified` {
    @Test func `a weakly held observer starts, reads flags on its own queue, stops and is released`() throws {
        weak var observed: WeaklyHeldObserver?
        let queue: DispatchQueue
        do {
            let observer = try WeaklyHeldObserver(hostname: "localhost")
            observed = observer
            queue = observer.queue
            try observer.start()
            #expect(observer.flags.first?.contains(.connectionRequired) == false)
            #expect(observer.flags.first?.contains(.reachable) == true)
            observer.stop()
            try observer.start()
            #expect(observer.flags.count >= 2)
        }
        // A call that is running holds it.
        queue.sync {}
        #expect(observed == nil)
    }

    @Test func `an observer that sets the queue first posts the initial state itself, and can restart`() async {
        for observer in [QueueFirstObserver(host: "localhost"), QueueFirstObserver()] {
            guard let observer else {
                Issue.record("no target")
                continue
            }
            let expected = QueueFirstObserver.Status(observer.flags ?? [])
            for _ in 0..<3 {
                let status: QueueFirstObserver.Status = await withCheckedContinuation { continuation in
                    let once = Once()
                    let isStarted = observer.startListening(onQueue: .global()) { status in
                        if once.claim() { continuation.resume(returning: status) }
                    }
                    #expect(isStarted)
                }
                #expect(status == expected)
            }
            observer.stopListening()
            observer.stopListening()
        }
    }

    @Test func `stopping before ever starting is harmless`() throws {
        let observer = try WeaklyHeldObserver()
        observer.stop()
        #expect(SCNetworkReachabilitySetDispatchQueue(observer.target, nil) == false)
        #expect(Int(SCError()) == kSCStatusInvalidArgument)
        #expect(lastFailure() == "1002 Invalid argument 1002 com.apple.SystemConfiguration")
    }

    @Test func `an empty name is rejected with Apple's error code`() {
        #expect(throws: WeaklyHeldObserver.Failure.self) { try WeaklyHeldObserver(hostname: "") }
        #expect(SCError() == 1002)
    }

    @Test func `the older functions agree with each other`() throws {
        let everywhere = try #require(QueueFirstObserver())
        #expect(isConnectedToNetwork() == everywhere.flags?.isUsable)
        #expect(localWiFiTarget() != nil)
        #expect(everywhere.flags?.text.count == 10)
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, "192.0.2.1"))
        #expect(remember([target, target]).count == 1)
    }

    @Test func `a run loop calls back, with either constant for its mode`() throws {
        let observer = try #require(RunLoopObserver(name: "localhost"))
        #expect(observer.start())
        let end = Date(timeIntervalSinceNow: 60)  // clock: the run loop takes a date
        // clock: a run loop takes a date.
        while observer.count == 0, Date() < end { _ = RunLoop.current.run(mode: .default, before: end) }
        #expect(observer.count == 1)
        #expect(observer.stop())
        #expect(observer.stop() == false)
        #expect(observer.restartOtherwise())
        #if !canImport(Darwin)
        #expect(watchOnce(observer.target))
        #endif
    }

    @Test func `an address has the length that the C library requires`() {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_INET)
        #expect(numericHost(&address) == "0.0.0.0")
    }
}

/// Admits one of several callers.
final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var isClaimed = false

    func claim() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        defer { isClaimed = true }
        return !isClaimed
    }
}
