// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneHistory
import Foundation
import Netlink
import Synchronization
import TestSupport
import Testing

/// Events of a process that is killed while it records and sends.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(10)))
final class EventKillTests: Sendable {
    /// The events that a collector has received.
    private struct Received {
        /// The identifiers of each event, by its own number.
        var identifiers: [String: Set<String>] = [:]
        /// The events of each identifier.
        var events: [String: Set<String>] = [:]
        /// The numbers of transitions, in the order of their first arrival.
        var order: [Int] = []
        var requests = 0
        var copies = 0
        /// The data of each identifier.
        var contents: [String: Set<String>] = [:]

        mutating func add(_ body: String) {
            requests += 1
            let objects = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [[String: Any]] ?? []
            for object in objects {
                guard let data = object["data"] as? [String: Any], let identifier = object["id"] as? String,
                    let source = object["source"] as? String
                else { continue }
                let members = data.sorted { $0.key < $1.key }.map { key, value in
                    let list = (value as? [Any]).flatMap {
                        try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
                    }
                    return "\(key)=\(list.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)")"
                }.joined(separator: " ")
                contents["\(source) \(identifier)", default: []].insert(members)
                guard let name = (data["cause"] ?? data["host"]) as? String, name.hasPrefix("n") || name.hasPrefix("h"),
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

    private let directory = FileManager.default.temporaryDirectory
        .appending(path: "dialtone-kills-\(UUID().uuidString)")
    private let received = Mutex(Received())

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// A collector that loses some answers after it has stored the events, and refuses some requests.
    private func collector(in namespace: NetworkNamespace) async throws -> TestServer {
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        return try TestServer(in: namespace, port: 80) { [self] request in
            let number = received.withLock { received in
                received.add(request.body)
                return received.requests
            }
            return number % 7 == 0 ? .hangUp : .respond(status: number % 11 == 0 ? 500 : 204, body: "")
        }
    }

    private func start(_ arguments: String..., in namespace: NetworkNamespace) async throws -> CommandRun {
        try await CommandRun.start(
            .built("EventWriter"), [directory.path, "http://127.0.0.1/events"] + arguments, in: namespace)
    }

    @Test func `after 30 kills in outages, also before a change is recorded, no record is lost or has two contents`()
        async throws
    {
        let namespace = try NetworkNamespace()
        let collector = try await collector(in: namespace)
        defer { withExtendedLifetime(collector) {} }
        var random = SeededGenerator(seed: 37)
        var (first, recorded) = (1, Set<String>())
        for round in 0..<30 {
            let run = try await start("\(first)", "outages", in: namespace)
            let wanted = first + Int.random(in: 0...2, using: &random)
            // Before its record, between its record and its fault, or between the fault and its record.
            let line = ["change n\(wanted)", "recorded n\(wanted)", "change f\(wanted)"][round % 3]
            _ = try await run.output.next { $0 == line }
            // clock: the kill comes at any moment of what the program does next.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...1000, using: &random)))
            kill(run.identifier, SIGKILL)
            #expect(try await run.exitStatus() == 128 + SIGKILL)
            recorded.formUnion(
                run.output.values.compactMap { $0.split(separator: " ").last.map(String.init) }.filter {
                    run.output.values.contains("recorded \($0)")
                })
            // The last record before the kill may not have been printed.
            first =
                (run.output.values.compactMap { line in line.split(separator: " ").last.flatMap { Int($0.dropFirst()) }
                }
                .max() ?? wanted) + 2
        }
        let run = try await start("drain", in: namespace)
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0)

        let reader = try HistoryReader(directory)
        let stored = try await reader.transitions().filter { $0.number != nil }
        #expect(recorded.isSubset(of: stored.compactMap { $0.cause?.rawValue }))
        #expect(stored.allSatisfy { $0.reason == $0.cause.map { "\($0)." } })
        let contents = received.withLock { $0.contents }
        #expect(contents.filter { $0.value.count != 1 }.isEmpty)
        let delivered = contents.values.flatMap(\.self)
        for record in stored {
            let words = "cause=\(record.cause?.rawValue ?? "") "
            #expect(delivered.count { $0.hasPrefix(words) } == 1, "\(words)")
        }
        // The words and the fault of an outage are those that were recorded.
        let outages = try await reader.timeline(from: .wall - 600, to: .wall + 1).outages
        let found = outages.filter { $0.cause?.rawValue.hasPrefix("f") == true }
        #expect(!found.isEmpty && found.allSatisfy { $0.fault == .provider && $0.reason?.hasPrefix("f") == true })
        print("30 kills: \(stored.count) transitions, \(contents.count) events, \(outages.count) outages")
    }

    @Test func `after 200 kills no event is lost, and none has two identifiers`() async throws {
        let namespace = try NetworkNamespace()
        let collector = try await collector(in: namespace)
        defer { withExtendedLifetime(collector) {} }
        var random = SeededGenerator(seed: 26)
        var last = 0
        for round in 0..<200 {
            let run = try await start("\(last + 1)", in: namespace)
            #expect(try await run.output.next() == "open", "round \(round)")
            for _ in 0..<Int.random(in: 1...6, using: &random) { _ = try await run.output.next() }
            // clock: as above.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...10_000, using: &random)))
            kill(run.identifier, SIGKILL)
            #expect(try await run.exitStatus() == 128 + SIGKILL)
            // Records that were written just before the kill may not have been printed.
            last = run.output.values.compactMap { Int($0) }.last.map { $0 + 3 } ?? last
        }
        let run = try await start("drain", in: namespace)
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0)

        let stored = try await HistoryReader(directory).transitions()
            .compactMap { $0.cause?.rawValue }.filter { $0.hasPrefix("n") && Int($0.dropFirst()) != nil }
        let result = received.withLock { $0 }
        #expect(stored.count > 200)
        #expect(Set(result.identifiers.keys.filter { $0.hasPrefix("n") }) == Set(stored))
        #expect(result.identifiers.keys.count { $0.hasPrefix("h") } >= stored.count - 200)
        #expect(result.identifiers.filter { $0.value.count != 1 }.isEmpty)
        #expect(result.contents.filter { $0.value.count != 1 }.isEmpty)
        #expect(result.events.filter { $0.value.count != 1 }.isEmpty)
        #expect(result.order == result.order.sorted())
        // Without copies, the test would not have hit the moments between an arrival and its acknowledgement.
        #expect(result.copies > 0)
        print("200 kills: \(stored.count) transitions, \(result.requests) requests, \(result.copies) copies")
    }
}
#endif
