// SPDX-License-Identifier: Apache-2.0

/// Decides which lookups run and which wait, and records their callers; its owner runs them.
struct LookupQueue: Sendable {
    struct Question: Hashable, Sendable {
        let host: String
        var family: NetworkAddress.Family
        /// Whether search domains apply to a name with fewer dots than `ndots`.
        var obeysNDots = false
    }

    typealias Answer = Result<[NetworkAddress], ProbeError>
    typealias Waiter = AsyncStream<Answer>.Continuation

    /// An action for the owner, outside the lock.
    enum Action {
        case none
        /// Start the job on a thread.
        case start(job: Int, Question)
        /// Ask for the next action at this time, when a running call counts as stuck and makes room.
        case retry(at: ContinuousClock.Instant)
    }

    private struct Job {
        let question: Question
        var started: ContinuousClock.Instant?
        var waiters: [Int: Waiter] = [:]
    }

    /// The limit of concurrent calls that are not considered stuck.
    let limit: Int
    /// The limit of concurrent calls, including those stuck with the name servers of another network.
    let hardLimit: Int

    /// A call that has been under way for longer is considered stuck, and no longer counts against the limit.
    private static let patience = Duration.seconds(5)

    private var last = 0
    private var jobs: [Int: Job] = [:]
    private var waiting: [Int] = []
    private(set) var running = 0

    init(limit: Int, hardLimit: Int) {
        self.limit = limit
        self.hardLimit = hardLimit
    }

    /// Creates an identity for a caller, so that it can stop waiting at any time.
    mutating func makeTicket() -> Int {
        last += 1
        return last
    }

    mutating func ask(
        _ question: Question, _ ticket: Int, _ waiter: Waiter, at now: ContinuousClock.Instant = .now
    ) -> Action {
        // A call that has been under way for longer may be stuck with the name servers of another network.
        let shared = jobs.first { _, job in
            job.question == question && (job.started.map { $0.duration(to: now) < .seconds(1) } ?? true)
        }
        if let job = shared?.key {
            jobs[job]?.waiters[ticket] = waiter
            return .none
        }
        let job = ticket
        jobs[job] = Job(question: question, waiters: [ticket: waiter])
        waiting.append(job)
        return next(at: now)
    }

    /// Removes a job, and returns the callers that waited for it.
    mutating func finish(_ job: Int) -> [Waiter] {
        running -= 1
        return jobs.removeValue(forKey: job).map { Array($0.waiters.values) } ?? []
    }

    /// The job that has waited longest, if the limits allow it to start; they may allow another one after it.
    mutating func next(at now: ContinuousClock.Instant = .now) -> Action {
        // At the hard limit only the end of a call makes room.
        guard !waiting.isEmpty, running < hardLimit else { return .none }
        let hopeful = jobs.values.compactMap(\.started).filter { $0.duration(to: now) < Self.patience }
        guard hopeful.count < limit else {
            return hopeful.min().map { .retry(at: $0 + Self.patience) } ?? .none
        }
        return start(waiting.removeFirst(), at: now)
    }

    /// Removes a caller that has been answered or no longer waits.
    mutating func giveUp(_ ticket: Int) {
        for (job, entry) in jobs where entry.waiters[ticket] != nil {
            jobs[job]?.waiters[ticket] = nil
            if entry.waiters.count == 1, entry.started == nil {
                jobs[job] = nil
                waiting.removeAll { $0 == job }
            }
        }
    }

    private mutating func start(_ job: Int, at now: ContinuousClock.Instant) -> Action {
        guard let question = jobs[job]?.question else { return .none }
        jobs[job]?.started = now
        running += 1
        return .start(job: job, question)
    }
}
