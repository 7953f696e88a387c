// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Runs slow work, such as matching a pattern against untrusted text, outside the concurrency runtime.
package enum Background {
    private static let queue = DispatchQueue(label: "dialtone.background", attributes: .concurrent)

    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
