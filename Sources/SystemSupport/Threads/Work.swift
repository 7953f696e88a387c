// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Starts work that does not end with its caller.
package enum Work {
    #if !canImport(Darwin)
    /// The executor of a scripted network, which runs all work on one thread; nil is the concurrency runtime's pool.
    @TaskLocal package static var executor: (any TaskExecutor)?
    #endif

    /// Starts a task that the caller may abandon.
    package static func start<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        #if !canImport(Darwin)
        if let executor { return Task(executorPreference: executor) { await work() } }
        #endif
        return Task { @concurrent in await work() }
    }
}

/// Runs work that may block, without a thread of the concurrency runtime.
package enum Background {
    private static let queue = DispatchQueue(label: "dialtone.background", attributes: .concurrent)

    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        #if !canImport(Darwin)
        if Work.executor != nil { return work() }
        #endif
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
