//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's own resolution of names: getaddrinfo(3), with everything that the system has configured.
///
/// The call cannot be ended, and with silent name servers it takes half a minute. It runs on threads of its own, of which
/// there are never more than a fixed number; whoever asked stops waiting when their time is over. Questions about the
/// same host that come within a second share one call.
public final class SystemResolver: NameResolver {
    /// The resolver of the process: it has one set of threads.
    public static let shared = SystemResolver()

    private let threads: ThreadStarter
    private let limit: Int
    private let queue = Mutex(LookupQueue())

    package init(threads: ThreadStarter = .system, limit: Int = 24) {
        self.threads = threads
        self.limit = limit
    }

    /// The addresses of a host, in the order of RFC 6724.
    public func addresses(
        of host: String, family: InternetCheck.Configuration.Family
    ) async throws -> [HostAddress] {
        let ticket = queue.withLock { $0.makeTicket() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let question = LookupQueue.Question(host: host, family: family)
                perform(queue.withLock { $0.ask(question, ticket, continuation, limit: limit) })
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
        var hints = addrinfo()
        hints.ai_socktype = SocketConstant.type(.stream)
        switch question.family {
        case .any: hints.ai_family = AF_UNSPEC
        case .ipv4: hints.ai_family = AF_INET
        case .ipv6: hints.ai_family = AF_INET6
        }
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(question.host, nil, &hints, &list)
        guard code == 0 else { return .failure(error(code)) }
        defer { list.map { freeaddrinfo($0) } }
        var addresses: [HostAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            if let address = entry.ai_addr.flatMap({ Sockets.host($0) }), !addresses.contains(address) {
                addresses.append(address)
            }
        }
        return addresses.isEmpty ? .failure(.resolving(.noAddress)) : .success(addresses)
    }

    private static func error(_ code: Int32) -> ProbeError {
        let words = gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        switch code {
        case Int32(EAI_NONAME): return .resolving(.hostNotFound, words)
        // EAI_NODATA, which glibc keeps for itself.
        case -5, Int32(EAI_FAMILY): return .resolving(.noAddress, words)
        case Int32(EAI_MEMORY): return .resolving(.noResources, words)
        default: return .resolving(.nameServerFailure, words)
        }
    }
}
