// SPDX-License-Identifier: Apache-2.0

import CKernelConstants
import Dispatch

#if os(Linux)
import Foundation
import OpenSystemConfiguration
import Synchronization

/// Creates, schedules and cancels a thousand targets at once, repeatedly, and reports what is left behind.
///
/// It prints the number of missing callbacks, and what grew: bytes in use, descriptors, contexts that were not released. With
/// the argument `leak` the last round's targets stay scheduled, to show that a leak would be detected.
@main enum TargetCrowd {
    static let count = 1000
    static let live = Atomic(0)

    static func main() {
        let leaks = CommandLine.arguments.contains("leak")
        var lost = 0
        // Queues, threads and caches are created once and stay.
        let usages = (0..<5).map { _ in
            lost += round(leaks: false)
            settle()
            return Usage.now
        }
        // On a busy machine, some of a round is released after it has settled.
        let before = Usage(
            bytes: usages.map(\.bytes).min() ?? 0, descriptors: usages.map(\.descriptors).min() ?? 0)
        for number in 1...10 { lost += round(leaks: leaks && number == 10) }
        settle(within: before.descriptors)
        let after = Usage.now
        print(
            "lost=\(lost)", "bytes=\(after.bytes - before.bytes)",
            "descriptors=\(after.descriptors - before.descriptors)",
            "contexts=\(live.load(ordering: .sequentiallyConsistent))")
    }

    /// The number of targets that did not get the callback that a name always gets.
    private static func round(leaks: Bool) -> Int {
        let queue = DispatchQueue(label: "crowd", attributes: .concurrent)
        let called = DispatchSemaphore(value: 0)
        let targets = Mutex<[SCNetworkReachability?]>(Array(repeating: nil, count: count))
        let hasCalled = Mutex<Set<Int>>([])
        DispatchQueue.concurrentPerform(iterations: count) { number in
            // Every fourth is an address, which only gets callbacks for changes.
            let isName = !number.isMultiple(of: 4)
            let name = isName ? "h\(number).localhost" : "10.0.\(number / 256).\(number % 256)"
            guard let target = SCNetworkReachabilityCreateWithName(nil, name) else { return }
            var context = Self.context
            context.info = UnsafeMutableRawPointer(bitPattern: number + 1)
            SCNetworkReachabilitySetCallback(
                target,
                { _, _, info in
                    guard let info, hasCalled.withLock({ $0.insert(Int(bitPattern: info)).inserted }) else { return }
                    called.signal()
                }, &context)
            SCNetworkReachabilitySetDispatchQueue(target, queue)
            targets.withLock { $0[number] = target }
        }
        var lost = 0
        // clock: the limit of a wait for an event.
        for _ in 0..<count * 3 / 4 where called.wait(timeout: .now() + 60) == .timedOut { lost += 1 }
        let all = targets.withLock { targets in
            defer { targets = [] }
            return targets
        }
        if leaks { return lost }
        DispatchQueue.concurrentPerform(iterations: count) { number in
            guard let target = all[number] else { return }
            SCNetworkReachabilitySetDispatchQueue(target, nil)
            if number.isMultiple(of: 2) { SCNetworkReachabilitySetCallback(target, nil, nil) }
        }
        queue.sync(flags: .barrier) {}
        return lost
    }

    /// Counts the retained contexts.
    private static var context: SCNetworkReachabilityContext {
        SCNetworkReachabilityContext(
            version: 0, info: nil,
            retain: { info in
                live.add(1, ordering: .sequentiallyConsistent)
                return info
            },
            release: { _ in live.subtract(1, ordering: .sequentiallyConsistent) }, copyDescription: nil)
    }

    /// Waits for sockets and threads, which are closed shortly after the last target is released, on a busy machine later.
    ///
    /// - Parameter descriptors: the number to wait for, at most ten seconds.
    private static func settle(within descriptors: Int = .max) {
        var last = Usage.now
        for _ in 0..<200 {
            // clock: the kernel does not report that it has closed a descriptor.
            usleep(50_000)
            let now = Usage.now
            if now.bytes >= last.bytes, now.descriptors >= last.descriptors, now.descriptors <= descriptors { return }
            last = now
        }
    }
}

/// The resources of this process.
struct Usage {
    let bytes: Int
    let descriptors: Int

    static var now: Usage {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return Usage(bytes: CKernel_bytesInUse(), descriptors: names.count)
    }
}
#else
@main enum TargetCrowd {
    static func main() {}
}
#endif
