// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Network
import TestSupport
import Testing

/// Many monitors at once.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CrowdTests {
    @Test func `a thousand monitors that start and stop at the same time`() async throws {
        try await storm(100)
        let before = ProcessUse.now
        try await storm(1000)
        let after = ProcessUse.now
        // Other tests run at the same time; a leak would be about a thousand.
        #expect(after.descriptors < before.descriptors + 300)
        #expect(after.threads < before.threads + 300)
    }

    private func storm(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let paths = Recorder<NWPath>()
                    let monitor =
                        number.isMultiple(of: 3) ? NWPathMonitor(requiredInterfaceType: .wifi) : NWPathMonitor()
                    monitor.pathUpdateHandler = { paths.record($0) }
                    monitor.start(queue: .global())
                    // Some are cancelled before their first update.
                    if !number.isMultiple(of: 7) { _ = try await paths.next() }
                    monitor.cancel()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a concurrent queue keeps the order and gets one path at a time`() async throws {
        let calls = Recorder<Bool>()
        let gate = Gate()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            calls.record(gate.enter())
            #expect(monitor.currentPath == path)
            gate.leave()
        }
        monitor.start(queue: DispatchQueue(label: "monitor", attributes: .concurrent))
        defer { monitor.cancel() }
        let wasAlone = try await calls.next()
        #expect(wasAlone)
    }
}

/// Detects concurrent entry.
private final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false

    func enter() -> Bool {
        lock.withLock {
            defer { isTaken = true }
            return !isTaken
        }
    }

    func leave() { lock.withLock { isTaken = false } }
}

/// The resources of the process, where the system reports them in files.
private struct ProcessUse {
    let descriptors: Int
    let threads: Int

    static var now: ProcessUse {
        ProcessUse(descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
