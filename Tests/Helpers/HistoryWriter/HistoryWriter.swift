// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation

/// Records a history as the server does, so that tests can kill it or fill its disk.
///
/// It prints its progress to standard output; its first argument is the scenario.
@main
struct HistoryWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let number = Int(arguments[3]) else { exit(64) }
        let directory = URL(filePath: arguments[2])
        switch arguments[1] {
        case "flap": await flap(directory, from: number)
        case "pace": await flap(directory, from: number, pause: .milliseconds(20))
        case "fill": try await fill(directory)
        case "record": await record(directory, number)
        case "measure": try await measure(directory, number)
        case "locked": try await locked(directory)
        default: exit(64)
        }
    }

    /// Prints a line at once.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    // clock: the store compares records with the time of the machine.
    private static var now: Date { .now }

    /// - Parameter age: the seconds for which it has lasted.
    static func transition(_ number: Int, age: Int = 0) -> HistoryTransition {
        HistoryTransition(
            time: now - Double(age), state: number.isMultiple(of: 2) ? .online : .offline,
            cause: HistoryCause(rawValue: "n\(number)"))
    }

    static func say(_ store: HistoryStore) {
        let status = store.status
        let health =
            switch status.problem {
            case nil: "healthy"
            case .diskFull: "full"
            case .readOnly: "read-only"
            case let problem?: "\(problem)"
            }
        say("\(health) waiting \(status.waiting > 0) notices \(status.notices.count)")
    }

    /// The causes of the outages of the last day.
    static func sayTimeline(_ store: HistoryStore) async throws {
        say(causes(try await store.timeline(from: now - 86_400, to: now)).joined(separator: " "))
    }

    private static func causes(_ timeline: Timeline) -> [String] {
        timeline.spans.compactMap { $0.cause?.rawValue }.filter { $0.hasPrefix("n") && $0 != "noRecord" }
    }

    /// Records without end, and prints each number as soon as it is written.
    ///
    /// - Parameter pause: the time between two writes, so that a reader can look between them.
    private static func flap(_ directory: URL, from first: Int, pause: Duration = .zero) async {
        let store = await HistoryStore.open(at: directory)
        say("open \(store.status.isHealthy) \(store.status.notices.count)")
        for number in first... {
            store.record(transition(number))
            store.record(CheckRecord(time: now, verdict: .verified, latency: 0.01))
            // Some wait for others, so that transactions have different sizes.
            guard number.isMultiple(of: 3) else { continue }
            store.tick()
            await store.flush()
            say("\(number)")
            // clock: the pace that the test has chosen.
            if pause > .zero { try? await Task.sleep(for: pause) }
        }
    }

    /// Records a number of transitions and closes.
    private static func record(_ directory: URL, _ count: Int) async {
        let store = await HistoryStore.open(at: directory)
        for number in 0..<count {
            // So that none of them ends in the millisecond in which it started.
            store.record(transition(number, age: count - number))
        }
        await store.flush()
        say(store)
        await store.close()
    }

    /// Prints how long it takes to read a day with a number of transitions and to thin it for drawing.
    private static func measure(_ directory: URL, _ count: Int) async throws {
        let store = await HistoryStore.open(at: directory)
        // clock: it measures.
        let (end, clock) = (now, ContinuousClock())
        let writing = await clock.measure {
            for number in 0..<count {
                var transition = transition(number)
                transition.time = end - 86_400 * (1 - Double(number) / Double(count))
                store.record(transition)
            }
            await store.flush()
        }
        let beginning = clock.now
        let timeline = try await store.timeline(from: end - 86_400, to: end, maximumSpans: 1000)
        say("\(count) transitions: written in \(writing), read and thinned in \(clock.now - beginning)")
        say("\(timeline.outages.count) outages, \(timeline.spans.count) spans to draw")
        await store.close()
    }

    /// Fills the disk of the store, and frees space again.
    private static func fill(_ directory: URL) async throws {
        let store = await HistoryStore.open(at: directory)
        store.record(transition(1, age: 20_000))
        await store.flush()
        say(store)
        let ballast = directory.appending(path: "ballast")
        try Data().write(to: ballast)
        let file = try FileHandle(forWritingTo: ballast)
        for size in [65_536, 4096, 1] {
            while (try? file.write(contentsOf: Data(count: size))) != nil {}
        }
        // More than fits into the space that the log has already allocated.
        for number in 2..<20_000 { store.record(transition(number, age: 20_000 - number)) }
        await store.flush()
        say(store)
        let written = causes(try await store.timeline(from: now - 86_400, to: now))
        say("\(written.contains("n1") || written.contains("n19999"))")
        try file.close()
        try FileManager.default.removeItem(at: ballast)
        store.tick()
        await store.flush()
        say(store)
        await store.close()
        say("\(causes(try await HistoryReader(directory).timeline(from: now - 86_400, to: now)).count)")
    }

    /// Records to a directory that is read-only at first.
    private static func locked(_ directory: URL) async throws {
        let store = await HistoryStore.open(at: directory)
        store.record(transition(101))
        // clock: it must not end in the millisecond in which it started.
        try await Task.sleep(for: .milliseconds(2))
        await store.flush()
        say(store)
        try await sayTimeline(store)
        // From here on, the history cannot be copied again.
        setenv("TMPDIR", directory.appending(path: "missing").path, 1)
        store.tick()
        await store.flush()
        try await sayTimeline(store)
        let mount = Process()
        mount.executableURL = URL(filePath: "/usr/bin/env")
        mount.arguments = ["mount", "-o", "remount,rw", directory.path]
        try mount.run()
        mount.waitUntilExit()
        store.tick()
        await store.flush()
        say(store)
        try await sayTimeline(store)
        await store.close()
    }
}
