// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import NetworkState
import OpenNetwork
import TestSupport
import Testing

struct NWPathMonitorTests {
    /// Cancels a monitor when it is released.
    private final class Canceller: Sendable {
        private let monitor: NWPathMonitor

        init(_ monitor: NWPathMonitor) { self.monitor = monitor }

        deinit { monitor.cancel() }
    }

    /// Gives the handler the only reference to a canceller.
    private func giveCanceller(to monitor: NWPathMonitor) {
        let canceller = Canceller(monitor)
        monitor.pathUpdateHandler = { _ in withExtendedLifetime(canceller) {} }
    }

    @Test func `an object that only the handler owns may cancel the monitor when the handler is removed`() async {
        let monitor = NWPathMonitor()
        giveCanceller(to: monitor)
        monitor.pathUpdateHandler = nil
        #expect(monitor.pathUpdateHandler == nil)
        // A cancelled monitor has no paths to iterate over.
        var iterator = monitor.makeAsyncIterator()
        let path = await iterator.next()
        #expect(path == nil)
    }

    @Test func `an object that only the handler owns may cancel the monitor when the handler is replaced`() async {
        let monitor = NWPathMonitor()
        giveCanceller(to: monitor)
        monitor.pathUpdateHandler = { _ in }
        #expect(monitor.pathUpdateHandler != nil)
        var iterator = monitor.makeAsyncIterator()
        let path = await iterator.next()
        #expect(path == nil)
    }

    @Test func `cancelling inside the handler makes that call the last`() async throws {
        let uplink = ScriptedUplink(.wifi)
        let queue = DispatchQueue(label: "monitor")
        let (paths, others) = (Recorder<NWPath>(), Recorder<NWPath>())
        let monitor = NWPathMonitor(PathFilter(), source: uplink.source)
        monitor.pathUpdateHandler = { path in
            monitor.cancel()
            paths.record(path)
        }
        monitor.start(queue: queue)
        _ = try await paths.next()
        let other = NWPathMonitor(PathFilter(), source: uplink.source)
        other.pathUpdateHandler = { others.record($0) }
        other.start(queue: queue)
        defer { other.cancel() }
        uplink.become(.cellular)
        _ = try await others.next { $0.usesInterfaceType(.cellular) }
        #expect(paths.values.count == 1)
        // Breaks the reference cycle of the handler above.
        monitor.pathUpdateHandler = nil
    }
}

#endif
