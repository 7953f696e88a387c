// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Dispatch
import Foundation
import NetworkSimulation
import SystemSupport

/// Runs tasks on one thread, and advances a clock to its next alarm whenever none of them can go on.
final class VirtualExecutor: TaskExecutor {
    private let clock: TestClock
    private let state = Mutex((jobs: [UnownedJob](), isOver: false))
    private let arrivals = DispatchSemaphore(value: 0)

    init(_ clock: TestClock) { self.clock = clock }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        arrivals.signal()
    }

    /// Runs work to its end.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = Work.$executor.withValue(self) {
            Task(executorPreference: self) {
                let value = await work()
                self.state.withLock { $0.isOver = true }
                return value
            }
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                self.drive()
                continuation.resume()
            }
        }
        return await task.value
    }

    private func drive() {
        while true {
            let (job, isOver) = state.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.isOver) }
            if let job {
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            } else if isOver {
                return
            } else if let next = clock.deadlines.first {
                clock.advance(to: next)
            } else {
                arrivals.wait()
            }
        }
    }
}
#endif
