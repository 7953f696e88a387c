//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Glibc
import Synchronization

/// What a scenario has noted for the report.
final class Notes: Sendable {
    let lines = Mutex<[String]>([])
}

/// What a scenario works with: a shell, watches, notes for the report.
final class Lab {
    let kernel: KernelListener
    let notes = Notes()
    /// When the last piece of shell began.
    private(set) var lastCommand: UInt64 = Moment.now
    private var watches: [Watch] = []
    private let fence = Fence()

    init(_ kernel: KernelListener) { self.kernel = kernel }

    /// Runs a piece of shell, and returns what it prints.
    ///
    /// - Throws: when a command fails, with everything printed.
    @discardableResult
    func shell(_ text: String) throws -> String {
        lastCommand = Moment.now
        return try Shell.run(text)
    }

    /// Waits until a condition of the shell holds.
    func until(_ condition: String, seconds: Double = 20) throws {
        let start = Moment.now
        while (try? Shell.run(condition)) == nil {
            guard Double(Moment.now - start) < seconds * 1e9 else { throw Failure("in vain: \(condition)") }
            usleep(50_000)
        }
    }

    /// Watches the path, like any program would, from here on.
    func watch(_ filter: PathFilter = PathFilter()) -> Watch {
        let watch = Watch(filter, self)
        watches.append(watch)
        return watch
    }

    /// Watches no more, after a look whether anything came besides what was expected.
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

    /// Shows that nothing came besides what was expected: everything until now is let through, and then looked at.
    func quiet() throws {
        try fence.pass()
        for watch in watches { try watch.expectNothing() }
    }

    func finish() throws {
        try quiet()
        for watch in watches { watch.end() }
    }
}
