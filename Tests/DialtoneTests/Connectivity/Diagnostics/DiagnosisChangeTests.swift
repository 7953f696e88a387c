// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import SystemSupport
import Testing

@testable import Dialtone

/// A diagnosis during which the network changes: only answers over the last network are reported.
struct DiagnosisChangeTests {
    private static let paths = (
        wired: SimulatedPath.wired.path, wifi: SimulatedPath.wifi.path, none: SimulatedPath.offline.path
    )

    /// A network that has been in all of these states before anything answers.
    private struct ChangingRouting: HostRouting {
        let views: [HostView]
        let current: HostView?

        func watch(
            _ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void
        ) -> HostRoutingWatch {
            for view in views { receive(view) }
            return HostRoutingWatch(onChange: { _ in }, onCancel: {})
        }

        func view(of addresses: Set<NetworkAddress>) async -> HostView? { current }
    }

    private func reports(
        _ views: [HostView], now current: HostView? = nil
    ) async throws -> [NetworkDiagnostics.Report] {
        let network = ScriptedNetwork()
        var check = try InternetCheck(over: network.transport)
        check.transport.environment.routing = ChangingRouting(views: views, current: current ?? views.last)
        let diagnostics = NetworkDiagnostics(check)
        return await network.run {
            var reports: [NetworkDiagnostics.Report] = []
            let last = await diagnostics.run { reports.append($0) }
            #expect(reports.last == last)
            return reports
        }
    }

    private static func view(_ path: NetworkPath, _ nameServer: NetworkAddress? = nil) -> HostView {
        var view = HostView(path: path)
        view.nameServers = nameServer.map { [.init($0)] } ?? []
        for address in view.hops { view.routes[address] = .success(HostRoute(isDirect: true)) }
        return view
    }

    @Test func `nothing that was asked over the first network is in a report about the second one`() async throws {
        let reports = try await reports([Self.view(Self.paths.wired), Self.view(Self.paths.wifi)])
        #expect(reports[0] == .init(path: Self.paths.wired) && reports[1] == .init(path: Self.paths.wifi))
        #expect(reports.dropFirst().allSatisfy { $0.path == Self.paths.wifi })
        #expect(reports.last?.state == .online)
    }

    @Test func `a path that is lost ends the check`() async throws {
        let reports = try await reports([Self.view(Self.paths.wired), Self.view(Self.paths.none)])
        #expect(reports.last?.cause?.rawValue == "noCarrier" && reports.last?.hops == nil)
    }

    @Test func `a change that is not reported before the last answer counts, too`() async throws {
        let reports = try await reports([Self.view(Self.paths.wired)], now: Self.view(Self.paths.wifi))
        #expect(reports.last?.path == Self.paths.wifi && reports.last?.state == .online)
    }

    @Test func `other name servers are another network, and a further router is not`() async throws {
        let servers = [NetworkAddress(9, 9, 9, 9), NetworkAddress(1, 1, 1, 1)]
        #expect(try await reports(servers.map { Self.view(Self.paths.wired, $0) }).filter { $0.hops == nil }.count == 2)
        var path = Self.paths.wired
        path.gateways.append(.init(NetworkAddress(192, 0, 2, 3)))
        let reports = try await reports([Self.view(Self.paths.wired), Self.view(path)])
        #expect(reports.filter { $0.hops == nil }.count == 1 && reports.last?.state == .online)
    }

    @Test func `a network that changes again and again gets a report without a check`() async throws {
        let views = [Self.view(Self.paths.wired), Self.view(Self.paths.wifi)]
        let reports = try await reports(views + views + views)
        #expect(reports.count == 5)
        #expect(reports.last == .init(path: Self.paths.wired) && reports.last?.cause == .notChecked)
    }
}
#endif
