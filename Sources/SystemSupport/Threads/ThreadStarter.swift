// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Starts dedicated threads for work that waits in the kernel, so that no thread of the concurrency runtime blocks.
///
/// It also determines the network namespace in which the work runs.
package struct ThreadStarter: Sendable {
    /// No more threads can be started.
    package struct Refused: Error {}

    /// Starts a thread that does the work, or throws.
    package typealias Start = @Sendable (_ name: String, _ work: @escaping @Sendable () -> Void) throws -> Void

    private let body: Start

    /// Creates a starter that starts threads in this way.
    package init(_ body: @escaping Start) { self.body = body }

    package func start(_ name: String, _ work: @escaping @Sendable () -> Void) throws(Refused) {
        do {
            try body(name, work)
        } catch {
            throw Refused()
        }
    }

    /// Runs work on a thread, and returns its result.
    package func run<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Value
    ) async throws(Refused) -> Value {
        let result: Result<Value, Refused> = await withCheckedContinuation { continuation in
            do throws(Refused) {
                try start(name) { continuation.resume(returning: .success(work())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    #if canImport(Darwin)
    /// Starts threads of the system.
    package static let system = ThreadStarter { name, work in
        DispatchQueue(label: name).async(execute: work)
    }
    #else
    /// Starts threads in the network namespace of the process.
    package static let system = ThreadStarter { name, work in
        try DedicatedThread.start(name: name, work)
    }
    #endif
}
