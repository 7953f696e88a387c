// SPDX-License-Identifier: Apache-2.0

#if Publishers && !canImport(Darwin)

import DialtoneNotifications
import Netlink
import NetworkState
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneCombine
@testable import OpenSystemConfiguration

/// Every provider behaves the same, whatever it is based on.
struct ProviderTests {
    enum Kind: String, CaseIterable { case flags, path, callback }

    @Test(arguments: Kind.allCases)
    func `the current status arrives as soon as listening starts, then each different one`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let provider = try provider(kind, network)
        let statuses = Recorder<NetworkReachabilityStatus>()
        let watching = provider.networkStatusHandler.sink { statuses.record($0) }
        #expect(statuses.values.isEmpty)
        #expect(started(provider) == [true])
        #expect(try await statuses.next() == .reachable(.ethernetOrWiFi))
        // Changing from Wi-Fi to Ethernet does not change the status.
        network.become(.wiredEthernet)
        network.become(.cellular)
        #expect(try await statuses.next() == .reachable(.wwan))
        network.become(nil)
        #expect(try await statuses.next() == .notReachable)
        #expect(statuses.values.count == 3)

        // A later subscriber also gets the current status.
        let late = Recorder<NetworkReachabilityStatus>()
        let watchingLate = provider.networkStatusHandler.sink { late.record($0) }
        #expect(try await late.next() == .notReachable)
        withExtendedLifetime((watching, watchingLate)) {}
    }

    @Test(arguments: Kind.allCases)
    func `starting twice does not publish twice`(kind: Kind) async throws {
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
    func `it stops, and publishes the current status when it is started again`(kind: Kind) async throws {
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
    func `it completes and stops watching the network when the provider is released`(kind: Kind) async throws {
        let network = ScriptedUplink(.wifi)
        let subscriber = ManualSubscriber<NetworkReachabilityStatus>()
        do {
            let provider = try provider(kind, network)
            provider.networkStatusHandler.subscribe(subscriber)
            provider.startListening()
            _ = try await subscriber.values.next()
        }
        try await subscriber.completions.next()
        try await eventually { !network.source.isObserved }
        network.become(nil)
        #expect(subscriber.values.values.count == 1)
    }

    @Test(arguments: Kind.allCases)
    func `it may be stopped and started while it delivers a status`(kind: Kind) async throws {
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

    @Test func `stopping on one thread does not affect a start on another`() async throws {
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

    @Test(arguments: [Kind.flags, .path], [true, false])
    func `statuses arrive on the main queue by default, or on the requested one`(
        kind: Kind, isMain: Bool
    ) async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = isMain ? DispatchQueue.main : DispatchQueue(label: "test")
        queue.setSpecific(key: key, value: true)
        let network = ScriptedUplink(.wifi)
        let provider = try isMain ? provider(kind, network, nil) : provider(kind, network, queue)
        let isOnQueue = Recorder<Bool>()
        let watching = provider.networkStatusHandler.sink { _ in
            isOnQueue.record(DispatchQueue.getSpecific(key: key) == true)
        }
        provider.startListening()
        #expect(try await isOnQueue.next())
        queue.setSpecific(key: key, value: nil)
        withExtendedLifetime(watching) {}
    }

    @Test func `an object that posts a notification becomes a provider by an adapter`() async throws {
        let object = PostingReachability()
        let provider = CallbackReachabilityProvider(PostingReachabilityAdapter(object))
        let statuses = Recorder<NetworkReachabilityStatus>()
        let watching = provider.networkStatusHandler.sink { statuses.record($0) }
        #expect(started(provider) == [true])
        #expect(try await statuses.next() == .notReachable)
        object.isReachable = true
        #expect(try await statuses.next() == .reachable(.ethernetOrWiFi))
        provider.stopListening()
        object.isReachable = false
        #expect(statuses.values.count == 2)
        withExtendedLifetime(watching) {}
    }

    @Test(.real) func `a target of one's own becomes a provider`() async throws {
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, "localhost"))
        let provider = NetworkReachability(reachability: target, queue: DispatchQueue(label: "test"))
        let statuses = Recorder<NetworkReachabilityStatus>()
        let watching = provider.networkStatusHandler.sink { statuses.record($0) }
        provider.startListening()
        #expect(try await statuses.next() == .reachable(.ethernetOrWiFi))
        withExtendedLifetime(watching) {}
    }

    @Test func `an object that fails to start reports false`() {
        let reachability = ScriptedReachability(ScriptedUplink())
        reachability.refuses = true
        let provider = CallbackReachabilityProvider(reachability)
        #expect(started(provider) == [false])
        reachability.refuses = false
        #expect(started(provider) == [true])
    }

    @Test func `providers of the real system can be created, except for an empty name`() {
        #expect(NetworkReachability() != nil)
        #expect(NetworkReachability(host: "") == nil)
        #expect(NetworkReachability(host: "localhost") != nil)
    }

    @Test(
        arguments: [
            ([], .notReachable), ([.reachable], .reachable(.ethernetOrWiFi)),
            ([.reachable, .cellular], .reachable(.wwan)),
            ([.cellular], .notReachable), ([.reachable, .connectionRequired], .notReachable),
            ([.reachable, .connectionRequired, .connectionOnTraffic], .reachable(.ethernetOrWiFi)),
        ] as [(SCNetworkReachabilityFlags, NetworkReachabilityStatus)])
    func `flags map to a status by the classic rule`(
        flags: SCNetworkReachabilityFlags, status: NetworkReachabilityStatus
    ) {
        #expect(NetworkReachabilityStatus(flags) == status)
    }

    @Test func `the status of a hidden network is unknown`() {
        let path = NetworkPath(status: .unsatisfied, limitation: .unavailable("a sandbox"))
        #expect(NetworkReachabilityStatus(NWPath(path)) == .unknown)
    }

    private func provider(
        _ kind: Kind, _ network: ScriptedUplink, _ queue: DispatchQueue? = DispatchQueue(label: "test")
    ) throws -> any NetworkReachabilityProvider {
        switch kind {
        case .flags:
            let hub = ReachabilityHub(
                source: network.source, everything: { _ in network.snapshot },
                answers: { _, _ in network.snapshot.hosts },
                lookup: { _ in .temporaryFailure })
            let destination = try #require(Destination(RawHostName("198.51.100.1")))
            let target = SCNetworkReachability(destination, hub: hub)
            guard let queue else { return NetworkReachability(reachability: target) }
            return NetworkReachability(reachability: target, queue: queue)
        case .path:
            let makeMonitor: @Sendable () -> NWPathMonitor = { NWPathMonitor(PathFilter(), source: network.source) }
            return queue.map { NetworkMonitor(queue: $0, makeMonitor) } ?? NetworkMonitor(makeMonitor)
        case .callback: return CallbackReachabilityProvider(ScriptedReachability(network))
        }
    }

    private func started(_ provider: any NetworkReachabilityProvider) -> [Bool] {
        let subscriber = ManualSubscriber<Bool>()
        provider.startListening().subscribe(subscriber)
        return subscriber.values.values
    }
}

/// A callback-based reachability object, as third-party libraries have it, which the third provider wraps.
private final class ScriptedReachability: CallbackReachability {
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)?
    var refuses = false
    private let network: ScriptedUplink
    private var subscription: UpdateSubscription?

    init(_ network: ScriptedUplink) { self.network = network }

    var currentStatus: NetworkReachabilityStatus { Self.status(network.snapshot) }

    func startNotifier() throws {
        if refuses { throw CancellationError() }
        let handler = statusHandler
        subscription = network.source.subscribe { handler?(Self.status($0.snapshot)) }
    }

    func stopNotifier() { subscription = nil }

    private static func status(_ snapshot: NetworkSnapshot) -> NetworkReachabilityStatus {
        NetworkReachabilityStatus(NWPath(PathEvaluator(snapshot).evaluate()))
    }
}

/// An object that posts a notification, as Reachability.swift does.
private final class PostingReachability: Sendable {
    static let changed = Notification.Name("dialtone.test.reachability")
    private let value = Mutex(false)

    var isReachable: Bool {
        get { value.withLock { $0 } }
        set {
            value.withLock { $0 = newValue }
            NotificationCenter.default.post(name: Self.changed, object: self)
        }
    }
}

/// The adapter of `Snippets/ReachabilityAdapter.swift`, for the object above.
private final class PostingReachabilityAdapter: CallbackReachability {
    private let reachability: PostingReachability
    private var token: (any NSObjectProtocol)?

    init(_ reachability: PostingReachability) { self.reachability = reachability }

    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? {
        didSet {
            if let token { NotificationCenter.default.removeObserver(token) }
            token = statusHandler.map { handler in
                NotificationCenter.default.addObserver(
                    forName: PostingReachability.changed, object: reachability, queue: nil
                ) { notification in
                    guard let reachability = notification.object as? PostingReachability else { return }
                    handler(reachability.isReachable ? .reachable(.ethernetOrWiFi) : .notReachable)
                }
            }
        }
    }

    var currentStatus: NetworkReachabilityStatus { .notReachable }
    func startNotifier() throws {}
    func stopNotifier() {}
}

#endif
