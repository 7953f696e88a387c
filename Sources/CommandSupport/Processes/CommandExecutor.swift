// SPDX-License-Identifier: Apache-2.0

/// Starts a task of a command; on Linux, a command's tasks run one after another, on `CommandExecutor`.
@discardableResult
package func startCommandTask<Success: Sendable>(
    _ operation: sending @escaping () async throws -> Success
) -> Task<Success, any Error> {
    #if canImport(Darwin)
    Task { try await operation() }
    #else
    // The main thread's own priority is high, and all tasks would inherit it: libdispatch then asks for a negative nice value for
    // each of its threads, and writes to the log of the system when that is refused, as it is to all users except root.
    Task(executorPreference: CommandExecutor.shared, priority: .medium) { try await operation() }
    #endif
}

#if !canImport(Darwin)

import Dispatch

/// Runs the tasks of a command, one after another.
///
/// libdispatch checks Swift's own thread pool every second, from its first use to the end of the process. A command
/// that waits for days must not wake up for that.
private final class CommandExecutor: TaskExecutor {
    static let shared = CommandExecutor()

    private let queue = DispatchQueue(label: "dialtone.command")

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

#endif
