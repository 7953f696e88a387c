//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Dispatch
import Glibc
import Synchronization

/// Catches signals from the moment it is told to, and tells where each came from.
///
/// Dispatch's own sources tell neither, and begin a little after they were made: what comes before is lost.
///
/// The handler may do next to nothing, so it writes one byte to a pipe: the number, and a bit for the kernel. One for each
/// process.
enum SignalCatcher {
    /// The end that the handler writes to; -1 before there is one.
    private static let writingEnd = Atomic<Int32>(-1)
    private static let ofKernel: UInt8 = 0x80

    /// Catches these signals from now on.
    ///
    /// - Parameter body: gets each signal, and whether the kernel sent it, as it does for the keys of a terminal.
    /// - Returns: what cancels the calls; the signals stay caught.
    static func start(
        _ numbers: [Int32], _ body: @escaping @Sendable (_ number: Int32, _ isOfKernel: Bool) -> Void
    ) -> (any DispatchSourceProtocol)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let readingEnd = ends[0]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe must not stop the handler, nor an empty one the reader.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writingEnd.store(ends[1], ordering: .sequentiallyConsistent)
        let source = DispatchSource.makeReadSource(
            fileDescriptor: readingEnd, queue: DispatchQueue(label: "dialtone.signals"))
        source.setEventHandler {
            var byte: UInt8 = 0
            while read(readingEnd, &byte, 1) == 1 { body(Int32(byte & ~ofKernel), byte & ofKernel != 0) }
        }
        source.activate()
        for number in numbers {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            action.__sigaction_handler.sa_sigaction = { number, information, _ in
                let before = errno
                // SI_KERNEL of sigaction(2): the terminal's keys, not kill(2).
                let isOfKernel = information?.pointee.si_code == 0x80
                var byte = UInt8(truncatingIfNeeded: number) | (isOfKernel ? SignalCatcher.ofKernel : 0)
                _ = write(SignalCatcher.writingEnd.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
            sigaction(number, &action, nil)
        }
        return source
    }
}
#endif
