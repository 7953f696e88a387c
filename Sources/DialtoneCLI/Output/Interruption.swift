//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Ctrl-C, and a polite request to end, as events instead of sudden death.
final class Interruption {
    private let sources: [any DispatchSourceProtocol]

    /// Calls back at SIGINT, SIGTERM and SIGHUP for as long as this object lives.
    init(_ body: @escaping @Sendable () -> Void) {
        let numbers = [SIGINT, SIGTERM, SIGHUP]
        #if os(Linux)
        // From this moment on: a source of Dispatch's own begins a little later, and what comes before is lost.
        sources = SignalCatcher.start(numbers) { _, _ in body() }.map { [$0] } ?? []
        #else
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: body)
            source.activate()
            return source
        }
        #endif
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
