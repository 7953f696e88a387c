// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import Foundation
import Logging
import Netlink
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneHistory
@testable import DialtoneServer

/// A collector that refuses one event, whatever the batch that contains it.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(3)))
struct RefusedEventTests {
    @Test func `the others arrive in order, and the event is counted and named in the log`() async throws {
        let received = Recorder<String>()
        let collector = try Self.collector { request in
            if request.body.contains("poison") { return .respond(status: 422, body: "") }
            let events = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [[String: Any]] ?? []
            for event in events { received.record(event["subject"] as? String ?? "") }
            return .respond(status: 204, body: "")
        }
        let log = Recorder<String>()
        let outbox = try await Outbox(to: collector.port, log)
        let (store, sender) = (outbox.store, outbox.sender)
        await store.flush()
        let hosts = (0..<12).map { $0 == 7 ? "poison" : "h\($0)" }
        for host in hosts { store.record(HostChange(time: .wall, host: host, isReachable: true, reason: nil)) }
        await store.flush()
        // Each return of the Internet ends a pause, so that the test need not wait for it.
        let flapping = Task {
            while !Task.isCancelled {
                for state in [HistoryState.offline, .online] { sender.connectivityChanged(to: state) }
                try await TimeSource.system.sleep(for: .milliseconds(5))
            }
        }
        defer { flapping.cancel() }
        try await eventually { store.pendingEvents == 0 }
        #expect(received.values == hosts.filter { $0 != "poison" })
        let counts = sender.counts
        #expect(counts.acknowledged == 11 && counts.refused == 1 && counts.lost == 0, "\(counts)")
        let line = try await log.next { $0.contains("set aside") }
        #expect(line.contains(" id=h8-"), "\(line)")
        await outbox.end()
    }

    @Test func `what a collector answers counts for nothing once another has taken its place`() async throws {
        let (asked, received, answer) = (Recorder<String>(), Recorder<String>(), DispatchSemaphore(value: 0))
        let old = try Self.collector { _ in
            asked.record("old")
            answer.wait()
            return .respond(status: 400, body: "")
        }
        let new = try Self.collector { request in
            received.record(request.body)
            return .respond(status: 204, body: "")
        }
        let outbox = try await Outbox(to: old.port)
        let (store, sender) = (outbox.store, outbox.sender)
        sender.connectivityChanged(to: .online)
        await store.flush()
        store.record(HostChange(time: .wall, host: "first", isReachable: true, reason: nil))
        await store.flush()
        _ = try await asked.next()
        sender.setTarget(try EventTarget("http://127.0.0.1:\(new.port)/"))
        answer.signal()
        #expect(try await received.next().contains("first"))
        try await eventually { store.pendingEvents == 0 }
        let counts = sender.counts
        #expect(counts.acknowledged == 1 && counts.failures == 0 && counts.refused == 0, "\(counts)")
        await outbox.end()
    }

    @Test func `a phase of an outage, which is no event, delays none`() async throws {
        let received = Recorder<String>()
        let collector = try Self.collector { request in
            received.record(request.body)
            return .respond(status: 204, body: "")
        }
        let outbox = try await Outbox(to: collector.port)
        let (store, sender) = (outbox.store, outbox.sender)
        sender.connectivityChanged(to: .noInternet)
        await store.flush()
        for fault in [ConnectivityFault.router, .provider] {
            var transition = HistoryTransition(
                time: TimeSource.system.moment.realtime, state: .noInternet, reason: fault.rawValue, fault: fault)
            transition.isSilent = fault == .provider
            store.record(transition)
            await store.flush()
            try await eventually { store.pendingEvents == 0 }
        }
        store.record(HostChange(time: .wall, host: "later", isReachable: true, reason: nil))
        await store.flush()
        _ = try await received.next { $0.contains("later") }
        try await eventually { store.pendingEvents == 0 }
        let counts = sender.counts
        #expect(counts.acknowledged == 2 && counts.failures == 0, "\(counts)")
        await outbox.end()
    }

    /// A history in a directory of its own, whose events are sent to a port of 127.0.0.1.
    private struct Outbox {
        let store: HistoryStore
        let sender: EventSender
        private let directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")

        init(to port: UInt16, _ log: Recorder<String> = Recorder()) async throws {
            store = await HistoryStore.open(at: directory)
            sender = EventSender(
                store, machine: "tester", proxies: .bypass, logger: Logger(label: "") { _ in RecordingLog(log) })
            sender.setTarget(try EventTarget("http://127.0.0.1:\(port)/"))
        }

        func end() async {
            sender.stop()
            await store.close()
            try? FileManager.default.removeItem(at: directory)
        }
    }

    /// A server on a free port of 127.0.0.1, in the namespace of this process.
    private static func collector(_ answer: @escaping @Sendable (TestServer.Request) -> TestServer.Answer) throws
        -> TestServer
    {
        let namespace = try NetworkNamespace(path: "/proc/self/ns/net")
        while true {
            do {
                // Below the ports that the kernel chooses for others.
                return try TestServer(in: namespace, port: .random(in: 20_000..<30_000), answer: answer)
            } catch let error as POSIXError where error.code == .EADDRINUSE {}
        }
    }
}
#endif
