//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import SystemResolution

/// The system's own resolution of names: getaddrinfo(3), with everything that the system has configured.
///
/// The call cannot be ended, and with silent name servers it takes half a minute. It runs on threads of its own, of which
/// there are never more than a fixed number; calls that are stuck do not keep all of them from a new network's questions.
/// Whoever asked stops waiting when their time is over. Questions about the same host that come within a second share one
/// call.
public final class SystemResolver: NameResolver {
    /// The resolver of the process: it has one set of threads.
    public static let shared = SystemResolver()

    private let threads: ThreadStarter
    private let queue: Mutex<LookupQueue>

    package init(threads: ThreadStarter = .system, limit: Int = 24, hardLimit: Int = 64) {
        self.threads = threads
        queue = Mutex(LookupQueue(limit: limit, hardLimit: hardLimit))
    }

    /// The addresses of a host, in the order of RFC 6724.
    public func addresses(
        of host: String, family: InternetCheck.Configuration.Family
    ) async throws -> [HostAddress] {
        let ticket = queue.withLock { $0.makeTicket() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let question = LookupQueue.Question(host: host, family: family)
                perform(queue.withLock { $0.ask(question, ticket, continuation) })
            }
        } onCancel: {
            queue.withLock { $0.giveUp(ticket) }?.resume(returning: .failure(.resolving(.cancelled)))
        }
        queue.withLock { $0.forget(ticket) }
        return try answer.get()
    }

    /// How many calls are under way.
    package var running: Int { queue.withLock { $0.running } }

    private func perform(_ action: LookupQueue.Action) {
        switch action {
        case .none: break
        case .answer(let waiters, let answer): for waiter in waiters { waiter.resume(returning: answer) }
        case .start(let job, let question):
            do {
                try threads.start("dialtone.lookup") { self.work(job, question) }
            } catch {
                finish(job, .failure(.resolving(.noResources, "no thread left")))
            }
            // Calls may have become stuck since, which makes room for more than one.
            perform(queue.withLock { $0.next() })
        }
    }

    private func work(_ job: Int, _ question: LookupQueue.Question) {
        finish(job, Self.look(question))
    }

    private func finish(_ job: Int, _ answer: LookupQueue.Answer) {
        let (waiters, next) = queue.withLock { ($0.finish(job), $0.next()) }
        for waiter in waiters { waiter.resume(returning: answer) }
        perform(next)
    }

    /// Asks the system, which takes as long as it takes.
    private static func look(_ question: LookupQueue.Question) -> LookupQueue.Answer {
        SystemResolution.addresses(of: question.host, family: .init(question.family))
            .map { $0.compactMap { HostAddress($0) } }
            .mapError { ProbeError($0) }
    }
}

extension SystemResolution.Family {
    fileprivate init(_ family: InternetCheck.Configuration.Family) {
        switch family {
        case .any: self = .any
        case .ipv4: self = .ipv4
        case .ipv6: self = .ipv6
        }
    }
}

extension ProbeError {
    fileprivate init(_ failure: SystemResolution.Failure) {
        let code: Code =
            switch failure.reason {
            case .noSuchName: .hostNotFound
            case .noAddress: .noAddress
            case .noMemory: .noResources
            case .refused, .noAnswer: .nameServerFailure
            }
        self = .resolving(code, failure.words)
    }
}
