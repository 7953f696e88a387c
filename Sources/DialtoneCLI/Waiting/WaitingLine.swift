//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is told of a wait on standard error: on a terminal one line that is written over, elsewhere one for each reason.
///
/// The methods are called by one task at a time.
struct WaitingLine {
    let target: WaitTarget
    let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Tells what is waited for, and why.
    func show(_ reason: WaitReason) {
        let text = "Waiting for \(target.words). \(Printable.text("\(reason)"))"
        write(isTerminal ? "\r\u{1B}[K\(text)" : "dialtone: \(text)\n")
    }

    /// Takes the line away again, on a terminal.
    func clear() {
        if isTerminal { write("\r\u{1B}[K") }
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
