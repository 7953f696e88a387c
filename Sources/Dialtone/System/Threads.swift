//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Synchronization

#if !canImport(Darwin)
package import Netlink
#endif

/// Starts threads of one's own for work that waits in the kernel, so that no thread of the concurrency runtime has to.
///
/// It also says in which network namespace the work is done.
package struct ThreadStarter: Sendable {
    /// There can be no more threads.
    package struct Refused: Error {}

    /// Starts a thread that does the work, or throws.
    package typealias Start = @Sendable (_ name: String, _ work: @escaping @Sendable () -> Void) throws -> Void
    /// Does work that takes no time, on the calling thread or not, and returns when it is done.
    package typealias RunInPlace = @Sendable (_ work: @escaping @Sendable () -> Void) throws -> Void

    private let body: Start
    private let runInPlace: RunInPlace

    /// Makes a starter.
    ///
    /// - Parameters:
    ///   - runInPlace: does work where the threads do theirs; on the calling thread unless given.
    ///   - body: starts a thread.
    package init(inPlace runInPlace: @escaping RunInPlace = { $0() }, _ body: @escaping Start) {
        self.body = body
        self.runInPlace = runInPlace
    }

    package func start(_ name: String, _ work: @escaping @Sendable () -> Void) throws(Refused) {
        do {
            try body(name, work)
        } catch {
            throw Refused()
        }
    }

    /// Makes something, such as a socket, in the network namespace of the threads.
    package func make<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(Refused) -> Value {
        let made = Made<Value>()
        do { try runInPlace { made.value.withLock { $0 = body() } } } catch { throw Refused() }
        guard let value = made.value.withLock({ $0 }) else { throw Refused() }
        return value
    }

    private final class Made<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    #if canImport(Darwin)
    /// Threads of the system.
    package static let system = ThreadStarter { name, work in
        DispatchQueue(label: name).async(execute: work)
    }
    #else
    /// Threads in the network namespace of the process.
    package static let system = ThreadStarter { name, work in
        try DedicatedThread.start(name: name, work)
    }

    /// Threads in a network namespace.
    package static func inside(_ namespace: NetworkNamespace) -> ThreadStarter {
        ThreadStarter {
            try namespace.run($0)
        } _: { name, work in
            try namespace.run { try DedicatedThread.start(name: name, work) }
        }
    }
    #endif
}
