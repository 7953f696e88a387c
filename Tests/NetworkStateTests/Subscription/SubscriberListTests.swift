// SPDX-License-Identifier: Apache-2.0

import Netlink
import Synchronization
import TestSupport
import Testing

@testable import NetworkState

struct SubscriberListTests {
    private let one = NetworkSnapshot(interfaces: [.loopback])
    private let two = NetworkSnapshot(interfaces: [.loopback, .wired()])

    /// The number of links and changes in each update of a subscriber.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var text: [String] { lines.withLock { $0 } }

        func receive(_ name: String) -> SubscriberList.Receive {
            { update in
                let line = "\(name): \(update.snapshot.interfaces.count) links, \(update.delta.changes.count) changes"
                self.lines.withLock { $0.append(line) }
            }
        }
    }

    private func make(_ calls: [SubscriberList.Delivery]) { for call in calls { call() } }

    @Test func `a new subscriber receives the state without changes, the others receive the changes`() {
        var (list, log) = (SubscriberList(), Log())
        _ = list.add(log.receive("a"))
        list.admit()
        make(list.firstUpdates())
        #expect(log.text == [])
        make(list.publish(one))
        _ = list.add(log.receive("b"))
        list.admit()
        make(list.publish(two))
        #expect(log.text == ["a: 1 links, 0 changes", "a: 2 links, 1 changes", "b: 2 links, 0 changes"])
    }

    @Test func `only new subscribers receive a state that has not changed`() {
        var (list, log) = (SubscriberList(), Log())
        _ = list.add(log.receive("a"))
        list.admit()
        make(list.publish(one))
        make(list.publish(one))
        _ = list.add(log.receive("b"))
        list.admit()
        make(list.publish(one))
        make(list.firstUpdates())
        #expect(log.text == ["a: 1 links, 0 changes", "b: 1 links, 0 changes"])
    }

    @Test func `a subscriber waits until it is admitted`() {
        var (list, log) = (SubscriberList(), Log())
        make(list.publish(one))
        _ = list.add(log.receive("a"))
        make(list.firstUpdates())
        make(list.publish(two))
        #expect(log.text == [])
        list.admit()
        make(list.firstUpdates())
        #expect(log.text == ["a: 2 links, 0 changes"])
    }

    @Test func `a subscriber that has left receives nothing`() {
        var (list, log) = (SubscriberList(), Log())
        let first = list.add(log.receive("a"))
        let second = list.add(log.receive("b"))
        list.admit()
        make(list.publish(one))
        list.remove(first)
        list.remove(first)
        make(list.publish(two))
        list.remove(second)
        #expect(list.isEmpty)
        #expect(log.text == ["a: 1 links, 0 changes", "b: 1 links, 0 changes", "b: 2 links, 1 changes"])
    }

    @Test func `the watched hosts have a new version only if they change`() {
        var list = SubscriberList()
        let (one, two) = (RouteLookup(to: "192.0.2.1"), RouteLookup(to: "192.0.2.2"))
        let first = list.add(watching: [one]) { _ in }
        let second = list.add(watching: [two]) { _ in }
        let version = list.watched.version
        for hosts in [[one], [one, two], [], nil] as [Set<RouteLookup>?] {
            list.remove(list.add(watching: hosts) { _ in })
            #expect(list.watched.version == version)
        }
        list.change(first, watching: [one, two])
        list.remove(second)
        #expect(list.watched.version == version)
        #expect(list.watched.hosts == [one, two])
        list.change(first, watching: [two])
        #expect(list.watched.version == version + 1)
        list.remove(first)
        #expect(list.watched.version == version + 2)
        #expect(list.watched.hosts.isEmpty)
    }

    @Test func `after forgetting the state, new subscribers wait for the next one`() {
        var (list, log) = (SubscriberList(), Log())
        make(list.publish(one))
        list.forget()
        _ = list.add(log.receive("a"))
        list.admit()
        make(list.firstUpdates())
        #expect(log.text == [])
        make(list.publish(one))
        #expect(log.text == ["a: 1 links, 0 changes"])
    }
}
