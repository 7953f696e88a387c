// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Network
import TestSupport
import Testing

/// `for await path in NWPathMonitor()`.
@Suite(.timeLimit(.minutes(5)))
struct MonitorSequenceTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `iterating starts the monitor, and the current path is first`() async {
        let monitor = NWPathMonitor()
        var first: NWPath?
        for await path in monitor {
            first = path
            break
        }
        #expect(first != nil)
        monitor.cancel()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `cancelling the monitor ends the iteration`() async {
        let monitor = NWPathMonitor()
        var count = 0
        for await _ in monitor {
            count += 1
            monitor.cancel()
        }
        #expect(count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `cancelling the task ends the iteration`() async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        let task = Task {
            for await path in monitor { paths.record(path) }
            return true
        }
        _ = try await paths.next()
        task.cancel()
        #expect(await task.value)
        monitor.cancel()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `several loops at the same time each get the current path`() async throws {
        let monitor = NWPathMonitor()
        let paths = Recorder<NWPath>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for await path in monitor { paths.record(path) } }
            }
            var heard: [NWPath] = []
            while heard.count < 4 { heard.append(try await paths.next()) }
            #expect(heard.allSatisfy { $0.status == heard.first?.status })
            monitor.cancel()
            try await group.waitForAll()
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `an iteration of a cancelled monitor ends at once`() async {
        let monitor = NWPathMonitor()
        monitor.cancel()
        for await _ in monitor { Issue.record("a path of a cancelled monitor") }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a started monitor can be iterated too`() async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: DispatchQueue(label: "monitor"))
        let path = try await paths.next()
        var iterator = monitor.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.status == path.status)
        monitor.cancel()
        #expect(await iterator.next() == nil)
    }
}
