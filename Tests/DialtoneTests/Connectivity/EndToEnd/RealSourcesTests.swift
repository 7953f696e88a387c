// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

extension InternetCheck.Configuration.Timeouts {
    /// Timeouts for a busy machine.
    fileprivate init(within time: Duration) {
        self.init(resolve: time, connect: time, tls: time, headers: time, body: time, total: time)
    }
}

/// The kernel and the prober behave as the simulations do.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RealSourcesTests {
    /// A checker that finds the Internet wherever there is a path.
    private struct Verified: InternetChecking {
        func check(over path: NetworkPath) async -> InternetCheck.Report {
            InternetCheck.Report(verdict: .verified, checkedAt: .wall)
        }
    }

    @Test func `a check looks up the routes again, because the kernel does not announce every setting`() async throws {
        let namespace = try NetworkNamespace()
        let configuration = ConnectivityMonitor.Configuration()
        let monitor = try await namespace.run {
            // The end of the check of an address would be an event.
            try Setting.write("ipv6/conf/default/accept_dad", 0)
            var kernel = try RouteNetlink()
            for name in ["wan", "lan"] {
                try kernel.createLink(.veth(name: name, peer: "far-\(name)"))
                for end in [name, "far-\(name)"] { try kernel.setLink(kernel.link(named: end).index, up: true) }
            }
            // The uplink borrows the address of the other link.
            try kernel.addAddress(
                "2001:db8:1::1/64", to: kernel.link(named: "lan").index, flags: .noDuplicateDetection)
            let wan = try kernel.link(named: "wan").index
            try kernel.addRoute(NewRoute(.all(.ipv6), via: "fe80::99", interface: wan))
            let monitor = try ConnectivityMonitor(configuration, checker: Verified())
            monitor.start()
            return monitor
        }
        let recorder = Recorder<Connectivity>()
        let observation = monitor.observe(on: .global()) { recorder.record($0) }
        _ = try await recorder.next { $0.state == .online }
        try await namespace.run { try Setting.write("ipv6/conf/wan/use_oif_addrs_only", 1) }
        monitor.requestCheck()
        let offline = try await recorder.next { $0.state == .offline }
        #expect(offline.path.diagnosis?.reason == .noAddress)
        observation.cancel()
        monitor.stop()
    }

    @Test func `the path can be read without await`() async throws {
        let namespace = try NetworkNamespace()
        try await namespace.connect("a", to: namespace, as: "b")
        func status(_ filter: PathFilter = PathFilter()) throws -> PathStatus {
            try namespace.run { NetworkPath.read(filter).status }
        }
        #expect(try status() == .unsatisfied)
        try await namespace.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "a").index
            try kernel.addAddress("192.0.2.2/24", to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: index))
        }
        #expect(try status() == .satisfied)
        #expect(try status(PathFilter(requiredType: .wifi)) == .unsatisfied)
    }

    @Test(arguments: [
        (ScriptedInternet.Behavior.online, ConnectivityState.online), (.refusing, .limited),
    ]) func `InternetCheck meets the requirements of a checker`(
        behavior: ScriptedInternet.Behavior, state: ConnectivityState
    ) async throws {
        let internet = try ScriptedInternet(behavior)
        var asked = internet.configuration
        asked.timeouts = .init(within: .seconds(30))
        let check = try InternetCheck(asked)
        let conformance = InternetCheckingConformance(
            check, over: SimulatedPath.wifi.path, expecting: state, limit: .seconds(60))
        #expect(await conformance.violations() == [])
    }

    @Test func `a check that is bound to the path's interface uses it`() async throws {
        let internet = try ScriptedInternet()
        var asked = internet.configuration
        asked.timeouts = .init(within: .seconds(30))
        var path = SimulatedPath.wired.path
        path.interfaces = [.init(name: "lo", index: 1, type: .loopback)]
        let check = try InternetCheck(asked)
        var bound = check
        bound.isBoundToPath = true
        #expect(await bound.check(over: path).verdict == .verified)
        path.interfaces = [.init(name: "none0", index: 9, type: .other)]
        #expect(await bound.check(over: path).verdict != .verified)
        #expect(await check.check(over: path).verdict == .verified)
        #expect(throws: InvalidConfiguration.self) {
            try InternetCheck(InternetCheck.Configuration(endpoints: ["nonsense"]))
        }
    }

    @Test func `the system monitor on its own clock verifies the scripted Internet`() async throws {
        let internet = try ScriptedInternet()
        let network = SimulatedNetwork(.wired)
        var configuration = ConnectivityMonitor.Configuration()
        configuration.firstValueBound = .seconds(60)
        var asked = internet.configuration
        asked.timeouts = .init(within: .seconds(30))
        let monitor = try ConnectivityMonitor(
            configuration, paths: network, checker: InternetCheck(asked), identifier: nil)
        var values = monitor.updates().makeAsyncIterator()
        let first = await values.next()
        #expect(first?.state == .online)
        #expect(first?.evidence?.endpoints.count == 4)
    }
}
#endif
