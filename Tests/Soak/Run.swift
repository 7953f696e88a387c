// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Synchronization

/// The soak test's outer process: changes the network, queries the subject, and measures it.
final class Run {
    private let seconds: Double
    private let start = Date()
    private var figures = Figures()
    private var churn: Churn
    private let subject: SubjectProcess
    private var lastSample = 0.0

    init(seconds: Double) throws {
        self.seconds = seconds
        var churn = try Churn()
        try churn.begin()
        self.churn = churn
        subject = try SubjectProcess()
        figures.seconds = seconds
    }

    private var elapsed: Double { Date().timeIntervalSince(start) }

    /// - Returns: whether the soak test passed.
    func perform() throws -> Bool {
        defer { subject.end() }
        guard subject.line(within: 60) == "ready" else { throw Failure("the subject did not start") }
        let cycles = max(12, Int(seconds / 60))
        var hasStopped = false
        for cycle in 0..<cycles {
            try measure(until: seconds * Double(cycle) / Double(cycles) + seconds / Double(cycles) * 0.8) {
                churn.perform()
            }
            if !hasStopped, elapsed > seconds / 2 {
                hasStopped = true
                try stopInStorm()
            }
            try roll(isUp: cycle.isMultiple(of: 2))
            // A calm network, so that heartbeats send more than the first packets.
            try measure(until: seconds * Double(cycle) / Double(cycles) + seconds / Double(cycles) * 0.95) {}
            try lull()
            Soak.log(figures.line(at: elapsed))
        }
        guard subject.isAlive else { throw Failure("the subject has exited") }
        figures.changes = churn.changes
        figures.beats = Usage.refusedDatagrams
        figures.elapsed = elapsed
        print(figures.report)
        return figures.isWell
    }

    /// Makes twenty changes a second, and takes a sample every two seconds.
    private func measure(until end: Double, _ change: () -> Void) throws {
        repeat {
            change()
            usleep(50_000)
            if elapsed - lastSample >= min(2, seconds / 100) {
                lastSample = elapsed
                guard let usage = Usage(of: subject.identifier, at: elapsed) else {
                    throw Failure("the subject has exited")
                }
                figures.samples.append(usage)
            }
        } while elapsed < end
    }

    /// Every member must report the network's state.
    private func roll(isUp: Bool) throws {
        try churn.settle(isUp: isUp)
        subject.tell(isUp ? "roll up" : "roll down")
        guard let answer = subject.line(within: 90) else { throw Failure("the subject does not answer") }
        let words = answer.split(separator: " ")
        if words.first == "agreed", let milliseconds = words.last.flatMap({ Int($0) }) {
            figures.rolls.append(milliseconds)
        } else {
            figures.wrong.append("after \(Int(elapsed)) s, \(isUp ? "up" : "down"): \(answer)")
        }
    }

    private func lull() throws {
        subject.tell("lull")
        guard let answer = subject.line(within: 60), let lull = Lull(answer, at: elapsed) else {
            throw Failure("the subject does not become idle")
        }
        figures.lulls.append(lull)
        if !answer.contains(" kernel=0 ") {
            figures.wrong.append("after \(Int(elapsed)) s: still listening: \(answer)")
        }
        if let made = answer.split(separator: "=").last.flatMap({ Int($0) }) { figures.made = made }
        try churn.settle(isUp: true)
    }

    /// Stops the subject (SIGSTOP) during a storm of up to a minute; the roll call afterwards checks its answers.
    private func stopInStorm() throws {
        let length = min(60, seconds / 20)
        let before = churn.changes
        subject.signal(SIGSTOP)
        let end = elapsed + length
        while elapsed < end { churn.storm() }
        figures.stop = "\(Int(length)) s, \(churn.changes - before) changes of default routes"
        // The network must not end in the state in which it was when the subject was stopped.
        try churn.settle(isUp: false)
        subject.signal(SIGCONT)
        try roll(isUp: false)
        if let last = figures.rolls.last { figures.stop += ", every answer right \(last) ms later" }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

/// The subject's process, with the lines sent to it and received from it.
final class SubjectProcess {
    private let process = Process()
    private let input = Pipe()
    private let lines = Lines()

    init() throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["subject"]
        // mallinfo(3) counts what a thread's allocator cache holds as in use, and Dispatch has many threads. With several arenas,
        // a thread that starts after a pause takes over the arena of another one: resident memory grows until each arena has
        // held the most that any thread needs, which hides smaller growth.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1"]) { $1 }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = lines
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            while true {
                let data = reading.availableData
                guard !data.isEmpty else { return lines.end() }
                lines.take(data)
            }
        }
    }

    var identifier: Int32 { process.processIdentifier }
    var isAlive: Bool { process.isRunning }

    func tell(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    func signal(_ number: Int32) { kill(identifier, number) }

    /// The next line; nil when none arrives within that many seconds.
    func line(within seconds: Double) -> String? { lines.next(within: seconds) }

    func end() {
        signal(SIGCONT)
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private final class Lines: Sendable {
        private let state = Mutex((rest: "", lines: [String](), hasEnded: false))
        private let arrived = DispatchSemaphore(value: 0)

        func take(_ data: Data) {
            let count = state.withLock { state in
                state.rest += String(decoding: data, as: UTF8.self)
                var parts = state.rest.components(separatedBy: "\n")
                state.rest = parts.removeLast()
                state.lines += parts
                return parts.count
            }
            for _ in 0..<count { arrived.signal() }
        }

        func end() {
            state.withLock { $0.hasEnded = true }
            arrived.signal()
        }

        func next(within seconds: Double) -> String? {
            guard arrived.wait(timeout: .now() + seconds) == .success else { return nil }
            return state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
        }
    }
}
#endif
