// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Dispatch
import Foundation
import NetworkSimulation
import SystemSupport

/// Runs tasks on one thread, and advances a clock to its next alarm whenever none of them can go on.
///
/// Tasks that the work has left behind go on when the clock is advanced after its end, on the thread that advances it.
final class VirtualExecutor: TaskExecutor {
    private let clock: TestClock
    private let state = Mutex((jobs: [UnownedJob](), isOver: false, hasEnded: false))
    private let arrivals = DispatchSemaphore(value: 0)

    init(_ clock: TestClock) { self.clock = clock }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.jobs.append(job) }
            return state.hasEnded
        }
        if hasEnded { return unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        arrivals.signal()
    }

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
            let (job, hasEnded) = state.withLock { state in
                let job = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
                state.hasEnded = state.isOver && job == nil
                return (job, state.hasEnded)
            }
            if let job {
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            } else if hasEnded {
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
