//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Signals as events on a queue, none of them lost from the moment on that this object is made.
///
/// A source of Dispatch takes hold of its signal only some time after its activation. Here the handler is in place at once
/// and writes to a pipe, as little as a handler may do. There is one such object at a time in a process.
final class SignalPipe {
    private let reading: Int32
    private let writing: Int32
    private let source: any DispatchSourceRead
    private let numbers: [Int32]

    /// Calls back at each of the signals, in their order, for as long as this object lives; nil when no pipe is to be had.
    init?(_ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (reading, writing) = (ends[0], ends[1])
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: DispatchQueue(label: "dialtone.signals"))
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(reading, &bytes, bytes.count)
            for byte in bytes.prefix(max(0, count)) { body(Int32(byte)) }
        }
        source.setCancelHandler { close(reading) }
        source.activate()
        (self.reading, self.writing, self.numbers) = (reading, writing, numbers)
        pipeOfHandler.store(writing, ordering: .sequentiallyConsistent)
        for number in numbers { signal(number, noteSignal) }
    }

    deinit {
        for number in numbers { signal(number, SIG_DFL) }
        pipeOfHandler.store(-1, ordering: .sequentiallyConsistent)
        close(writing)
        source.cancel()
    }
}

/// Where the handler writes; it may read nothing else.
private let pipeOfHandler = Atomic<Int32>(-1)

/// The handler: write(2) is all that it calls (signal-safety(7)).
private func noteSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(pipeOfHandler.load(ordering: .relaxed), &byte, 1)
    errno = before
}
