//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Glibc

/// What a scenario works with: a shell, watches, notes for the report, and a broom.
final class Lab {
    let kernel: KernelListener
    private(set) var log: [String] = []
    private var watches: [Watch] = []
    private var brooms: [String] = []

    init(_ kernel: KernelListener) { self.kernel = kernel }

    /// Runs a piece of shell, and returns what it prints.
    ///
    /// - Throws: when a command fails, with everything printed.
    @discardableResult
    func shell(_ text: String) throws -> String {
        guard let pipe = popen("exec 2>&1; set -e\n\(text)", "r") else { throw Failure("no shell: errno \(errno)") }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            if count == 0 { break }
            output += buffer.prefix(count)
        }
        let status = pclose(pipe)
        let printed = String(decoding: output, as: UTF8.self)
        guard status == 0 else { throw Failure("the shell failed (\(status)):\n\(text)\n\(printed)") }
        return printed
    }

    /// Runs a piece of shell when the scenario ends, last first, whatever it says.
    func atEnd(_ text: String) { brooms.append(text) }

    /// Waits until a condition of the shell holds.
    func until(_ condition: String, seconds: Double = 20) throws {
        let start = Moment.now
        while (try? shell(condition)) == nil {
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

    /// Adds a line to the report.
    func note(_ line: String) { log.append(line) }

    func check(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
        if !isTrue { throw Failure(what()) }
    }

    func cleanUp() {
        for watch in watches { watch.end() }
        for broom in brooms.reversed() { _ = try? shell(broom + "\ntrue") }
    }
}
