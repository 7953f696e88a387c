// SPDX-License-Identifier: Apache-2.0

import Netlink
import Synchronization
import TestSupport
import Testing

@testable import NetworkState

struct ScriptedSourceTests {
    private func state(_ count: Int) -> NetworkSnapshot {
        NetworkSnapshot(interfaces: (0..<count).map { .wired(Int32($0 + 2)) })
    }

    @Test func `a subscriber receives the first state once it is known`() {
        let source = ScriptedSource()
        let heard = Recorder<Int>()
        let subscription = source.subscribe { heard.record($0.snapshot.interfaces.count) }
        #expect(heard.values == [])
        source.publish(state(1))
        #expect(heard.values == [1])
        withExtendedLifetime(subscription) {}
    }

    @Test func `publishing from inside a call reaches all subscribers in order, one call at a time`() {
        let source = ScriptedSource(state(0))
        let heard = Recorder<String>()
        let depth = Mutex(0)
        let subscriptions = ["a", "b"].map { name in
            source.subscribe { [self] update in
                #expect(
                    depth.withLock { depth in
                        defer { depth += 1 }; return depth
                    } == 0)
                let count = update.snapshot.interfaces.count
                heard.record("\(name)\(count)")
                if name == "a", count < 3 { source.publish(state(count + 1)) }
                depth.withLock { $0 -= 1 }
            }
        }
        #expect(heard.values.filter { $0.hasPrefix("a") } == ["a0", "a1", "a2", "a3"])
        #expect(heard.values.filter { $0.hasPrefix("b") }.last == "b3")
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `subscribing and cancelling from inside a call`() {
        let source = ScriptedSource(state(1))
        let heard = Recorder<String>()
        let inner = Mutex<UpdateSubscription?>(nil)
        let outer = source.subscribe { update in
            heard.record("outer \(update.snapshot.interfaces.count)")
            if inner.withLock({ $0 == nil }) {
                let subscription = source.subscribe { heard.record("inner \($0.snapshot.interfaces.count)") }
                inner.withLock { $0 = subscription }
            } else {
                inner.withLock { $0 }?.cancel()
            }
        }
        source.publish(state(2))
        source.publish(state(3))
        // The call for the second state was in progress when the inner subscriber left.
        #expect(heard.values == ["outer 1", "inner 1", "outer 2", "inner 2", "outer 3"])
        withExtendedLifetime(outer) {}
    }

    @Test func `a released subscription ends`() {
        let source = ScriptedSource(state(1))
        let heard = Recorder<Int>()
        var subscription: UpdateSubscription? = source.subscribe { heard.record($0.snapshot.interfaces.count) }
        withExtendedLifetime(subscription) {}
        subscription = nil
        source.publish(state(2))
        #expect(heard.values == [1])
    }

    @Test func `a source that looks up hosts answers those that are watched, in each state`() {
        let source = ScriptedSource(state(1)) { lookup, snapshot in
            RouteAnswer(lookup.destination, snapshot.interfaces.count > 1 ? .rejected : .noRoute)
        }
        let (one, two) = (RouteLookup(to: NetworkAddress(192, 0, 2, 1)), RouteLookup(to: NetworkAddress(192, 0, 2, 2)))
        let heard = Recorder<[RouteLookup: RouteAnswer.Outcome]>()
        let others = Recorder<Int>()
        let subscription = source.subscribe(watching: [one]) { heard.record($0.snapshot.hosts.mapValues(\.outcome)) }
        let other = source.subscribe { others.record($0.snapshot.interfaces.count) }
        #expect(heard.values == [[one: .noRoute]])
        subscription.watch([two])
        #expect(heard.values.last == [two: .noRoute])
        source.publish(state(2))
        #expect(heard.values.last == [two: .rejected])
        // Only a subscriber that watches hosts is notified of theirs.
        #expect(others.values == [1, 2])
        withExtendedLifetime((subscription, other)) {}
    }

    @Test func `states published from many threads reach every subscriber in one order`() async {
        let source = ScriptedSource(state(0))
        let logs = [Recorder<Int>(), Recorder<Int>()]
        let subscriptions = logs.map { log in source.subscribe { log.record($0.snapshot.interfaces.count) } }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...200 { group.addTask { [self] in source.publish(state(number)) } }
        }
        #expect(logs[0].values == logs[1].values)
        #expect(logs[0].values.count == 201)
        withExtendedLifetime(subscriptions) {}
    }
}
