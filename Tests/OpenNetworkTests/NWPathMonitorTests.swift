// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import OpenNetwork
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
}

#endif
