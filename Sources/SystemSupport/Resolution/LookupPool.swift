// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A bounded number of threads for lookups without cancellation, such as getaddrinfo(3) with silent name servers.
package final class LookupPool<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    package typealias Completion = LookupQueue<Question, Answer>.Completion
    /// Starts a thread for the work, or calls `refused`, then or later.
    package typealias Start =
        @Sendable (_ work: @escaping @Sendable () -> Void, _ refused: @escaping @Sendable () -> Void) -> Void

    private let queue: Mutex<LookupQueue<Question, Answer>>
    private let lookUp: @Sendable (Question) -> Answer
    private let withoutThread: Answer
    private let start: Start
    private let time: TimeSource
    /// When the queue is looked at again; nil if no task sleeps until then.
    private let retry = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameters:
    ///   - queue: an empty queue with the limits.
    ///   - withoutThread: the answer if no thread can be started.
    ///   - lookUp: called on a thread that may block.
    package init(
        _ queue: LookupQueue<Question, Answer>, withoutThread: Answer, time: TimeSource = .system,
        start: @escaping Start,
        lookUp: @escaping @Sendable (Question) -> Answer
    ) {
        self.queue = Mutex(queue)
        self.withoutThread = withoutThread
        self.time = time
        self.start = start
        self.lookUp = lookUp
    }

    package var running: Int { queue.withLock { $0.running } }

    /// Looks up a name.
    ///
    /// - Parameter completion: called at most once, on another thread; a call under way may still end after `cancel` or `cancelWaiting`.
    /// - Returns: the caller's identity, for `cancel`.
    @discardableResult
    package func resolve(_ question: Question, _ completion: @escaping Completion) -> Int {
        let (ticket, action) = queue.withLock { queue in
            let ticket = queue.makeTicket()
            return (ticket, queue.ask(question, ticket, at: time.now, completion))
        }
        perform(action)
        return ticket
    }

    /// Stops waiting for an answer.
    package func cancel(_ ticket: Int) { queue.withLock { $0.giveUp(ticket) } }

    /// Cancels the lookups that have not started.
    package func cancelWaiting() { queue.withLock { $0.removeWaiting() } }

    /// Stops counting the calls under way, because the network has changed.
    package func networkChanged() {
        perform(
            queue.withLock { queue in
                queue.networkChanged()
                return queue.next(at: time.now)
            })
    }

    private func perform(_ action: LookupQueue<Question, Answer>.Action) {
        switch action {
        case .none: break
        case .retry(let time):
            // One task for all calls: the time of the first retry is never later than that of the next.
            let isNew = retry.withLock { retry in
                if let retry, retry <= time { return false }
                retry = time
                return true
            }
            guard isNew else { return }
            Task {
                try await self.time.sleep(until: time)
                retry.withLock { if $0 == time { $0 = nil } }
                perform(nextAction())
            }
        case .start(let job, let question):
            start {
                self.work(job, question)
            } _: {
                // Not within the call of `start`, which would be one in another for each lookup that waits.
                DispatchQueue.global().async { self.perform(self.finish(job, self.withoutThread)) }
            }
            // Calls may have become stuck since, which makes room for more than one.
            perform(nextAction())
        }
    }

    private func nextAction() -> LookupQueue<Question, Answer>.Action { queue.withLock { $0.next(at: time.now) } }

    /// Runs on a thread of the pool while there are lookups for it.
    private func work(_ job: Int, _ question: Question) {
        var action = finish(job, lookUp(question))
        while case .start(let job, let question) = action {
            perform(nextAction())
            action = finish(job, lookUp(question))
        }
        perform(action)
    }

    private func finish(_ job: Int, _ answer: Answer) -> LookupQueue<Question, Answer>.Action {
        let (completions, next) = queue.withLock { ($0.finish(job), $0.next(at: time.now)) }
        for completion in completions { completion(answer) }
        return next
    }
}
