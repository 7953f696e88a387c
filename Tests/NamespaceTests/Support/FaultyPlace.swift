// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Foundation
import Netlink
@testable import NetworkState
import Synchronization
import TestSupport

/// A namespace with an uplink, and a source whose system calls are supervised, for tests in a separate process.
///
/// It uses no timer and no task, so that descriptors and threads can be counted.
final class FaultyPlace: Sendable {
    let namespace: NetworkNamespace
    let source: KernelSource
    let supervision = Supervision()
    private let index: Int32
    private let states = Mutex<[NetworkSnapshot]>([])
    private let arrived = DispatchSemaphore(value: 0)
    private let subscription = Mutex<UpdateSubscription?>(nil)
    private let before: Holdings

    struct Missing: Error { let description: String }

    /// The resources of a process, without the threads of Dispatch, which end when they want.
    struct Holdings: Equatable {
        var descriptors: Int
        var threads: Int

        static var now: Holdings {
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
            return Holdings(descriptors: descriptors, threads: kernelThreads)
        }
    }

    /// Sets the link up, with an address and a default route, and waits until the source reports it.
    init(pace: KernelPace = KernelPace(firstRetry: 0.01, longestRetry: 0.05)) throws {
        let namespace = try NetworkNamespace()
        self.namespace = namespace
        index = try namespace.run {
            var kernel = try RouteNetlink()
            return try kernel.makeUplink()
        }
        source = KernelSource(pace: pace)
        // Resources that are created once and kept are not counted.
        let once = KernelSource(pace: pace)
        let told = DispatchSemaphore(value: 0)
        let first = try namespace.run { once.subscribe { _ in told.signal() } }
        told.wait()
        first.cancel()
        Self.settle { Self.kernelThreads == 0 }
        before = Holdings.now
        let supervisor = try Supervision.Supervisor()
        let subscription = try namespace.run { [self] in
            try supervision.begin(supervisor)
            return source.subscribe { [weak self] in self?.take($0) }
        }
        self.subscription.withLock { $0 = subscription }
        try setUp(true)
        try expect("satisfied") { $0.visibility == .live && PathEvaluator($0).evaluate().status == .satisfied }
    }

    private func take(_ update: NetworkUpdate) {
        states.withLock { $0.append(update.snapshot) }
        arrived.signal()
    }

    /// The last published state.
    var latest: NetworkSnapshot? { states.withLock { $0.last } }

    /// Waits for a state, including the last published one.
    func expect(_ what: String, where isWanted: (NetworkSnapshot) -> Bool) throws {
        while true {
            if let latest, isWanted(latest) { return }
            // clock: a fail-safe.
            guard arrived.wait(timeout: .now() + 60) == .success else {
                throw Missing(description: "never \(what); the last: \(latest.map { "\($0)" } ?? "nothing")")
            }
        }
    }

    /// Switches the uplink off, or on with its route.
    func setUp(_ isUp: Bool) throws {
        try namespace.run { [index] in
            var kernel = try RouteNetlink()
            try kernel.setLink(index, up: isUp)
            if isUp { try kernel.addDefault(via: "192.0.2.1", on: index) }
        }
    }

    /// Changes the network several times, and expects the right state each time.
    func expectToFollow() throws {
        for isUp in [false, true, false, true] {
            try setUp(isUp)
            let status: PathStatus = isUp ? .satisfied : .unsatisfied
            try expect("\(status)") { $0.visibility == .live && PathEvaluator($0).evaluate().status == status }
        }
    }

    /// Ends, and expects the same number of descriptors and threads as before.
    func expectNothingLeft() throws {
        supervision.change { _ in .proceed }
        subscription.withLock { subscription in
            subscription?.cancel()
            subscription = nil
        }
        Self.settle { Holdings.now == before }
        let after = Holdings.now
        guard after == before else { throw Missing(description: "left behind: \(after), before: \(before)") }
    }

    /// Waits for sockets and threads, which end shortly after the last subscriber has left.
    private static func settle(until isDone: () -> Bool) {
        // clock: the kernel does not report that a thread has ended.
        for _ in 0..<600 where !isDone() { usleep(50_000) }
    }

    private static var kernelThreads: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name.map { $0.hasPrefix("dialtone.") || $0.hasPrefix("namespace") } ?? false
        }
    }
}
#endif
