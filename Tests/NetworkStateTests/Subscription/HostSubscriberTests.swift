// SPDX-License-Identifier: Apache-2.0

import Netlink
import Synchronization
import TestSupport
import Testing

@testable import NetworkState

struct `Subscribers of hosts` {
    private static let a = RouteLookup(to: "192.0.2.1")
    private static let b = RouteLookup(to: "192.0.2.2")
    private let log = Log()

    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        func receiver(_ name: String) -> SubscriberList.Receive {
            { update in
                let hosts = update.snapshot.hosts.keys.map { "\($0.destination)" }.sorted()
                let news = update.delta.changes.contains(.hosts) ? " (news)" : ""
                self.entries.withLock { $0.append("\(name):\(hosts.map { " " + $0 }.joined())\(news)") }
            }
        }

        func take(_ calls: [SubscriberList.Delivery]) -> [String] {
            for call in calls { call() }
            return entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
    }

    @Test func `only subscribers that watch hosts receive their changes`() {
        var list = SubscriberList()
        _ = list.add(log.receiver("path"))
        _ = list.add(watching: [Self.a], log.receiver("host"))
        list.admit()
        #expect(list.watched.hosts == [Self.a])
        // A watcher waits for the answers about its hosts.
        #expect(log.take(list.publish(snapshot())) == ["path:"])
        #expect(log.take(list.publish(snapshot([Self.a]))) == ["host: 192.0.2.1"])
        #expect(log.take(list.publish(snapshot([Self.a], .rejected))) == ["host: 192.0.2.1 (news)"])
        #expect(log.take(list.publish(snapshot([Self.a], .rejected))).isEmpty)
        let both = log.take(list.publish(snapshot([Self.a], .rejected, link: "eth0")))
        #expect(both.count == 2)
    }

    @Test func `a subscriber that changes its hosts is called again, with all answers, after its admission`() {
        var list = SubscriberList()
        let identifier = list.add(watching: [], log.receiver("host"))
        list.admit()
        #expect(log.take(list.publish(snapshot())).count == 1)
        list.change(identifier, watching: [Self.a, Self.b])
        #expect(log.take(list.firstUpdates()).isEmpty)
        list.admit()
        #expect(log.take(list.firstUpdates()).isEmpty)
        #expect(log.take(list.publish(snapshot([Self.a, Self.b]))) == ["host: 192.0.2.1 192.0.2.2"])
        // The same hosts again: it is called again, although nothing has changed.
        list.change(identifier, watching: [Self.a, Self.b])
        list.admit()
        #expect(log.take(list.firstUpdates()) == ["host: 192.0.2.1 192.0.2.2"])
        #expect(log.take(list.firstUpdates()).isEmpty)
    }

    @Test func `a change between two sets of hosts is not missed`() {
        var list = SubscriberList()
        let identifier = list.add(watching: [Self.a], log.receiver("host"))
        list.admit()
        _ = log.take(list.publish(snapshot([Self.a])))
        list.change(identifier, watching: [Self.a, Self.b])
        list.admit()
        // It waits for the answer about the new host, but receives the change of the other.
        #expect(log.take(list.publish(snapshot([Self.a], .rejected))).count == 1)
    }

    @Test func `hosts are watched as long as they have a subscriber`() {
        var list = SubscriberList()
        let first = list.add(watching: [Self.a], log.receiver("1"))
        let second = list.add(watching: [Self.a, Self.b], log.receiver("2"))
        let version = list.watched.version
        list.remove(second)
        #expect(list.watched.hosts == [Self.a])
        #expect(list.watched.version != version)
        list.change(first, watching: [Self.b])
        #expect(list.watched.hosts == [Self.b])
        list.remove(first)
        #expect(list.watched.hosts.isEmpty)
        #expect(list.isEmpty)
    }

    @Test func `subscribers do not wait for answers when the state is unavailable`() {
        var list = SubscriberList()
        _ = list.add(watching: [Self.a], log.receiver("host"))
        list.admit()
        let error = NetlinkError(.system, operation: "socket")
        #expect(log.take(list.publish(NetworkSnapshot(visibility: .unavailable(because: error)))).count == 1)
    }

    private func snapshot(
        _ hosts: [RouteLookup] = [], _ outcome: RouteAnswer.Outcome = .noRoute, link: String? = nil
    ) -> NetworkSnapshot {
        NetworkSnapshot(
            interfaces: link.map { [NetworkInterface(index: 2, name: $0, type: .wiredEthernet)] } ?? [],
            hosts: hosts.reduce(into: [:]) { $0[$1] = RouteAnswer($1.destination, outcome) })
    }
}
