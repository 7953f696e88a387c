// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneCombine

struct ConnectivityPublisherTests {
    @Test func `a monitor publishes the current value, then each change`() async throws {
        let network = SimulatedNetwork(.wifi, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        let states = Recorder<ConnectivityState>()
        let watching = monitor.publisher.sink { states.record($0.state) }
        #expect(try await states.next() == .online)
        network.become(.offline)
        #expect(try await states.next() == .offline)
        watching.cancel()
        try await eventually { monitor.current.state == .unknown }
    }

    @Test func `a subscriber without demand gets the newest value, with the changes since its last`() async throws {
        let network = SimulatedNetwork(.offline, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        monitor.start()
        let idle = ManualSubscriber<Connectivity>(atFirst: .max(1))
        monitor.publisher.subscribe(idle)
        #expect(try await idle.values.next().state == .offline)
        network.become(.offline(.dormant))
        network.become(.offline(.noRoute))
        idle.request(.unlimited)
        #expect(try await idle.values.next { $0.path.diagnosis?.reason == .noRoute }.state == .offline)
    }

    @Test func `changes are relative to the last value that the subscriber received`() {
        let (wifi, offline) = (
            Connectivity(state: .online, path: SimulatedPath.wifi.path, since: .distantPast, changes: [.state]),
            Connectivity(state: .offline, path: SimulatedPath.offline.path, since: .distantPast, changes: [.state])
        )
        let subscriber = ManualSubscriber<Connectivity>(atFirst: .none)
        let subscription = LatestSubscription<Connectivity>(subscriber) { $0.news(after: $1) }
        subscriber.receive(subscription: subscription)
        // Each value differs from the one before, but only some are delivered.
        func put(_ values: Connectivity...) {
            for value in values { subscription.send(value) }
        }
        put(offline, wifi)
        subscriber.request(.max(1))
        #expect(subscriber.values.values.map(\.changes) == [[]])
        put(offline, wifi)
        subscriber.request(.max(1))
        #expect(subscriber.values.values.count == 1)
        put(offline)
        #expect(subscriber.values.values.last?.changes == offline.changes(since: wifi))
        #expect(subscriber.values.values.map(\.state) == [.online, .offline])
        subscriber.cancel()
    }
}

#endif
