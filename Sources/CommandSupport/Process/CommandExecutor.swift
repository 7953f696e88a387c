// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs the tasks of a command, one after another.
///
/// libdispatch checks Swift's own thread pool every second, from its first use to the end of the process. A command
/// that waits for days must not wake up for that.
package final class CommandExecutor: TaskExecutor {
    package static let shared = CommandExecutor()

    private let queue = DispatchQueue(label: "dialtone.command")

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
