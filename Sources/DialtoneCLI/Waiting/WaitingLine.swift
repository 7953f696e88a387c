//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is told of a wait on standard error: on a terminal one line that is written over, elsewhere one for each reason.
///
/// Any thread may call the methods.
final class WaitingLine: Sendable {
    private let target: WaitTarget
    private let isQuiet: Bool
    /// What was told last and has not been taken back.
    private let shown = Mutex<String?>(nil)
    /// Whether a line can be written over: not on a terminal that says it can do no more than print.
    private let isTerminal = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"

    init(target: WaitTarget, isQuiet: Bool) {
        self.target = target
        self.isQuiet = isQuiet
    }

    /// Tells what is waited for, and why, unless just that has been told.
    func show(_ reason: WaitReason) {
        shown.withLock { tell("Waiting for \(target.words). \(Printable.text("\(reason)"))", &$0) }
    }

    /// What was told last is no longer why; another reason is not known yet.
    func forgetReason() {
        shown.withLock { shown in
            if shown != nil { tell("Waiting for \(target.words).", &shown) }
        }
    }

    private func tell(_ text: String, _ shown: inout String?) {
        guard text != shown else { return }
        shown = text
        // Without wrapping (DECAWM) it stays one line on a narrow terminal, and can be taken away as one.
        write(isTerminal ? "\r\u{1B}[K\u{1B}[?7l\(text)\u{1B}[?7h" : "dialtone: \(text)\n")
    }

    /// Takes the line away again, on a terminal, if there is one.
    func clear() {
        shown.withLock { shown in
            if isTerminal, shown != nil { write("\r\u{1B}[K") }
            shown = nil
        }
    }

    /// Tells something that stays.
    func say(_ text: String) {
        clear()
        write("dialtone: \(Printable.text(text))\n")
    }

    private func write(_ text: String) {
        guard !isQuiet else { return }
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Self.writeAll($0) }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Darwin)
        Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }
}
