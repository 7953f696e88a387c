// SPDX-License-Identifier: Apache-2.0

/// Decides which lookups run and which wait, and records their callers; `LookupPool` runs them.
package struct LookupQueue<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    package typealias Completion = @Sendable (Answer) -> Void

    /// An action for the owner, outside the lock.
    package enum Action: Sendable {
        case none
        /// Start the job on a thread.
        case start(job: Int, Question)
        /// Ask for the next action at this time, when a running call counts as stuck and makes room.
        case retry(at: ContinuousClock.Instant)
    }

    private struct Job {
        let question: Question
        var completions: [Int: Completion]
    }

    private let hopefulCalls: Int
    private let calls: Int
    private let patience: Duration?
    private let sharing: Duration
    private var last = 0
    private var jobs: [Int: Job] = [:]
    /// The latest job for each question.
    private var latest: [Question: Int] = [:]
    private var waiting: [Int] = []
    private var started: [Int: ContinuousClock.Instant] = [:]
    /// The running calls that started on an earlier network.
    private var disregarded: Set<Int> = []

    /// - Parameters:
    ///   - hopefulCalls: the limit of concurrent calls that are not considered stuck.
    ///   - calls: the limit of concurrent calls, including those stuck with the name servers of another network.
    ///   - patience: the duration after which a call is considered stuck, and no longer counts against the limit; nil
    ///     means that only a change of the network has this effect.
    ///   - sharing: the duration of a call for which it answers later callers too: after that it may be stuck.
    package init(hopefulCalls: Int, calls: Int, patience: Duration?, sharing: Duration) {
        self.hopefulCalls = hopefulCalls
        self.calls = calls
        self.patience = patience
        self.sharing = sharing
    }

    var running: Int { started.count }

    /// Creates an identity for a caller, so that it can stop waiting at any time.
    package mutating func makeTicket() -> Int {
        last += 1
        return last
    }

    package mutating func ask(
        _ question: Question, _ ticket: Int, at now: ContinuousClock.Instant,
        _ completion: @escaping Completion
    ) -> Action {
        if let job = latest[question], started[job].map({ $0.duration(to: now) < sharing }) ?? true {
            jobs[job]?.completions[ticket] = completion
            return .none
        }
        let job = ticket
        jobs[job] = Job(question: question, completions: [ticket: completion])
        latest[question] = job
        waiting.append(job)
        return next(at: now)
    }

    /// Removes a job, and returns the callers that waited for it.
    package mutating func finish(_ job: Int) -> [Completion] {
        started[job] = nil
        disregarded.remove(job)
        return remove(job).map { Array($0.completions.values) } ?? []
    }

    /// The job that has waited longest, if the limits allow it to start; they may allow another one after it.
    package mutating func next(at now: ContinuousClock.Instant) -> Action {
        // At the hard limit only the end of a call makes room.
        guard !waiting.isEmpty, running < calls else { return .none }
        let hopeful = started.filter { job, start in
            !disregarded.contains(job) && patience.map { start.duration(to: now) < $0 } ?? true
        }
        guard hopeful.count < hopefulCalls else {
            guard let patience, let first = hopeful.values.min() else { return .none }
            return .retry(at: first + patience)
        }
        let job = waiting.removeFirst()
        guard let question = jobs[job]?.question else { return .none }
        started[job] = now
        return .start(job: job, question)
    }

    /// Considers all running calls stuck, because they may wait for the name servers of the previous network.
    mutating func networkChanged() { disregarded = Set(started.keys) }

    /// Removes a caller that has been answered or no longer waits.
    mutating func giveUp(_ ticket: Int) {
        for (job, entry) in jobs where entry.completions[ticket] != nil {
            jobs[job]?.completions[ticket] = nil
            if entry.completions.count == 1, started[job] == nil {
                remove(job)
                waiting.removeAll { $0 == job }
            }
        }
    }

    /// Removes the jobs that have not started.
    mutating func removeWaiting() {
        for job in waiting { remove(job) }
        waiting = []
    }

    @discardableResult
    private mutating func remove(_ job: Int) -> Job? {
        guard let removed = jobs.removeValue(forKey: job) else { return nil }
        if latest[removed.question] == job { latest[removed.question] = nil }
        return removed
    }
}
