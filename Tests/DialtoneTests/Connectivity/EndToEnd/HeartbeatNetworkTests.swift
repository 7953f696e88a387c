// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Netlink
import Synchronization
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// A monitor with a heartbeat, and a wire beyond its router.
///
/// No checks are scheduled: what the monitor notices, it notices by its beats.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .timeLimit(.minutes(5)))
struct HeartbeatNetworkTests {
    private final class Lab: Sendable {
        let network: RoutedLab
        private let listener: TCPListener
        private let names: ScriptedNameServer
        private let queries = Mutex(0)
        private let isPassing = Atomic(true)

        /// A host with a name server, beyond the router.
        static let host = NetworkAddress(203, 0, 113, 53)

        init() async throws {
            let network = try RoutedLab(wired: true)
            self.network = network
            listener = try TCPListener("\(Self.host)", port: 443, in: network.internet)
            names = try await network.internet.run {
                try ScriptedNameServer(playing: ScriptedResolver(), address: "\(Self.host)")
            }
            pass(true)
            try await network.join()
        }

        /// Lets packets pass beyond the router, or drops them.
        func pass(_ isPassed: Bool) {
            isPassing.store(isPassed, ordering: .relaxed)
            network.wires?.wan.play { [weak self] packet in
                if packet.hasPort(53), packet.isOutward { self?.queries.withLock { $0 += 1 } }
                return isPassed ? .pass : .drop
            }
        }

        /// The number of queries that were sent beyond the router.
        var queryCount: Int { queries.withLock { $0 } }

        /// Starts a monitor, and waits until it is online.
        func monitor(
            _ heartbeat: ConnectivityMonitor.Heartbeat?, time: TimeSource = .system
        ) async throws -> ConnectivityMonitor {
            let check = ConnectionCheck(machine: network.client) { [weak self] in
                self?.isPassing.load(ordering: .relaxed) == true
            }
            return try await network.client.run {
                let monitor = try ConnectivityMonitor(
                    .init(
                        polling: .never, checkSpacing: .milliseconds(10), firstValueBound: .seconds(60),
                        heartbeat: heartbeat), paths: SystemPathSource(), checker: check, time: time)
                monitor.start()
                return monitor
            }
        }
    }

    /// A check that passes if the host accepts a connection; otherwise nothing beyond the router answers.
    private struct ConnectionCheck: HeartbeatTargeting {
        let machine: NetworkNamespace
        /// Whether packets pass: then the host is waited for, however busy this machine is.
        let isPassing: @Sendable () -> Bool

        func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets { HeartbeatTargets([Lab.host]) }

        func check(over path: NetworkPath) async -> InternetCheck.Report {
            let probe = PublicAddressProbe(addresses: [Lab.host])
            let end = TimeSource.system.now + .seconds(isPassing() ? 60 : 1)
            let answers = try? await machine.run { probe.run(until: end, KernelSockets()) }
            var report = InternetCheck.Report(verdict: .verified, checkedAt: .wall)
            guard answers?.first?.outcome != .accepts else { return report }
            report.verdict = .noInternet(.timedOut)
            report.endpoints = [.init(url: "http://check.test/", .failed(.init(.timedOut, during: .connect)))]
            report.hops = .init(
                routers: path.gateways.map { .init($0, .answers) }, publicAddresses: answers ?? [])
            return report
        }
    }

    @Test func `an uplink that falls silent and comes back is noticed by beats, which bound both times`() async throws {
        let lab = try await Lab()
        let monitor = try await lab.monitor(.init(interval: .seconds(1)))
        let recorder = Recorder<Connectivity>()
        let observation = monitor.observe(on: .global()) { recorder.record($0) }
        _ = try await recorder.next { $0.state == .online }
        // The network has been learnt.
        try await eventually { lab.queryCount >= 6 }

        func change(_ isPassed: Bool, until state: ConnectivityState) async throws {
            let before = Date.wall
            lab.pass(isPassed)
            let after = Date.wall
            let value = try await recorder.next { $0.state == state }
            let noticed = Date.wall
            let beginning = try #require(value.beginning)
            #expect(try #require(beginning.earliest) <= after)
            #expect(beginning.latest >= before)
            // A check alone bounds it by its own end.
            #expect(beginning.latest < noticed)
            #expect(value.since >= beginning.latest)
        }
        try await change(false, until: .noInternet)
        #expect(monitor.current.fault == .provider)
        try await change(true, until: .online)
        observation.cancel()
        monitor.stop()
    }

    @Test func `the loss and the round trips of each minute are delivered`() async throws {
        let lab = try await Lab()
        // The machine's clocks, except that the test sets the wall clock forward.
        let isNextMinute = Atomic(false)
        let time = TimeSource {
            var moment = TimeSource.system.moment
            if isNextMinute.load(ordering: .relaxed) { moment.realtime += 60 }
            return moment
        } schedule: {
            TimeSource.system.call(at: $0, $1)
        }
        let monitor = try await lab.monitor(.init(interval: .seconds(1)), time: time)
        let (minutes, continuation) = AsyncStream.makeStream(of: HopMinute.self)
        let subscription = monitor.hopMinutes.add { continuation.yield($0) }
        // Each beat follows the answers to the one before.
        try await eventually { lab.queryCount >= 6 }
        isNextMinute.store(true, ordering: .relaxed)
        let minute = try #require(await minutes.first { _ in true })
        #expect(minute.hops[.beyond].map { $0.sent > 0 } == true)
        monitor.hopMinutes.cancel(subscription)
        monitor.stop()
    }

    @Test func `without a heartbeat nothing is sent between checks`() async throws {
        let lab = try await Lab()
        let monitor = try await lab.monitor(nil)
        var values = monitor.updates().makeAsyncIterator()
        #expect(await values.next()?.state == .online)
        lab.pass(false)
        // The next value is that of a requested check.
        monitor.requestCheck()
        #expect(await values.next()?.state == .noInternet)
        #expect(lab.queryCount == 0)
        monitor.stop()
    }
}
#endif
