// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import OpenNetwork
import SystemSupport
import TestSupport
import Testing

struct SimulatedNetworkTests {
    @Test(.real) func `the simulation conforms to the protocol of checks`() async {
        let checks = InternetCheckingConformance(
            SimulatedNetwork(), over: SimulatedPath.wifi.path, expecting: .verified)
        #expect(await checks.violations() == [])
    }

    @Test(.real) func `a check that violates the protocol is detected`() async {
        let checks = InternetCheckingConformance(SimulatedNetwork(), over: SimulatedPath.wifi.path, expecting: .partial)
        #expect(
            await checks.violations() == [
                "The verdict is verified and not partial.", "Concurrent checks interfere with each other.",
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
