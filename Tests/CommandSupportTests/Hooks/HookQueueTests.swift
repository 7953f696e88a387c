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
    ) -> Transition {
        Transition(state: state, reason: reason, interface: interface, portal: portal, time: time)
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

    /// The transitions of values that are seen some seconds after the start.
    private static func transitions(_ seen: [(Double, ConnectivityState, String)]) -> [Transition] {
        var sequence = TransitionSequence()
        return seen.compactMap { seconds, state, interface in
            sequence.next(Transition(state: state, interface: interface, time: time + seconds, uptime: seconds))
        }
    }

    /// What runs, when each transition is added at its time, and released at the times in between.
    private func told(_ seen: [(Double, ConnectivityState, String)], shortest: Double) -> [String] {
        var queue = HookQueue()
        var runs: [HookRun] = []
        var due: Double?
        for transition in Self.transitions(seen) + [Self.event(.unknown)] {
            if let time = due, transition.uptime == 0 || time < transition.uptime {
                _ = queue.release(at: time, shortest: shortest)
            }
            if transition.number > 0 { _ = queue.append(transition, shortest: shortest) }
            due = queue.release(at: transition.uptime, shortest: shortest).next
            runs += drain(&queue)
        }
        return runs.map { run in
            "\(run.event.state) \(run.event.interfaceName ?? "")"
                + (run.event.outage.map { " after \(Int($0.length)) s" } ?? "")
        }
    }

    @Test(
        arguments: [
            // Too short: the hooks run neither at the beginning nor at the end.
            ([(1, .online, "a"), (10, .offline, "a"), (39, .online, "a")], ["online a"]),
            // It ends over another interface, which is a transition itself.
            ([(1, .online, "a"), (10, .offline, "a"), (39, .online, "b")], ["online a", "online b"]),
            // Long enough: the beginning is reported then.
            (
                [(1, .online, "a"), (10, .offline, "a"), (41, .online, "a")],
                ["online a", "offline a", "online a after 31 s"]
            ),
            // The newest state of the outage is reported, and what follows at once.
            (
                [(1, .online, "a"), (10, .offline, "a"), (12, .limited, "a"), (50, .offline, "b"), (55, .online, "a")],
                ["online a", "limited a", "offline b", "online a after 45 s"]
            ),
            // It does not grow while nothing is known, and not after that either.
            (
                [(1, .online, "a"), (10, .offline, "a"), (20, .unverified, "a"), (90, .online, "a")], ["online a"]
            ),
            (
                [
                    (1, .online, "a"), (10, .offline, "a"), (20, .unverified, "a"), (25, .offline, "a"),
                    (60, .online, "a"),
                ], ["online a", "offline a", "online a after 50 s"]
            ),
            // What ended in doubt is reported with what follows, however short that is.
            (
                [
                    (1, .online, "a"), (10, .offline, "a"), (50, .unverified, "a"), (90, .offline, "a"),
                    (91, .limited, "a"), (95, .online, "a"),
                ], ["online a", "offline a", "unverified a", "online a after 40 s"]
            ),
            // An outage in which the program starts, and which has not ended.
            ([(1, .offline, "a")], ["offline a"]),
        ] as [([(Double, ConnectivityState, String)], [String])])
    func `an outage runs hooks once it is long enough`(
        seen: [(Double, ConnectivityState, String)], expected: [String]
    ) {
        #expect(told(seen, shortest: 30) == expected)
    }

    @Test func `another phase of an outage runs no hook, and its end has the final side`() {
        var (sequence, queue) = (TransitionSequence(), HookQueue())
        let values: [(Double, ConnectivityState, ConnectivityFault?)] = [
            (1, .online, nil), (10, .noInternet, .router), (40, .noInternet, .provider), (60, .online, nil),
        ]
        for (seconds, state, fault) in values {
            let seen = Transition(state: state, fault: fault, time: Self.time + seconds, uptime: seconds)
            if let transition = sequence.next(seen) { _ = queue.append(transition) }
        }
        let runs = drain(&queue)
        #expect(runs.map(\.event.state) == [.online, .noInternet, .online])
        #expect(runs.map { $0.variables["DIALTONE_FAULT"] } == ["", "router", ""])
        #expect(runs.last?.variables["DIALTONE_OUTAGE_FAULT"] == "router")
        #expect(runs.last?.variables["DIALTONE_OUTAGE_CAUSE"] == "routerRestarted")
    }

    @Test func `of a burst, the newest transitions remain, and the rest are counted`() {
        var queue = HookQueue()
        _ = queue.append(Self.event(.unknown))
        _ = queue.next()
        for number in 1...1000 { _ = queue.append(Self.event(.online, "eth\(number)")) }
        #expect(queue.skipped == 1000 - HookQueue.limit)
        let runs = drain(&queue)
        #expect(runs.map(\.event.interfaceName) == (1001 - HookQueue.limit...1000).map { "eth\($0)" })
        #expect(runs.map(\.skipped) == [1000 - HookQueue.limit] + Array(repeating: 0, count: HookQueue.limit - 1))
        #expect(runs.first?.previous == .unknown)
    }

    @Test func `the variables, with text of the network made safe`() {
        var event = Self.event(.captivePortal, reason: "a\u{1B}]0;b", portal: "http://192.0.2.1/?a=\"$(reboot)\"")
        event.record.interfaceType = "wiredEthernet"
        event.record.cause = HistoryCause(.captivePortal)
        let variables = HookRun(event: event, previous: .online, skipped: 2).variables
        #expect(
            variables == [
                "DIALTONE_STATE": "captivePortal", "DIALTONE_PREVIOUS_STATE": "online",
                "DIALTONE_REASON": "a\u{FFFD}]0;b", "DIALTONE_INTERFACE": "eth0",
                "DIALTONE_INTERFACE_TYPE": "wiredEthernet",
                "DIALTONE_PORTAL": "http://192.0.2.1/?a=\"$(reboot)\"", "DIALTONE_TIME": "2027-01-15T08:00:00.000Z",
                "DIALTONE_SKIPPED": "2", "DIALTONE_FAULT": "", "DIALTONE_CAUSE": "captivePortal",
                "DIALTONE_TRANSITION": "0", "DIALTONE_OUTAGE_BEGAN": "", "DIALTONE_OUTAGE_SECONDS": "",
                "DIALTONE_OUTAGE_FAULT": "", "DIALTONE_OUTAGE_CAUSE": "",
                "DIALTONE_MESSAGE": "a\u{FFFD}]0;b",
            ])
        // `dialtone` in a hook must not report a variable as a misspelled setting.
        #expect(Spelling.misspelled(in: variables).isEmpty)
        #expect(HookRun(event: Self.event(.unknown, nil)).variables["DIALTONE_PREVIOUS_STATE"]?.isEmpty == true)
    }
}
