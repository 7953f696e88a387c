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

/// Something that is so or not.
private final class Flag: Sendable {
    private let value = Atomic(false)

    /// Sets it, and tells how it was.
    @discardableResult func exchange(_ new: Bool) -> Bool { value.exchange(new, ordering: .relaxed) }
}

/// What is told of a wait on standard error: on a terminal one line that is written over, elsewhere one for each reason.
///
/// The methods are called by one task at a time.
struct WaitingLine {
    let target: WaitTarget
    let isQuiet: Bool
    private let shown = Flag()
    /// Whether a line can be written over: not on a terminal that says it can do no more than print.
    private let isTerminal = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"

    /// Tells what is waited for, and why.
    func show(_ reason: WaitReason) {
        let text = "Waiting for \(target.words). \(Printable.text("\(reason)"))"
        shown.exchange(true)
        // Without wrapping (DECAWM) it stays one line on a narrow terminal, and can be taken away as one.
        write(isTerminal ? "\r\u{1B}[K\u{1B}[?7l\(text)\u{1B}[?7h" : "dialtone: \(text)\n")
    }

    /// Takes the line away again, on a terminal, if there is one.
    func clear() {
        if isTerminal, shown.exchange(false) { write("\r\u{1B}[K") }
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
