// SPDX-License-Identifier: Apache-2.0

import Netlink
import NetworkState
import Synchronization

@testable import OpenSystemConfiguration

/// A network and a resolver under the test's control.
final class ScriptedNetwork: Sendable {
    private let source: ScriptedSource
    private let current: Mutex<NetworkSnapshot>
    private let answers = Mutex<[RawHostName: NameAnswer]>([:])
    let hub: ReachabilityHub

    init(_ snapshot: NetworkSnapshot = Fixture.snapshot, lookup: NameLookup? = nil) {
        let source = ScriptedSource(snapshot)
        self.source = source
        current = Mutex(snapshot)
        let reader = Reader()
        hub = ReachabilityHub(
            source: source, everything: { _ in reader.network?.snapshot ?? snapshot },
            answers: { _, _ in reader.network?.snapshot.hosts },
            lookup: { name in lookup?(name) ?? reader.network?.answer(name) ?? .notFound })
        reader.set(self)
    }

    private final class Reader: Sendable {
        private struct Weak { weak var network: ScriptedNetwork? }
        private let state = Mutex(Weak())

        var network: ScriptedNetwork? { state.withLock { $0.network } }

        func set(_ network: ScriptedNetwork) { state.withLock { $0.network = network } }
    }

    var snapshot: NetworkSnapshot { current.withLock { $0 } }

    /// The hosts that all subscribers of the source watch.
    var watchedHosts: Set<RouteLookup> { source.watchedHosts }

    func change(_ body: (inout NetworkSnapshot) -> Void) {
        let snapshot = current.withLock { current in
            body(&current)
            return current
        }
        source.publish(snapshot)
    }

    /// Sets the kernel's answer for an address.
    func route(_ address: NetworkAddress, _ answer: RouteAnswer) {
        change { $0.hosts[RouteLookup(to: address)] = answer }
    }

    func name(_ name: String, _ answer: NameAnswer) {
        answers.withLock { $0[RawHostName(name)] = answer }
    }

    private func answer(_ name: RawHostName) -> NameAnswer { answers.withLock { $0[name] ?? .notFound } }

    func target(_ text: String, pace: ResolutionPace = ResolutionPace()) -> SCNetworkReachability {
        SCNetworkReachability(Destination(RawHostName(text)) ?? .defaultPath, hub: hub, pace: pace)
    }
}
