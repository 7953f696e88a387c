// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import DialtoneTesting
import Foundation
import TestSupport
import Testing

struct ConnectivityNotificationTests {
    @Test func `the current value is posted first, then each change, with all its keys`() async throws {
        let network = SimulatedNetwork(.offline, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        let center = NotificationCenter()
        let (values, plain) = (Recorder<Connectivity?>(), Recorder<String>())
        let token = center.addObserver(forName: .connectivityDidChange, object: monitor, queue: nil) { notification in
            let info = notification.userInfo ?? [:]
            func value(_ key: ConnectivityMonitor.NotificationKey) -> Any? { info[key.rawValue] }
            plain.record("\(value(.state) ?? "") \(value(.isOnline) ?? "") \(value(.changes) ?? "")")
            values.record(Connectivity(notification))
        }
        defer { center.removeObserver(token) }
        let posting = monitor.post(to: center, on: DispatchQueue(label: "test"))
        #expect(try await values.next()?.state == .offline)
        #expect(try await plain.next() == "offline false []")
        network.become(.offline(.dormant))
        #expect(try await values.next()?.state == .requiresConnection)
        #expect(
            try await plain.next() == #"requiresConnection false ["connectivity", "status", "reason", "interfaces"]"#)
        posting.cancel()
        #expect(monitor.current.state == .unknown)
    }

    @Test func `a monitor posts once asked to, without an object to keep, until it is stopped`() async throws {
        let network = SimulatedNetwork(.offline, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        let center = NotificationCenter()
        let values = Recorder<Connectivity?>()
        let token = center.addObserver(forName: .connectivityDidChange, object: monitor, queue: nil) {
            values.record(Connectivity($0))
        }
        defer { center.removeObserver(token) }
        let queue = DispatchQueue(label: "test")
        monitor.startPosting(to: center, on: queue)
        monitor.startPosting(to: center, on: queue)
        #expect(try await values.next()?.state == .offline)
        network.become(.offline(.dormant))
        #expect(try await values.next()?.state == .requiresConnection)
        #expect(values.values.count == 2)
        monitor.stopPosting()
        monitor.stopPosting()
        #expect(monitor.current.state == .unknown)
        monitor.startPosting(to: center, on: queue)
        #expect(try await values.next()?.state == .requiresConnection)
        monitor.stopPosting()
    }

    @Test func `a foreign notification is rejected`() {
        #expect(Connectivity(Notification(name: .init("other"))) == nil)
        #expect(Connectivity(Notification(name: .connectivityDidChange)) == nil)
    }
}
