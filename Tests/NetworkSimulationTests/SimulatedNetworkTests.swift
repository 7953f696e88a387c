// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import OpenNetwork
import SystemSupport
import TestSupport
import Testing

struct SimulatedNetworkTests {
    @Test(arguments: ConnectivityState.allCases, [nil] + InternetCheck.NoInternetReason.allCases)
    func `a report concludes what its author states`(state: ConnectivityState, reason: InternetCheck.NoInternetReason?)
    {
        let cause = reason.map { ConnectivityCause(rawValue: $0.rawValue) }
        let page = URL(string: "http://login.test/")
        let report = InternetCheck.Report(state, cause: cause, portal: page, checkedAt: .distantPast)
        let isOfCheck = [.online, .captivePortal, .limited, .noInternet].contains(state)
        #expect(report.state == (isOfCheck ? state : .unverified))
        #expect(report.portal == (state == .captivePortal ? page : nil))
        if let cause, [.limited, .noInternet].contains(state) { #expect(report.cause == cause) }
        #expect((report.reason == nil) == (state == .online))
        let connectivity = ConnectivityState(SimulatedPath.wifi.path, checkedBy: report)
        #expect(connectivity == report.state)
    }

    @Test(.real) func `the simulation conforms to the protocol of checks`() async {
        let checks = InternetCheckingConformance(
            SimulatedNetwork(), over: SimulatedPath.wifi.path, expecting: .online)
        #expect(await checks.violations() == [])
    }

    @Test(.real) func `a check that violates the protocol is detected`() async {
        let checks = InternetCheckingConformance(SimulatedNetwork(), over: SimulatedPath.wifi.path, expecting: .limited)
        #expect(
            await checks.violations() == [
                "The state is online and not limited.", "Concurrent checks interfere with each other.",
            ])
    }

    #if os(Linux)
    private static let simulated: [SimulatedPath] =
        [.wifi, .wifi("Cafe"), .wired, .cellular] + PathDiagnosis.Reason.allCases.map(SimulatedPath.offline)

    @Test(arguments: simulated) func `the path matches the path from the kernel`(simulated: SimulatedPath) async throws
    {
        let network = SimulatedNetwork(simulated)
        var paths = network.makePathMonitor().makeAsyncIterator()
        let path = try #require(await paths.next())
        #expect(NetworkPath(path) == simulated.path)
    }

    @Test func `a hidden network is hidden in the path monitor and in the simulation`() async throws {
        let network = SimulatedNetwork(.unseen)
        var paths = network.makePathMonitor().makeAsyncIterator()
        let path = try #require(await paths.next())
        #expect(NetworkPath(path).isUnknown)
        #expect(SimulatedPath.unseen.path.isUnknown)
    }

    @Test func `an NWPathMonitor follows the simulation`() async throws {
        let network = SimulatedNetwork(.wifi)
        let monitor = network.makePathMonitor()
        let seen = Recorder<NetworkPath>()
        monitor.pathUpdateHandler = { seen.record(NetworkPath($0)) }
        monitor.start(queue: .global())
        #expect(try await seen.next() == SimulatedPath.wifi.path)
        network.become(.offline(.noAddress))
        #expect(try await seen.next() == SimulatedPath.offline(.noAddress).path)
        monitor.cancel()
    }
    #endif
}
