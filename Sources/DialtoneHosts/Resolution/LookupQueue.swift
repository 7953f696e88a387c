//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which lookups run, which wait, and who waits for them; it does nothing itself.
struct LookupQueue: Sendable {
    struct Question: Hashable, Sendable {
        let host: String
        let family: NetworkAddress.Family
        /// Whether a name with fewer dots than `ndots` is left to the search domains.
        var obeysNDots = false
    }

    typealias Answer = Result<[NetworkAddress], ProbeError>
    typealias Waiter = CheckedContinuation<Answer, Never>

    /// An action for the owner, outside the lock.
    enum Action {
        case none
        /// Start the job on a thread.
        case start(job: Int, Question)
        /// Resume at once: it was given up before it began.
        case answer([Waiter], Answer)
    }

    private struct Job {
        let question: Question
        var started: ContinuousClock.Instant?
        var waiters: [Int: Waiter] = [:]
    }

    /// The limit of concurrent calls that may still be answered.
    let limit: Int
    /// How many run at the same time, those included that are stuck with the name servers of another network.
    let hardLimit: Int

    /// A call that has been under way for longer is taken for stuck: it no longer keeps others from running.
    private static let patience = Duration.seconds(5)

    private var last = 0
    private var jobs: [Int: Job] = [:]
    private var waiting: [Int] = []
    private var abandoned: Set<Int> = []
    private(set) var running = 0

    init(limit: Int, hardLimit: Int) {
        self.limit = limit
        self.hardLimit = hardLimit
    }

    /// An identity for a question, so that it can be given up at any time.
    mutating func makeTicket() -> Int {
        last += 1
        return last
    }

    mutating func ask(
        _ question: Question, _ ticket: Int, _ waiter: Waiter, at now: ContinuousClock.Instant = .now
    ) -> Action {
        if abandoned.remove(ticket) != nil { return .answer([waiter], .failure(.resolving(.cancelled))) }
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

    /// Takes a job off the list and gives those who waited for it.
    mutating func finish(_ job: Int) -> [Waiter] {
        running -= 1
        return jobs.removeValue(forKey: job).map { Array($0.waiters.values) } ?? []
    }

    /// The job that has waited longest, if there is room; there may be room for another one after it.
    mutating func next(at now: ContinuousClock.Instant = .now) -> Action {
        guard !waiting.isEmpty, running < hardLimit, hopeful(at: now) < limit else { return .none }
        return start(waiting.removeFirst(), at: now)
    }

    /// The number of running calls that are not considered stuck.
    private func hopeful(at now: ContinuousClock.Instant) -> Int {
        jobs.values.count { $0.started.map { $0.duration(to: now) < Self.patience } ?? false }
    }

    /// Stops waiting: gives the waiter, unless it has been answered already.
    mutating func giveUp(_ ticket: Int) -> Waiter? {
        for (job, entry) in jobs {
            guard let waiter = entry.waiters[ticket] else { continue }
            jobs[job]?.waiters[ticket] = nil
            if entry.waiters.count == 1, entry.started == nil {
                jobs[job] = nil
                waiting.removeAll { $0 == job }
            }
            return waiter
        }
        abandoned.insert(ticket)
        return nil
    }

    /// Forgets a ticket whose question has been answered.
    mutating func forget(_ ticket: Int) { abandoned.remove(ticket) }

    private mutating func start(_ job: Int, at now: ContinuousClock.Instant) -> Action {
        guard let question = jobs[job]?.question else { return .none }
        jobs[job]?.started = now
        running += 1
        return .start(job: job, question)
    }
}
