// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

@testable import CommandSupport

/// The transitions that wait for their hooks, without processes.
struct HookQueueTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static func event(
        _ state: ConnectivityState, _ interface: String? = "eth0", reason: String? = nil, portal: String? = nil
    ) -> HookEvent {
        HookEvent(state: state, reason: reason, interface: interface, portal: portal, time: time)
    }

    /// All runs that are waiting.
    private func drain(_ queue: inout HookQueue) -> [HookRun] {
        var runs: [HookRun] = []
        while let run = queue.next() { runs.append(run) }
        return runs
    }

    @Test func `each run has the state of the run before`() {
        var queue = HookQueue()
        let events = [Self.event(.unverified), Self.event(.online), Self.event(.offline)]
        let starts = events.map { queue.append($0) }
        #expect(starts == [true, false, false])
        let runs = drain(&queue)
        #expect(runs.map(\.previous) == [nil, .unverified, .online])
        let isFirst = queue.append(Self.event(.online))
        let next = drain(&queue)
        #expect(isFirst && next.map(\.previous) == [.offline])
    }

    @Test(arguments: [
        (Self.event(.online, reason: "other"), false), (Self.event(.online), false),
        (Self.event(.online, "wlan0"), true), (Self.event(.online, nil), true), (Self.event(.limited), true),
        (Self.event(.online, portal: "http://192.0.2.1/"), true),
    ]) func `a change of the state, the interface or the login page runs the hooks`(event: HookEvent, isRun: Bool) {
        var queue = HookQueue()
        _ = queue.append(Self.event(.online))
        _ = drain(&queue)
        let starts = queue.append(event)
        let runs = drain(&queue)
        #expect(starts == isRun && runs.count == (isRun ? 1 : 0))
    }

    @Test func `of a burst, the newest transitions remain, and the rest are counted`() {
        var queue = HookQueue()
        _ = queue.append(Self.event(.unknown))
        _ = queue.next()
        for number in 1...1000 { _ = queue.append(Self.event(.online, "eth\(number)")) }
        #expect(queue.skipped == 1000 - HookQueue.limit)
        let runs = drain(&queue)
        #expect(runs.map(\.event.interface) == (1001 - HookQueue.limit...1000).map { "eth\($0)" })
        #expect(runs.map(\.skipped) == [1000 - HookQueue.limit] + Array(repeating: 0, count: HookQueue.limit - 1))
        #expect(runs.first?.previous == .unknown)
    }

    @Test func `the variables, with text of the network made safe`() {
        var event = Self.event(.captivePortal, reason: "a\u{1B}]0;b", portal: "http://192.0.2.1/?a=\"$(reboot)\"")
        event.interfaceType = "wiredEthernet"
        let variables = HookRun(event, previous: .online, skipped: 2).variables
        #expect(
            variables == [
                "DIALTONE_STATE": "captivePortal", "DIALTONE_PREVIOUS_STATE": "online",
                "DIALTONE_REASON": "a\u{FFFD}]0;b", "DIALTONE_INTERFACE": "eth0",
                "DIALTONE_INTERFACE_TYPE": "wiredEthernet",
                "DIALTONE_PORTAL": "http://192.0.2.1/?a=\"$(reboot)\"", "DIALTONE_TIME": "2027-01-15T08:00:00.000Z",
                "DIALTONE_SKIPPED": "2",
            ])
        // `dialtone` in a hook must not report a variable as a misspelled setting.
        #expect(Spelling.misspelled(in: variables).isEmpty)
        #expect(HookRun(Self.event(.unknown, nil)).variables["DIALTONE_PREVIOUS_STATE"]?.isEmpty == true)
    }
}
