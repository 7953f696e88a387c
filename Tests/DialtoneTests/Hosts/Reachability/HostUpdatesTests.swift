// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import LibC
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

struct HostUpdatesTests {
    /// A network whose views the test publishes.
    private final class Routing: HostRouting {
        private let receiver = Mutex<(@Sendable (HostView) -> Void)?>(nil)

        func watch(
            _ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void
        ) -> HostRoutingWatch {
            receiver.withLock { $0 = receive }
            publish(0)
            return HostRoutingWatch(onChange: { _ in }, onCancel: {})
        }

        func view(of addresses: Set<NetworkAddress>) async -> HostView? { nil }

        func publish(_ number: Int) {
            let view = HostView(path: SimulatedPath.wired.path, searchDomains: ["n\(number).example"])
            receiver.withLock(\.self)?(view)
        }
    }

    /// A resolver that finds nothing after nine seconds.
    private struct SlowResolver: NameResolver {
        let clock: TestClock
        let questions = Recorder<Int>()

        func addresses(of host: String, family: NetworkAddress.Family) async throws -> [NetworkAddress] {
            let end = clock.now.advanced(by: .seconds(9))
            questions.record(Int(clock.now.offset / .seconds(1)))
            try await clock.sleep(until: end)
            throw ProbeError(.hostNotFound, during: .resolve)
        }
    }

    /// The time limit of each evaluation is ten seconds.
    @Test func `a network that changes all the time does not keep a slow host from being reported`() async throws {
        let (clock, routing) = (TestClock(), Routing())
        let resolver = SlowResolver(clock: clock)
        var environment = HostEnvironment(routing: routing, resolver: resolver) { _ throws(SystemError) in
            throw SystemError(EMFILE)
        }
        environment.time = clock.timeSource
        environment.hostsFile = HostsFileReader("/nowhere")
        let reports = Recorder<HostReport>()
        let host = HostReachability(
            try HostTarget("host.example"), connects: true, timeout: .seconds(10), environment: environment)
        let watcher = HostWatcher(host, interval: nil) { reports.record($0) }
        watcher.start()
        defer { watcher.cancel() }
        // Each change replaces the evaluation that runs, until the host has been evaluated for ten seconds.
        for second in [0, 2, 4, 6, 8] {
            // One question for each IP version.
            for _ in 0..<2 { #expect(try await resolver.questions.next() == second) }
            clock.advance(by: .seconds(2))
            routing.publish(second + 2)
        }
        for second in [12, 14, 16] {
            clock.advance(by: .seconds(2))
            routing.publish(second)
        }
        // The evaluation of second 8 ends, and another begins under the newest view.
        clock.advance(by: .seconds(1))
        #expect(try await reports.next().resolution?.error != nil)
        for _ in 0..<2 { #expect(try await resolver.questions.next() == 17) }
        #expect(reports.values.count == 1)
    }
}
#endif
