//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Network
import TestSupport
import Testing

/// What programs written for Apple's `NWPathMonitor` rely on.
///
/// The network may be there or not: what is asserted are relations.
@Suite(.timeLimit(.minutes(5)))
struct MonitorTests {
    @Test func `the current path comes soon after the start, though nothing changes`() async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: DispatchQueue(label: "monitor"))
        defer { monitor.cancel() }
        let path = try await paths.next()
        #expect(path.status == .satisfied || path.availableInterfaces.isEmpty || path.status == .requiresConnection)
        #expect(path.localEndpoint == nil)
        #expect(path.remoteEndpoint == nil)
    }

    @Test func `inside the handler the current path is the one delivered, on the queue given`() async throws {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "monitor")
        queue.setSpecific(key: key, value: "mine")
        let facts = Recorder<Bool>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            facts.record(monitor.currentPath == path && DispatchQueue.getSpecific(key: key) == "mine")
        }
        monitor.start(queue: queue)
        defer { monitor.cancel() }
        let isSo = try await facts.next()
        #expect(isSo)
    }

    @Test func `before the start there is a path, unsatisfied and empty, and no queue`() {
        let monitor = NWPathMonitor()
        let path = monitor.currentPath
        #expect(path.status == .unsatisfied)
        #expect(path.availableInterfaces.isEmpty)
        #expect(!path.isExpensive && !path.isConstrained)
        #expect(!path.supportsIPv4 && !path.supportsIPv6 && !path.supportsDNS)
        #expect(!path.usesInterfaceType(.wifi))
        #expect(monitor.queue == nil)
        monitor.cancel()
    }

    @Test func `a started monitor lives until it is cancelled, without anybody holding it`() async throws {
        let paths = Recorder<NWPath>()
        weak var observed: NWPathMonitor?
        do {
            let monitor = NWPathMonitor()
            observed = monitor
            monitor.pathUpdateHandler = { paths.record($0) }
            monitor.start(queue: DispatchQueue(label: "monitor"))
        }
        _ = try await paths.next()
        #expect(observed != nil)
        observed?.cancel()
    }

    @Test func `a second start is ignored`() async throws {
        let paths = Recorder<NWPath>()
        let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: first)
        monitor.start(queue: second)
        defer { monitor.cancel() }
        _ = try await paths.next()
        await first.drained()
        await second.drained()
        #expect(paths.values.count == 1)
    }

    @Test func `after cancel it is silent, keeps its path, and cannot be started again`() async throws {
        let paths = Recorder<NWPath>()
        let queue = DispatchQueue(label: "monitor")
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: queue)
        let path = try await paths.next()
        monitor.cancel()
        monitor.cancel()
        monitor.start(queue: queue)
        // A new monitor's first path proves that one could have come.
        let others = Recorder<NWPath>()
        let other = NWPathMonitor()
        other.pathUpdateHandler = { others.record($0) }
        other.start(queue: queue)
        defer { other.cancel() }
        _ = try await others.next()
        #expect(paths.values.count == 1)
        #expect(monitor.currentPath == path)
    }

    @Test func `cancel before start does no harm`() async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.cancel()
        let queue = DispatchQueue(label: "monitor")
        monitor.start(queue: queue)
        await queue.drained()
        #expect(paths.values.isEmpty)
    }

    @Test func `a handler that is set after the first path gets no replay`() async throws {
        let queue = DispatchQueue(label: "monitor")
        let first = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { first.record($0) }
        monitor.start(queue: queue)
        defer { monitor.cancel() }
        _ = try await first.next()
        let second = Recorder<NWPath>()
        monitor.pathUpdateHandler = { second.record($0) }
        await queue.drained()
        #expect(second.values.isEmpty)
    }

    @Test func `without a handler the current path is kept up`() async throws {
        let queue = DispatchQueue(label: "monitor")
        let monitor = NWPathMonitor()
        let other = NWPathMonitor()
        let paths = Recorder<NWPath>()
        monitor.start(queue: queue)
        other.pathUpdateHandler = { paths.record($0) }
        other.start(queue: queue)
        defer {
            monitor.cancel()
            other.cancel()
        }
        let path = try await paths.next()
        // Who of the two is told first is not promised.
        while monitor.currentPath.status != path.status { await queue.drained() }
        #expect(monitor.currentPath.availableInterfaces == path.availableInterfaces)
        #expect(monitor.pathUpdateHandler == nil)
    }

    @Test func `cancelling inside the handler makes that call the last`() async throws {
        let paths = Recorder<NWPath>()
        let queue = DispatchQueue(label: "monitor")
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            monitor.cancel()
            paths.record(path)
        }
        monitor.start(queue: queue)
        _ = try await paths.next()
        await queue.drained()
        #expect(paths.values.count == 1)
        // Breaks the cycle that the handler above makes on purpose.
        monitor.pathUpdateHandler = nil
    }
}

extension DispatchQueue {
    /// Returns when everything that was queued before has run.
    func drained() async {
        await withCheckedContinuation { continuation in
            self.async(flags: .barrier) { continuation.resume() }
        }
    }
}
