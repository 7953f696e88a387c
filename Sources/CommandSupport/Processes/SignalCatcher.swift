// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC
import SystemSupport

#if os(Linux)

/// Catches signals from its creation on, and reports the sender of each.
///
/// Dispatch's own sources do not report the sender, and start a little after their creation, so earlier signals are
/// lost.
///
/// A signal handler may call few functions, so it writes one byte to a pipe: the number, and a bit for the kernel.
/// There is one for each process.
package struct SignalCatcher: Sendable {
    /// The end of the pipe that the handler writes to; -1 before it exists.
    private static let writingEnd = Atomic<Int32>(-1)
    /// The ends to write to stay open for good, because a handler may be writing to one on another thread.
    private static let writingEnds = Mutex<[Descriptor]>([])
    private static let ofKernel: UInt8 = 0x80
    private static let keys = Atomic<Int>(0)
    /// The number of signals that the kernel itself has sent, as it does for the keys of a terminal.
    ///
    /// Unlike the calls, the number is never behind the signals.
    package static var keyCount: Int { keys.load(ordering: .sequentiallyConsistent) }

    /// Makes the pending calls for all caught signals; must not be called from such a call.
    package let deliverPending: @Sendable () -> Void
    /// Ends the calls; the signals stay caught.
    package let cancel: @Sendable () -> Void

    /// Catches these signals from now on; nil if no descriptor is available.
    ///
    /// - Parameter body: gets each signal, and whether the kernel sent it, as it does for the keys of a terminal.
    package init?(_ numbers: [Int32], _ body: @escaping @Sendable (_ number: Int32, _ isOfKernel: Bool) -> Void) {
        // A full pipe does not block the handler, and an empty pipe does not block the reader.
        guard let (readingEnd, newWritingEnd) = try? Descriptor.pipe() else { return nil }
        Self.writingEnds.withLock { $0.append(newWritingEnd) }
        // A static property is initialized when it is first used, which a signal handler must not do.
        _ = (Self.ofKernel, Self.keyCount)
        Self.writingEnd.store(newWritingEnd.number, ordering: .sequentiallyConsistent)
        let readAll: @Sendable () -> Void = {
            var byte: [UInt8] = [0]
            while (try? SystemCall.read(readingEnd.number, into: &byte)) == 1 {
                body(Int32(byte[0] & ~Self.ofKernel), byte[0] & Self.ofKernel != 0)
            }
        }
        let queue = DispatchQueue(label: "dialtone.signals")
        // Sources may be used on any thread, but their type is not marked Sendable.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: readingEnd.number, queue: queue)
        unsafe source.setEventHandler { readAll() }
        // The descriptor stays open until the source has released it.
        unsafe source.setCancelHandler { withExtendedLifetime(readingEnd) {} }
        unsafe source.activate()
        deliverPending = { queue.sync(execute: readAll) }
        cancel = { unsafe source.cancel() }
        for number in numbers {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
                let before = errno
                // SI_KERNEL of sigaction(2): the terminal's keys, not kill(2).
                let isOfKernel = unsafe information?.pointee.si_code == 0x80
                if isOfKernel { SignalCatcher.keys.add(1, ordering: .sequentiallyConsistent) }
                var byte = UInt8(truncatingIfNeeded: number) | (isOfKernel ? SignalCatcher.ofKernel : 0)
                _ = unsafe write(SignalCatcher.writingEnd.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
            unsafe sigaction(number, &action, nil)
        }
    }
}
#else
/// Catches signals, and reports which probably come from a terminal's keys.
package struct SignalCatcher: Sendable {
    /// Unknown on this platform.
    package static var keyCount: Int { 0 }
    /// Does nothing: Dispatch makes the calls later.
    package let deliverPending: @Sendable () -> Void = {}
    /// Ends the calls; the signals stay caught.
    package let cancel: @Sendable () -> Void

    /// Catches these signals.
    ///
    /// - Parameter body: gets each signal, and whether the keys of a terminal may have sent it: this platform does not
    ///   report the sender, but in the foreground it was probably the keys.
    package init?(_ numbers: [Int32], _ body: @escaping @Sendable (_ number: Int32, _ isOfKernel: Bool) -> Void) {
        // Sources may be used on any thread, but their type is not marked Sendable.
        nonisolated(unsafe) let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { body(number, Self.isInForeground) }
            source.activate()
            return source
        }
        cancel = { for source in unsafe sources { source.cancel() } }
    }

    /// Whether this process is in the foreground of a terminal, whose keys then also reach its children.
    private static var isInForeground: Bool {
        guard let terminal = try? Descriptor(opening: "/dev/tty", O_RDONLY | O_NOCTTY) else { return false }
        return tcgetpgrp(terminal.number) == getpgrp()
    }
}
#endif
