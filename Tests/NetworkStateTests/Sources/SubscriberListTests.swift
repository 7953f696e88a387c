//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestSupport
import Testing

@testable import NetworkState

struct SubscriberListTests {
    private let one = NetworkSnapshot(interfaces: [.loopback])
    private let two = NetworkSnapshot(interfaces: [.loopback, .wired()])

    /// What a subscriber got: how many links, and how many changes.
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

    @Test func `a newcomer is told the state without changes, the others the changes`() {
        var (list, log) = (SubscriberList(), Log())
        _ = list.add(log.receive("a"))
        list.admit()
        make(list.greetings())
        #expect(log.text == [])
        make(list.publish(one))
        _ = list.add(log.receive("b"))
        list.admit()
        make(list.publish(two))
        #expect(log.text == ["a: 1 links, 0 changes", "a: 2 links, 1 changes", "b: 2 links, 0 changes"])
    }

    @Test func `an equal state is told only to newcomers`() {
        var (list, log) = (SubscriberList(), Log())
        _ = list.add(log.receive("a"))
        list.admit()
        make(list.publish(one))
        make(list.publish(one))
        _ = list.add(log.receive("b"))
        list.admit()
        make(list.publish(one))
        make(list.greetings())
        #expect(log.text == ["a: 1 links, 0 changes", "b: 1 links, 0 changes"])
    }

    @Test func `who has not been admitted waits`() {
        var (list, log) = (SubscriberList(), Log())
        make(list.publish(one))
        _ = list.add(log.receive("a"))
        make(list.greetings())
        make(list.publish(two))
        #expect(log.text == [])
        list.admit()
        make(list.greetings())
        #expect(log.text == ["a: 2 links, 0 changes"])
    }

    @Test func `who has left is told nothing`() {
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

    @Test func `a list that forgets makes newcomers wait for a new state`() {
        var (list, log) = (SubscriberList(), Log())
        make(list.publish(one))
        list.forget()
        _ = list.add(log.receive("a"))
        list.admit()
        make(list.greetings())
        #expect(log.text == [])
        make(list.publish(one))
        #expect(log.text == ["a: 1 links, 0 changes"])
    }
}
