// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Network
import TestSupport
import Testing

/// The behaviour of `NWPathMonitor` that programs written for Apple rely on.
///
/// The tests run with and without a network: they assert relations between values.
@Suite(.timeLimit(.minutes(5)))
struct MonitorTests {
    @Test func `the current path is delivered soon after the start, without a change`() async throws {
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

    @Test func `inside the handler, on the given queue, the current path is the delivered one`() async throws {
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

    @Test func `before the start the path is unsatisfied and empty, and there is no queue`() {
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

    @Test func `a started monitor lives until it is cancelled, without other references`() async throws {
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

    /// Waits for the first path of another monitor on a queue: one that was to be delivered before has been.
    private static func awaitPath(on queue: DispatchQueue) async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: queue)
        defer { monitor.cancel() }
        _ = try await paths.next()
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
        try await Self.awaitPath(on: second)
        await first.drained()
        #expect(paths.values.count == 1)
    }

    @Test func `after cancel it delivers nothing, keeps its path, and cannot be restarted`() async throws {
        let paths = Recorder<NWPath>()
        let queue = DispatchQueue(label: "monitor")
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: queue)
        let path = try await paths.next()
        monitor.cancel()
        monitor.cancel()
        monitor.start(queue: queue)
        try await Self.awaitPath(on: queue)
        #expect(paths.values.count == 1)
        #expect(monitor.currentPath == path)
    }

    @Test func `cancel before start has no effect`() async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.cancel()
        let queue = DispatchQueue(label: "monitor")
        monitor.start(queue: queue)
        try await Self.awaitPath(on: queue)
        #expect(paths.values.isEmpty)
    }

    @Test func `a handler that is set after the first path does not receive it again`() async throws {
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

    @Test func `without a handler the current path is still updated`() async throws {
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
        // The order between the two monitors is not specified.
        while monitor.currentPath.status != path.status { await queue.drained() }
        #expect(monitor.currentPath.availableInterfaces == path.availableInterfaces)
        #expect(monitor.pathUpdateHandler == nil)
    }
}

extension DispatchQueue {
    /// Returns when everything queued before has run.
    func drained() async {
        await withCheckedContinuation { continuation in
            self.async(flags: .barrier) { continuation.resume() }
        }
    }
}
