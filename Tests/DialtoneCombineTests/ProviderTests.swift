//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

import DialtoneNotifications
import Netlink
import NetworkState
import Synchronization
import TestSupport
import Testing

@testable import DialtoneCombine
@testable import OpenSystemConfiguration

/// Every provider behaves alike, whatever it is made of.
struct ProviderTests {
    enum Kind: String, CaseIterable { case flags, path, callback }

    @Test(arguments: Kind.allCases)
    func `the present status arrives as soon as one listens, then each that differs`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let provider = try provider(kind, network)
        let statuses = Recorder<NetworkReachabilityStatus>()
        let watching = provider.networkStatusHandler.sink { statuses.record($0) }
        #expect(statuses.values.isEmpty)
        #expect(started(provider) == [true])
        #expect(try await statuses.next() == .reachable(.ethernetOrWiFi))
        // A Wi-Fi instead of an Ethernet is no other status.
        network.become(.wiredEthernet)
        network.become(.cellular)
        #expect(try await statuses.next() == .reachable(.wwan))
        network.become(nil)
        #expect(try await statuses.next() == .notReachable)
        #expect(statuses.values.count == 3)

        // Who comes later gets the present status too.
        let late = Recorder<NetworkReachabilityStatus>()
        let watchingLate = provider.networkStatusHandler.sink { late.record($0) }
        #expect(late.values == [.notReachable])
        withExtendedLifetime((watching, watchingLate)) {}
    }

    @Test(arguments: Kind.allCases)
    func `listening twice does not double`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let provider = try provider(kind, network)
        let statuses = Recorder<NetworkReachabilityStatus>()
        let watching = provider.networkStatusHandler.sink { statuses.record($0) }
        #expect(started(provider) == [true])
        #expect(started(provider) == [true])
        #expect(try await statuses.next().isReachable)
        network.become(nil)
        #expect(try await statuses.next() == .notReachable)
        network.become(.wifi)
        #expect(try await statuses.next().isReachable)
        #expect(statuses.values.count == 3)
        withExtendedLifetime(watching) {}
    }

    @Test(arguments: Kind.allCases)
    func `it stops, and tells the present status when it is started again`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let provider = try provider(kind, network)
        let statuses = Recorder<NetworkReachabilityStatus>()
        let watching = provider.networkStatusHandler.sink { statuses.record($0) }
        provider.stopListening()
        for round in 1...3 {
            provider.startListening()
            #expect(try await statuses.next().isReachable)
            provider.stopListening()
            provider.stopListening()
            let late = Recorder<NetworkReachabilityStatus>()
            provider.networkStatusHandler.sink { late.record($0) }.cancel()
            #expect(late.values.isEmpty)
            network.become(nil)
            network.become(.wifi)
            #expect(statuses.values.count == round)
        }
        withExtendedLifetime(watching) {}
    }

    @Test(arguments: Kind.allCases)
    func `it completes when the provider is gone, and lets go of the network`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let subscriber = ManualSubscriber<NetworkReachabilityStatus>()
        do {
            let provider = try provider(kind, network)
            provider.networkStatusHandler.subscribe(subscriber)
            provider.startListening()
            _ = try await subscriber.values.next()
        }
        try await subscriber.completions.next()
        network.become(nil)
        #expect(subscriber.values.values.count == 1)
    }

    @Test(arguments: Kind.allCases)
    func `it may be stopped and started from its own news`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let provider = try provider(kind, network)
        let statuses = Recorder<NetworkReachabilityStatus>()
        let restarts = Mutex(3)
        let watching = provider.networkStatusHandler.sink { [weak provider] in
            statuses.record($0)
            let mayRestart = restarts.withLock { left in
                left -= 1
                return left > 0
            }
            guard mayRestart else { return }
            provider?.stopListening()
            provider?.startListening()
        }
        provider.startListening()
        for _ in 0..<3 { #expect(try await statuses.next().isReachable) }
        network.become(nil)
        #expect(try await statuses.next() == .notReachable)
        withExtendedLifetime(watching) {}
    }

    @Test func `stopping on one thread takes nothing from who starts on another`() async throws {
        let network = ScriptedUplink(.wifi)
        try await stopAndStart(try #require(try provider(.flags, network) as? NetworkReachability))
        try await stopAndStart(try #require(try provider(.path, network) as? NetworkMonitor))
        try await stopAndStart(try #require(try provider(.callback, network) as? CallbackReachabilityProvider))
    }

    private func stopAndStart(_ provider: some NetworkReachabilityProvider & Sendable) async throws {
        for _ in 0..<50 {
            provider.startListening()
            await withTaskGroup { group in
                group.addTask { provider.stopListening() }
                group.addTask { _ = provider.startListening() }
            }
            provider.startListening()
            let statuses = Recorder<NetworkReachabilityStatus>()
            let watching = provider.networkStatusHandler.sink { statuses.record($0) }
            #expect(try await statuses.next().isReachable)
            watching.cancel()
            provider.stopListening()
        }
    }

    @Test func `an object that cannot be started says so`() {
        let reachability = ScriptedReachability(ScriptedUplink())
        reachability.refuses = true
        let provider = CallbackReachabilityProvider(reachability)
        #expect(started(provider) == [false])
        reachability.refuses = false
        #expect(started(provider) == [true])
    }

    @Test func `providers of the real system are made, and a name that is empty makes none`() {
        #expect(NetworkReachability() != nil)
        #expect(NetworkReachability(host: "") == nil)
        #expect(NetworkReachability(host: "localhost") != nil)
    }

    @Test(
        arguments: [
            ([], .notReachable), ([.reachable], .reachable(.ethernetOrWiFi)),
            ([.reachable, .isWWAN], .reachable(.wwan)),
            ([.isWWAN], .notReachable), ([.reachable, .connectionRequired], .notReachable),
            ([.reachable, .connectionRequired, .connectionOnTraffic], .reachable(.ethernetOrWiFi)),
        ] as [(SCNetworkReachabilityFlags, NetworkReachabilityStatus)])
    func `flags become a status by the classic rule`(
        flags: SCNetworkReachabilityFlags, status: NetworkReachabilityStatus
    ) {
        #expect(NetworkReachabilityStatus(flags) == status)
    }

    @Test func `a network that cannot be seen is unknown`() {
        var contents = PathContents()
        contents.visibility = .unavailable(because: .init(.system, operation: "socket"))
        #expect(NetworkReachabilityStatus(NWPath(contents)) == .unknown)
    }

    private func provider(_ kind: Kind, _ network: ScriptedUplink) throws -> any NetworkReachabilityProvider {
        switch kind {
        case .flags:
            let hub = ReachabilityHub(
                source: network.source,
                read: .init(everything: { _ in network.snapshot }, answers: { _ in network.snapshot.hosts }),
                lookup: { _ in .temporaryFailure })
            let destination = try #require(Destination(HostName("198.51.100.1")))
            return NetworkReachability(ReachabilityListener(SCNetworkReachability(destination, hub: hub)))
        case .path: return NetworkMonitor { NWPathMonitor(PathRequirements(), source: network.source) }
        case .callback: return CallbackReachabilityProvider(ScriptedReachability(network))
        }
    }

    private func started(_ provider: any NetworkReachabilityProvider) -> [Bool] {
        let subscriber = ManualSubscriber<Bool>()
        provider.startListening().subscribe(subscriber)
        return subscriber.values.values
    }
}

/// A library's reachability object, as the third provider wraps it.
private final class ScriptedReachability: CallbackReachability {
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)?
    var refuses = false
    private let network: ScriptedUplink
    private var subscription: NetworkStateSubscription?

    init(_ network: ScriptedUplink) { self.network = network }

    var currentStatus: NetworkReachabilityStatus { Self.status(network.snapshot) }

    func startNotifier() throws {
        if refuses { throw CancellationError() }
        let handler = statusHandler
        subscription = network.source.subscribe { handler?(Self.status($0.snapshot)) }
    }

    func stopNotifier() { subscription = nil }

    private static func status(_ snapshot: NetworkSnapshot) -> NetworkReachabilityStatus {
        NetworkReachabilityStatus(NWPath(PathContents(snapshot, PathRequirements())))
    }
}

#endif
