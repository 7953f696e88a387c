// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneTesting
import Netlink
import TestSupport
import Testing

/// The library, the kernel and real servers, with a router between them.
@Suite(.requires(.networkNamespaces), .serialized, .timeLimit(.minutes(5)))
struct RoutedNetworkTests {
    private static let names = ["one.check.test", "two.check.test"]

    /// A monitor in the lab's client that checks often.
    private func monitor(_ lab: RoutedLab, _ internet: ScriptedInternet) async throws -> ConnectivityMonitor {
        var asked = InternetCheck.Configuration(
            endpoints: Self.names.flatMap { name in
                ["http", "https"].map { InternetCheck.Endpoint("\($0)://\(name)/generate_204") }
            },
            additionalTrustAnchors: [internet.trustAnchor], captivePortalAPI: .off)
        asked.timeouts.total = .seconds(2)
        let resolver = ScriptedResolver(otherwise: .addresses("203.0.113.1"))
        let check = try InternetCheck(
            asked, prober: SocketHTTPProbe(resolver: resolver, over: KernelSocketRunner(.inside(lab.client))))
        var configuration = ConnectivityMonitor.Configuration()
        configuration.interval = .milliseconds(500)
        configuration.firstRetry = .milliseconds(100)
        configuration.firstValueBound = .seconds(60)
        let usual = configuration
        return try await lab.client.run {
            let monitor = try ConnectivityMonitor(usual, checker: check)
            monitor.start()
            return monitor
        }
    }

    @Test func `join, portal, login, online, the uplink dies behind the router, and comes back`() async throws {
        let lab = try RoutedLab()
        let internet = try await lab.internet.run {
            try ScriptedInternet(
                .portal(.redirect), address: "203.0.113.1", httpPort: 80, httpsPort: 443, names: Self.names)
        }
        let monitor = try await monitor(lab, internet)
        let recorder = Recorder<Connectivity>()
        let observation = monitor.observe(on: .global()) { recorder.record($0) }
        #expect(try await recorder.next().state == .offline)

        try await lab.join()
        let portal = try await recorder.next { $0.state == .captivePortal }
        #expect(portal.evidence?.verdict.portal?.absoluteString == ScriptedInternet.Behavior.loginPage)
        #expect(portal.path.interfaces.map(\.name) == ["up0"])
        #expect(portal.identity?.gatewayLinkAddresses == [try lab.linkAddresses().router])
        #expect(portal.identity?.prefixes == ["192.0.2.0/24"])

        internet.play(.online)
        _ = try await recorder.next { $0.state == .online }

        try lab.setUplink(up: false)
        let dead = try await recorder.next { $0.state == .limited }
        #expect(dead.path.status == .satisfied)
        #expect(dead.changes == [.state, .internet])

        try lab.setUplink(up: true)
        #expect(try await recorder.next { $0.state == .online }.state == .online)

        internet.play(.partial)
        // On a busy machine, a check may time out before.
        let partial = try await recorder.next { $0.evidence?.verdict == .partial }
        #expect(partial.state == .limited)

        try await lab.setCable(connected: false)
        let unplugged = try await recorder.next { $0.state == .offline }
        #expect(unplugged.path.diagnosis?.reason == .noCarrier)
        internet.play(.online)
        try await lab.setCable(connected: true)
        #expect(try await recorder.next { $0.state == .online }.identity == portal.identity)
        observation.cancel()
        monitor.stop()
    }

    @Test func `a failed request of the app reveals the dead uplink long before the interval`() async throws {
        let lab = try RoutedLab()
        try await lab.join()
        let internet = try await lab.internet.run {
            try ScriptedInternet(address: "203.0.113.1", httpPort: 80, httpsPort: 443, names: Self.names)
        }
        let check = try InternetCheck(
            .init(endpoints: ["http://one.check.test/generate_204"], captivePortalAPI: .off),
            prober: SocketHTTPProbe(
                resolver: ScriptedResolver(otherwise: .addresses("203.0.113.1")),
                over: KernelSocketRunner(.inside(lab.client))))
        let monitor = try await lab.client.run {
            var configuration = ConnectivityMonitor.Configuration()
            (configuration.checkSpacing, configuration.firstValueBound) = (.milliseconds(10), .seconds(60))
            let monitor = try ConnectivityMonitor(configuration, checker: check)
            monitor.start()
            return monitor
        }
        var values = monitor.updates().makeAsyncIterator()
        #expect(await values.next()?.state == .online)
        internet.play(.refusing)
        monitor.report(.failed)
        #expect(await values.next()?.evidence?.verdict == .noInternet(.refused))
        internet.play(.online)
        monitor.report(.reached)
        #expect(await values.next()?.state == .online)
        #expect(await monitor.verify().state == .online)
        monitor.stop()
    }
}
#endif
