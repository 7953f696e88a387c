// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Glibc
import Synchronization

/// The lines that a scenario adds to the report.
final class Notes: Sendable {
    let lines = Mutex<[String]>([])
}

/// The tools of a scenario: a shell, watches, notes for the report.
final class Lab {
    let kernel: KernelListener
    let notes = Notes()
    /// When the last shell script started.
    private(set) var lastCommand: UInt64 = Moment.now
    private var watches: [Watch] = []
    private let fence = Fence()

    init(_ kernel: KernelListener) { self.kernel = kernel }

    /// Runs a shell script, and returns its output.
    ///
    /// - Throws: when a command fails, with the whole output.
    @discardableResult
    func shell(_ text: String) throws -> String {
        lastCommand = Moment.now
        return try Shell.run(text)
    }

    /// Waits until a shell condition holds.
    func until(_ condition: String, seconds: Double = 20) throws {
        let start = Moment.now
        while (try? Shell.run(condition)) == nil {
            guard Double(Moment.now - start) < seconds * 1e9 else { throw Failure("timed out: \(condition)") }
            usleep(50_000)
        }
    }

    /// Starts to watch the path, as any program would.
    func watch(_ filter: PathFilter = PathFilter()) -> Watch {
        let watch = Watch(filter, self)
        watches.append(watch)
        return watch
    }

    /// Ends a watch, after checking that nothing unexpected was delivered.
    func end(_ watch: Watch) throws {
        try watch.expectNothing()
        watch.end()
        watches.removeAll { $0 === watch }
    }

    /// Adds a line to the report.
    func note(_ line: String) { notes.lines.withLock { $0.append(line) } }

    func check(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
        if !isTrue { throw Failure(what()) }
    }

    /// Checks that nothing unexpected was delivered, once everything announced so far has been handled.
    func quiet() throws {
        try fence.pass()
        for watch in watches { try watch.expectNothing() }
    }

    func finish() throws {
        try quiet()
        for watch in watches { watch.end() }
    }
}
