// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneHistory
import Foundation
import Netlink
import Synchronization
import TestSupport
import Testing

/// Events of a process that is killed while it records and sends.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(10)))
struct EventKillTests {
    /// What a collector has received.
    private struct Received {
        /// The identifiers of each event, by its own number.
        var identifiers: [String: Set<String>] = [:]
        /// The events of each identifier.
        var events: [String: Set<String>] = [:]
        /// The numbers of transitions, in the order of their first arrival.
        var order: [Int] = []
        var requests = 0
        var copies = 0

        mutating func add(_ body: String) {
            requests += 1
            let objects = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [[String: Any]] ?? []
            for object in objects {
                guard let data = object["data"] as? [String: Any], let identifier = object["id"] as? String,
                    let source = object["source"] as? String,
                    let name = (data["cause"] ?? data["host"]) as? String, name.hasPrefix("n") || name.hasPrefix("h"),
                    let number = Int(name.dropFirst())
                else { continue }
                let isNew = identifiers[name] == nil
                if !isNew { copies += 1 }
                identifiers[name, default: []].insert("\(source) \(identifier)")
                events["\(source) \(identifier)", default: []].insert(name)
                if isNew, name.hasPrefix("n") { order.append(number) }
            }
        }
    }

    @Test func `after 200 kills no event is lost, and none has two identifiers`() async throws {
        let namespace = try NetworkNamespace()
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-kills-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let received = Mutex(Received())
        // Some answers are lost after the collector has stored the events, and some requests are refused.
        let collector = try TestServer(in: namespace, port: 80) { request in
            let number = received.withLock { received in
                received.add(request.body)
                return received.requests
            }
            return number % 7 == 0 ? .hangUp : .respond(status: number % 11 == 0 ? 500 : 204, body: "")
        }
        defer { withExtendedLifetime(collector) {} }
        let program = CommandRun.Program(
            path: URL(filePath: CommandRun.Program.dialtone.path).deletingLastPathComponent()
                .appending(path: "EventWriter").path)
        let arguments = [directory.path, "http://127.0.0.1/events"]
        var random = SeededGenerator(seed: 26)
        var last = 0
        for round in 0..<200 {
            let run = try await CommandRun.start(program, arguments + ["\(last + 1)"], in: namespace)
            #expect(try await run.output.next() == "open", "round \(round)")
            for _ in 0..<Int.random(in: 1...6, using: &random) { _ = try await run.output.next() }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...10_000, using: &random)))
            kill(run.identifier, SIGKILL)
            #expect(try await run.exitStatus() == 128 + SIGKILL)
            // Records that were written just before the kill may not have been printed.
            last = run.output.values.compactMap { Int($0) }.last.map { $0 + 3 } ?? last
        }
        let run = try await CommandRun.start(program, arguments + ["drain"], in: namespace)
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0)

        let stored = try await HistoryReader(directory).transitions(from: .distantPast, to: .distantFuture)
            .compactMap { $0.cause?.rawValue }.filter { $0.hasPrefix("n") && Int($0.dropFirst()) != nil }
        let result = received.withLock { $0 }
        #expect(stored.count > 200)
        #expect(Set(result.identifiers.keys.filter { $0.hasPrefix("n") }) == Set(stored))
        #expect(result.identifiers.keys.count { $0.hasPrefix("h") } >= stored.count - 200)
        #expect(result.identifiers.filter { $0.value.count != 1 }.isEmpty)
        #expect(result.events.filter { $0.value.count != 1 }.isEmpty)
        #expect(result.order == result.order.sorted())
        // Without copies, the test would not have hit the moments between an arrival and its acknowledgement.
        #expect(result.copies > 0)
        print("200 kills: \(stored.count) transitions, \(result.requests) requests, \(result.copies) copies")
    }
}
#endif
