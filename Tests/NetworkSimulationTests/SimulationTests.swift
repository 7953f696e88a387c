// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import DialtoneTesting
import Dispatch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SimulationTests {
    @Test func `another Wi-Fi network is another path`() {
        let network = SimulatedNetwork(.wifi)
        let names = Recorder<String?>()
        let subscription = network.subscribe { names.record($0.interfaces.first?.networkName) }
        network.become(.wifi("Cafe"))
        network.become(.wifi("Cafe"))
        #expect(names.values == ["Home", "Cafe"])
        subscription.cancel()
        network.become(.wifi)
        #expect(names.values.count == 2)
    }

    #if os(Linux)
    @Test func `a monitor with Apple's API does not report another Wi-Fi network, but its current path has the name`()
        async throws
    {
        let network = SimulatedNetwork(.wifi)
        let monitor = network.makePathMonitor()
        let queue = DispatchQueue(label: "simulation")
        let paths = Recorder<NetworkPath>()
        monitor.pathUpdateHandler = { paths.record(NetworkPath($0)) }
        monitor.start(queue: queue)
        network.become(.wifi("Cafe"))
        queue.sync {}
        #expect(NetworkPath(monitor.currentPath) == SimulatedPath.wifi("Cafe").path)
        network.become(.wired)
        _ = try await paths.latest { $0 == SimulatedPath.wired.path }
        #expect(paths.values == [SimulatedPath.wifi.path, SimulatedPath.wired.path])
        monitor.cancel()
    }

    @Test(.real) func `reachability targets follow the simulated network, and names resolve while it has a path`()
        async throws
    {
        let network = SimulatedNetwork(.wifi)
        let address = try #require(IPv6Address("2001:db8:1::9"))
        let targets: [String: SCNetworkReachability?] = [
            "default route": network.makeReachability(),
            "name": network.makeReachability(host: "service.example.com"),
            "address": network.makeReachability(host: "203.0.113.9"),
            "pair": network.makeReachability(localAddress: nil, remoteAddress: address),
        ]
        let own = try #require(network.makeReachability(host: "192.0.2.7"))
        #expect(ReachabilityListener(own).flags == [.reachable, .isLocalAddress])
        #expect(network.makeReachability(host: "") == nil)
        #expect(network.makeReachability(localAddress: nil, remoteAddress: nil) == nil)
        for (name, target) in targets {
            let listener = ReachabilityListener(try #require(target))
            let flags = Recorder<SCNetworkReachabilityFlags>()
            network.become(.wifi)
            listener.start(queue: DispatchQueue(label: "simulation")) { flags.record($0) }
            _ = try await flags.latest { $0 == .reachable }
            for (path, expected) in [
                (.offline, []), (.cellular, [.reachable, .isWWAN, .transientConnection]),
                (.offline(.dormant), [.reachable, .connectionRequired, .connectionOnTraffic, .transientConnection]),
                (.offline(.radioOff), [.connectionRequired, .interventionRequired]), (.wired, .reachable),
                (.unseen, .reachable), (.offline(.noRoute), []),
            ] as [(SimulatedPath, SCNetworkReachabilityFlags)] {
                network.become(path)
                #expect(try await flags.latest { $0 == expected } == expected, "\(name)")
            }
            listener.stop()
        }
    }

    @Test func `localhost is reachable on any simulated network`() throws {
        let network = SimulatedNetwork(.offline)
        let target = try #require(network.makeReachability(host: "localhost"))
        #expect(ReachabilityListener(target).flags.contains([.reachable, .isLocalAddress]))
    }

    @Test func `a monitor of the C interface follows the simulated network, and one of one type only that`()
        async throws
    {
        let network = SimulatedNetwork(.wifi)
        let statuses = Recorder<nw_path_status_t>()
        let monitor = network.makePathMonitorObject()
        nw_path_monitor_set_queue(monitor, DispatchQueue(label: "simulation"))
        nw_path_monitor_set_update_handler(monitor) { statuses.record(nw_path_get_status($0)) }
        nw_path_monitor_start(monitor)
        #expect(try await statuses.next() == nw_path_status_satisfied)
        network.become(.offline(.dormant))
        #expect(try await statuses.next() == nw_path_status_satisfiable)
        network.become(.cellular)
        #expect(try await statuses.next() == nw_path_status_satisfied)
        nw_path_monitor_cancel(monitor)

        var paths = network.makePathMonitor(requiredInterfaceType: .wifi).makeAsyncIterator()
        #expect(await paths.next()?.status == .unsatisfied)
        network.become(.wifi)
        #expect(await paths.next()?.status == .satisfied)
    }

    @Test func `after changes from many threads both views agree`() async throws {
        for _ in 0..<50 {
            let network = SimulatedNetwork(.offline)
            await withTaskGroup { group in
                for name in 0..<4 { group.addTask { network.become(.wifi("\(name)")) } }
            }
            var paths = network.makePathMonitor().makeAsyncIterator()
            let path = try #require(await paths.next())
            #expect(NetworkPath(path) == network.path.path)
        }
    }
    #endif

    @Test func `an object held by a subscriber may be released with its subscription, and read the path then`() {
        let network = SimulatedNetwork(.wifi)
        let paths = Recorder<SimulatedPath>()
        let makeWord = { LastWord { paths.record(network.path) } }
        let subscription = network.subscribe { [word = makeWord()] _ in withExtendedLifetime(word) {} }
        subscription.cancel()
        #expect(paths.values == [.wifi])
    }

    @Test func `an object held by a call may be released when it is cancelled, and read the time then`() {
        let clock = TestClock()
        let times = Recorder<Duration>()
        let makeWord = { LastWord { times.record(clock.now.offset) } }
        let cancellations = [
            clock.call(at: .init(offset: .seconds(1))) { [word = makeWord()] in withExtendedLifetime(word) {} },
            clock.whenClocksJump { [word = makeWord()] in withExtendedLifetime(word) {} },
        ]
        for cancel in cancellations { cancel() }
        #expect(times.values == [.zero, .zero])
    }

    @Test(.real) func `a check that does not end is detected`() async {
        let network = SimulatedNetwork()
        network.holdChecks()
        let limit = Duration.milliseconds(10)
        let checks = InternetCheckingConformance(
            network, over: SimulatedPath.wifi.path, expecting: .online, limit: limit)
        #expect(
            await checks.violations() == [
                "A check takes longer than \(limit).", "A cancelled check takes longer than \(limit).",
            ])
        network.releaseChecks()
    }
}

/// Runs a closure when it is released.
private final class LastWord: Sendable {
    private let say: @Sendable () -> Void

    init(_ say: @escaping @Sendable () -> Void) { self.say = say }

    deinit { say() }
}
