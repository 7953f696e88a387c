// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import OpenNetwork
import SystemSupport
import TestSupport
import Testing

struct SimulatedNetworkTests {
    @Test(.real) func `the simulation conforms to the protocols that it implements`() async {
        let sources = PathSourceConformance {
            SimulatedNetwork(.wifi)
        } change: { network in
            network.become(network.path == .wifi ? .cellular : .wifi)
        }
        #expect(await sources.violations() == [])
        let checks = InternetCheckingConformance(
            SimulatedNetwork(), over: SimulatedPath.wifi.path, expecting: .verified)
        #expect(await checks.violations() == [])
    }

    @Test(.real) func `a source that violates the protocol is detected`() async {
        let broken = PathSourceConformance {
            BrokenSource()
        } change: {
            $0.change()
        }
        let violations = await broken.violations()
        #expect(violations.contains("A path is delivered after the end of the subscription."))
        #expect(violations.contains("A late subscriber gets an old path first."))
        #expect(violations.contains("The same path is delivered twice in a row."))
        let mute = PathSourceConformance(timeout: .milliseconds(10)) {
            MuteSource()
        } change: { _ in
        }
        #expect(
            await mute.violations() == [
                "The current path is not delivered without a change.",
                "The second subscriber does not get the current path.",
            ])
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

    @Test func `an NWPathMonitor is a source of paths`() async throws {
        let network = SimulatedNetwork(.wifi)
        let monitor = try ConnectivityMonitor(
            .withoutJitter, paths: network.makePathMonitor(), checker: nil, identifier: nil,
            time: TestClock().timeSource)
        var values = monitor.updates().makeAsyncIterator()
        #expect(await values.next()?.path == SimulatedPath.wifi.path)
        network.become(.wired)
        #expect(await values.next()?.path == SimulatedPath.wired.path)
    }
    #endif
}

/// Delivers its first path to every subscriber, and each change twice, even to cancelled subscribers.
private final class BrokenSource: PathSource {
    private let receivers = Mutex<[@Sendable (NetworkPath) -> Void]>([])
    private let changes = Mutex(0)

    func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> UpdateSubscription {
        receivers.withLock { $0.append(receive) }
        receive(SimulatedPath.wifi.path)
        return UpdateSubscription {}
    }

    func change() {
        let isOdd = changes.withLock { changes in
            changes += 1
            return changes % 2 == 1
        }
        let path = isOdd ? SimulatedPath.cellular.path : SimulatedPath.wifi.path
        for receive in receivers.withLock({ $0 }) {
            receive(path)
            receive(path)
        }
    }
}

/// Delivers nothing.
private struct MuteSource: PathSource {
    func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> UpdateSubscription { UpdateSubscription {} }
}
