//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

#if !canImport(Darwin)
package import Netlink
#endif

/// Starts threads of one's own for work that waits in the kernel, so that no thread of the concurrency runtime has to.
package struct ThreadStarter: Sendable {
    /// There can be no more threads.
    package struct Refused: Error {}

    private let body: @Sendable (String, @escaping @Sendable () -> Void) throws -> Void

    /// Makes a starter, which runs the work on another thread or throws.
    package init(_ body: @escaping @Sendable (_ name: String, _ work: @escaping @Sendable () -> Void) throws -> Void) {
        self.body = body
    }

    package func start(_ name: String, _ work: @escaping @Sendable () -> Void) throws(Refused) {
        do {
            try body(name, work)
        } catch {
            throw Refused()
        }
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
        ThreadStarter { name, work in
            try namespace.run { try DedicatedThread.start(name: name, work) }
        }
    }
    #endif
}
