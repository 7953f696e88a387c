// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
import NetworkState
import TestSupport
import Testing

@testable import DialtoneNotifications

struct NotificationTests {
    let center = NotificationCenter()
    let queue = KnownQueue()

    @Test func `a path is posted at once, with every key, on the requested queue`() async throws {
        let monitor = pathMonitor(ScriptedUplink(.wifi))
        let posts = Recorder<(keys: Set<String>, isOnQueue: Bool, update: PathMonitor.Update?)>()
        let token = observe(PathMonitor.didChange, monitor) { [queue] notification in
            let keys = Set((notification.userInfo ?? [:]).keys.compactMap { $0 as? String })
            posts.record((keys, queue.isCurrent, PathMonitor.Update(notification)))
        }
        #expect(monitor.start(queue: queue.queue))
        let post = try await posts.next()
        #expect(
            post.keys == [
                "isWiFi", "isCellular", "isEthernet", "status", "isExpensive", "hasIPv4", "hasIPv6", "hasDNS",
                "hasNewDNS",
            ])
        #expect(post.keys == Set(PathMonitor.Key.allCases.map(\.rawValue)))
        #expect(post.isOnQueue)
        let update = try #require(post.update)
        #expect(update.isWiFi && !update.isCellular && !update.isEthernet && !update.isExpensive)
        #expect(update.hasIPv4 && !update.hasIPv6 && update.hasDNS)
        #expect(update.status == .satisfied)
        center.removeObserver(token)
    }

    @Test func `a path that differs only in values that are not posted is not posted`() async throws {
        let network = ScriptedUplink(.wiredEthernet)
        let monitor = pathMonitor(network)
        let posts = Recorder<PathMonitor.Update>()
        let token = observe(PathMonitor.didChange, monitor) { PathMonitor.Update($0).map(posts.record) }
        monitor.start(queue: queue.queue)
        #expect(try await posts.next().isEthernet)
        network.change { $0.interfaces[0].name = "up1" }
        network.become(.cellular)
        let second = try await posts.next()
        #expect(second.isCellular && second.isExpensive)
        network.become(nil)
        #expect(try await posts.next().status == .unsatisfied)
        #expect(posts.values.count == 3)
        center.removeObserver(token)
    }

    @Test func `a second start does not post twice, and a path monitor stops and starts again`() async throws {
        let network = ScriptedUplink(.wifi)
        let monitor = pathMonitor(network)
        let posts = Recorder<PathMonitor.Update>()
        let token = observe(PathMonitor.didChange, monitor) { PathMonitor.Update($0).map(posts.record) }
        #expect(monitor.start(queue: queue.queue))
        #expect(!monitor.start(queue: queue.queue))
        #expect(try await posts.next().isWiFi)
        monitor.stop()
        monitor.stop()
        network.become(nil)
        queue.drain()
        #expect(monitor.start(queue: queue.queue))
        #expect(try await posts.next().status == .unsatisfied)
        #expect(posts.values.count == 2)
        center.removeObserver(token)
    }

    @Test func `a released path monitor stops posting`() async throws {
        let network = ScriptedUplink(.wifi)
        let posts = Recorder<PathMonitor.Update>()
        let token = observe(PathMonitor.didChange, nil) { PathMonitor.Update($0).map(posts.record) }
        do {
            let monitor = pathMonitor(network)
            monitor.start(queue: queue.queue)
            _ = try await posts.next()
        }
        network.become(nil)
        queue.drain()
        #expect(posts.values.count == 1)
        center.removeObserver(token)
    }

    @Test func `a host is posted at once, with every key, on the requested queue`() async throws {
        let network = ScriptedUplink(.wiredEthernet)
        let monitor = HostMonitor("198.51.100.1", try network.listener(), center)
        let posts = Recorder<(keys: Set<String>, isOnQueue: Bool, update: HostMonitor.Update?)>()
        let token = observe(HostMonitor.didChange, monitor) { [queue] notification in
            let keys = Set((notification.userInfo ?? [:]).keys.compactMap { $0 as? String })
            posts.record((keys, queue.isCurrent, HostMonitor.Update(notification)))
        }
        #expect(monitor.start(queue: queue.queue))
        #expect(!monitor.start(queue: queue.queue))
        let post = try await posts.next()
        #expect(
            post.keys == [
                "reachableViaWiFi", "reachableViaCellular", "connectionRequired", "connectionIsDynamic",
                "userActionRequired", "hostname",
            ])
        #expect(post.keys == Set(HostMonitor.Key.allCases.map(\.rawValue)))
        #expect(post.isOnQueue)
        #expect(post.update?.hostname == "198.51.100.1")
        #expect(post.update?.reachableViaWiFi == true)
        network.become(.cellular)
        let cellular = try #require(try await posts.next().update)
        #expect(cellular.reachableViaCellular && !cellular.reachableViaWiFi && cellular.isReachable)
        network.become(nil)
        #expect(try await posts.next().update?.isReachable == false)
        monitor.stop()
        monitor.stop()
        #expect(monitor.start(queue: queue.queue))
        #expect(try await posts.next().update?.isReachable == false)
        #expect(posts.values.count == 4)
        center.removeObserver(token)
    }

    @Test func `flags that differ only in values that are not posted are not posted`() async throws {
        let network = ScriptedUplink(.wiredEthernet)
        let monitor = HostMonitor("198.51.100.1", try network.listener(), center)
        let posts = Recorder<HostMonitor.Update>()
        let token = observe(HostMonitor.didChange, monitor) { HostMonitor.Update($0).map(posts.record) }
        monitor.start(queue: queue.queue)
        #expect(try await posts.next().reachableViaWiFi)
        // The router is gone: the host is on the link.
        network.change { snapshot in
            snapshot.hosts = snapshot.hosts.mapValues { answer in
                RouteAnswer(answer.destination, .route(FoundRoute(nextHops: [NextHop(interface: 2)])))
            }
        }
        queue.drain()
        network.become(.cellular)
        #expect(try await posts.next().reachableViaCellular)
        #expect(posts.values.count == 2)
        center.removeObserver(token)
    }

    @Test func `a repeated value is dropped until a different one passes, and none passes after closing`() {
        let filter = RepetitionFilter<Int>()
        #expect([1, 1, 2, 2, 1].map(filter.passes) == [true, false, true, false, true])
        filter.close()
        #expect(!filter.passes(3))
    }

    @Test(
        arguments: [
            ([], [false, false, false, false, false, false]), ([.reachable], [true, false, false, false, false, true]),
            ([.reachable, .cellular], [false, true, false, false, false, true]),
            ([.cellular], [false, false, false, false, false, false]),
            ([.reachable, .connectionRequired], [true, false, true, false, false, false]),
            ([.reachable, .cellular, .connectionRequired], [false, true, true, false, false, false]),
            ([.reachable, .connectionRequired, .connectionOnTraffic], [true, false, true, true, false, true]),
            ([.reachable, .connectionOnDemand, .interventionRequired], [true, false, false, false, false, true]),
            (
                [.reachable, .connectionRequired, .connectionOnDemand, .interventionRequired],
                [true, false, true, true, true, false]
            ),
        ] as [(SCNetworkReachabilityFlags, [Bool])])
    func `flags map to the posted values as in Apple's sample code`(
        flags: SCNetworkReachabilityFlags, expected: [Bool]
    ) {
        let update = HostMonitor.Update(hostname: "h", flags: flags)
        #expect(
            [
                update.reachableViaWiFi, update.reachableViaCellular, update.connectionRequired,
                update.connectionIsDynamic,
                update.userActionRequired, update.isReachable,
            ] == expected)
        #expect(update.isReachable == flags.isReachable)
        let notification = Notification(name: .hostReachabilityDidChange, object: nil, userInfo: update.userInfo)
        #expect(HostMonitor.Update(notification) == update)
    }

    @Test func `hasNewDNS has the value of hasDNS`() {
        for hasDNS in [true, false] {
            let path = NetworkPath(status: .satisfied, supportsDNS: hasDNS)
            let info = PathMonitor.Update(NWPath(path)).userInfo
            #expect(info["hasNewDNS"] as? Bool == hasDNS)
            #expect(info["hasDNS"] as? Bool == hasDNS)
        }
    }

    @Test func `each notification name is a member of Notification.Name`() {
        #expect(PathMonitor.didChange == .networkPathDidChange)
        #expect(HostMonitor.didChange == .hostReachabilityDidChange)
    }

    @Test(.real) func `a host monitor for an address posts the address, and is readable without a notification`()
        async throws
    {
        let monitor = try #require(HostMonitor(address: IPv4Address.loopback, center: center))
        #expect(monitor.current.isReachable)
        let posts = Recorder<HostMonitor.Update>()
        let token = observe(.hostReachabilityDidChange, monitor) { HostMonitor.Update($0).map(posts.record) }
        monitor.start(queue: queue.queue)
        let update = try await posts.next()
        #expect(update.hostname == "127.0.0.1" && update.isReachable)
        monitor.stop()
        center.removeObserver(token)
    }

    @Test(.real) func `a host monitor for a supplied target posts the given name`() throws {
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, "localhost"))
        let monitor = HostMonitor(target, hostname: "this host", center: center)
        #expect(monitor.current.hostname == "this host" && monitor.current.isReachable)
    }

    @Test func `a foreign notification is rejected`() {
        let other = Notification(name: Notification.Name("other"), object: nil, userInfo: ["hostname": "h"])
        #expect(HostMonitor.Update(other) == nil)
        #expect(PathMonitor.Update(other) == nil)
        #expect(HostMonitor.Update(Notification(name: HostMonitor.didChange)) == nil)
        #expect(PathMonitor.Update(Notification(name: PathMonitor.didChange, object: nil, userInfo: [:])) == nil)
        #expect(HostMonitor(hostname: "") == nil)
    }

    private func pathMonitor(_ network: ScriptedUplink) -> PathMonitor {
        PathMonitor(center: center) { network.pathMonitor() }
    }

    private func observe(
        _ name: Notification.Name, _ object: AnyObject?, _ body: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        center.addObserver(forName: name, object: object, queue: nil, using: body)
    }
}

#endif
