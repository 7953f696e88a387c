//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Waiting for any of several descriptors: poll(2).
enum Readiness {
    /// Waits until one of the descriptors can be read, or the time is over.
    ///
    /// - Parameter seconds: nil waits for ever.
    /// - Returns: for each descriptor whether it can be read or has failed. Negative numbers are ignored.
    static func wait(for numbers: [Int32], seconds: Double?) -> [Bool] {
        var polled = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = seconds.map { Int32(min(max($0 * 1000, 0).rounded(.up), 86_400_000)) } ?? -1
        let count = poll(&polled, nfds_t(polled.count), milliseconds)
        // Interrupted by a signal: nothing is ready, and the caller comes again.
        guard count > 0 else { return numbers.map { _ in false } }
        return polled.map { $0.revents != 0 }
    }
}
#endif
