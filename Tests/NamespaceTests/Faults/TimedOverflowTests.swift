// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
@testable import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// However many events occur while nothing is read, the next change is reported at once, and the state is right.
///
/// Timed: a change must be reported within a second.
@Suite(.requires(.networkNamespaces), .serialized, .timeLimit(.minutes(5)))
struct TimedOverflowTests {
    private func uplink() async throws -> (Lab, Int32) {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.live.path { $0.status == .satisfied }
        return (lab, index)
    }

    @Test func `a hundred thousand route changes while the handler is blocked`() async throws {
        let (lab, index) = try await uplink()
        let gate = DispatchSemaphore(value: 0)
        let paths = Recorder<NWPath>()
        let blocked = Recorder<Void>()
        let monitor = NWPathMonitor(PathFilter(), source: lab.source, reportsDiagnosis: true)
        monitor.pathUpdateHandler = { path in
            blocked.record(())
            gate.wait()
            paths.record(path)
        }
        try await lab.run { monitor.start(queue: DispatchQueue(label: "blocked")) }
        defer { monitor.cancel() }
        try await blocked.next()

        try await lab.change { kernel in
            for round in 0..<50_000 {
                let (high, low) = (UInt8(truncatingIfNeeded: round >> 8), UInt8(truncatingIfNeeded: round))
                let network = NetworkPrefix(NetworkAddress(10, high, low, 0), length: 24) ?? .all(.ipv4)
                try kernel.addRoute(NewRoute(network, via: "192.0.2.1", interface: index))
                try kernel.deleteRoute(NewRoute(network, via: "192.0.2.1", interface: index))
            }
        }
        // clock: it measures.
        let clock = ContinuousClock()
        let start = clock.now
        try await lab.change { try $0.setLink(index, up: false) }
        for _ in 0..<8 { gate.signal() }
        _ = try await paths.next { $0.status == .unsatisfied }
        #expect(clock.now - start < .seconds(1))
        #expect(Seen(monitor.currentPath.networkPath) == .unsatisfied(.allDown, on: "up0"))
    }

    @Test func `a hundred thousand changes of default routes, all of them delivered`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { kernel in
            for _ in 0..<50_000 {
                try kernel.addDefault(via: "192.0.2.9", on: index, priority: 900)
                try kernel.deleteRoute(NewRoute(.all(.ipv4), via: "192.0.2.9", interface: index, priority: 900))
            }
        }
        // clock: it measures.
        let clock = ContinuousClock()
        let start = clock.now
        try await lab.change { try $0.setLink(index, up: false) }
        try await lab.live.path { $0.status == .unsatisfied }
        #expect(clock.now - start < .seconds(1))
        try await lab.expect(.unsatisfied(.allDown, on: "up0"))
    }

    @Test func `with a buffer that holds almost nothing, no change is missed`() async throws {
        let lab = try await Lab(pace: KernelPace(receiveBuffer: 1))
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1")
            // More than the buffer holds, unless the source is fast; the next test delays it.
            for number: UInt8 in 1...200 {
                try kernel.addDefault(via: "192.0.2.1", on: index, priority: 1000 + UInt32(number))
            }
        }
        try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        for _ in 0..<20 {
            try await lab.change { try $0.setLink(index, up: false) }
            try await lab.expect(.unsatisfied(.allDown, on: "up0"))
            try await lab.change { kernel in
                try kernel.setLink(index, up: true)
                try kernel.addDefault(via: "192.0.2.1")
            }
            try await lab.expect(.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"]))
        }
    }

    @Test func `a link is deleted while the source's thread is blocked until its socket overflows`() async throws {
        let lab = try await Lab(pace: KernelPace(receiveBuffer: 4096))
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.live.path { $0.status == .satisfied }
        let held = Recorder<Void>()
        let gate = DispatchSemaphore(value: 0)
        // A slow subscriber blocks the source itself.
        let subscription = try await lab.run {
            lab.source.subscribe { _ in
                held.record(())
                gate.wait()
            }
        }
        try await held.next()
        try await lab.change { kernel in
            for number: UInt32 in 1...300 {
                try kernel.addDefault(via: "192.0.2.1", on: index, priority: 1000 + number)
            }
            try kernel.deleteLink(index)
        }
        try await expectLosses(in: lab)
        subscription.cancel()
        gate.signal()
        try await lab.expect(.unsatisfied(.noInterface))
    }

    /// The kernel counts the messages that a socket missed: without any, the test would prove nothing.
    private func expectLosses(in lab: Lab) async throws {
        let drops = try await lab.run { try ListeningSocket.all().map(\.drops).max() ?? 0 }
        #expect(drops > 0)
    }
}
#endif
