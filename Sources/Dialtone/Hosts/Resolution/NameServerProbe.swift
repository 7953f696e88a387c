// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Sends one DNS query to each of several name servers, without the system's resolver.
///
/// The system's resolver retries and hides why it failed; a connected UDP socket reports a refusal at once.
struct NameServerProbe: Sendable {
    /// How a name server reacted to a query.
    enum Outcome: Hashable, Sendable {
        /// It answered the query, or answered that the name does not exist.
        case answers
        /// It answered with an error such as SERVFAIL or REFUSED (RFC 1035, section 4.1.1).
        case fails
        /// Nothing listens on its port 53.
        case refuses
        /// It did not answer.
        case silent
        /// The kernel has no route to it, its link or router does not answer, or a firewall of this machine forbids it.
        case unreachable
    }

    /// The reaction of one server, and the time it took.
    struct Answer: Hashable, Sendable {
        let outcome: Outcome
        let duration: Duration
    }

    private static let port: UInt16 = 53
    /// The query is repeated at this interval: datagrams get lost, and hosts limit their refusals to one a second
    /// (icmp_ratelimit, icmp(7)) after the first few.
    private static let interval = Duration.milliseconds(250)

    let servers: [NetworkAddress]
    private let query: NameQuery?

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - servers: the servers to query.
    ///   - name: the name to query the IPv4 addresses of; the empty name is the root.
    init(_ servers: [NetworkAddress], about name: String) {
        self.servers = servers
        query = NameQuery(name)
    }

    /// Queries all servers in parallel, on the calling thread.
    ///
    /// - Returns: the answers in the order of the servers, when all have reacted or the deadline has passed; servers that have
    ///   not reacted when the interrupt is raised count as silent.
    func run(
        until deadline: ContinuousClock.Instant, _ interrupt: WakeEvent,
        onAnswer: (Int, Answer) -> Void = { _, _ in }
    ) -> [Answer] {
        let start = ContinuousClock.now
        var answers: [Answer?] = servers.map { _ in nil }
        var sockets: [Descriptor?] = servers.map { _ in nil }
        func settle(_ index: Int, _ outcome: Outcome) {
            let answer = Answer(outcome: outcome, duration: .now - start)
            answers[index] = answer
            sockets[index] = nil
            onAnswer(index, answer)
        }
        for (index, server) in servers.enumerated() {
            do throws(SystemError) {
                let socket = try Sockets.openSocket(server.version, .datagram)
                // Also for errors that routers report, besides a refusal.
                try Sockets.queueErrors(of: socket, server.version)
                // A connected socket receives this server's datagrams only, and its refusal.
                try Sockets.startConnecting(socket, to: server, port: Self.port)
                sockets[index] = socket
            } catch {
                settle(index, Self.outcome(error))
            }
        }
        var buffer = [UInt8](repeating: 0, count: 512)
        var nextQuery = start
        while let query, ContinuousClock.now < deadline, answers.contains(nil) {
            if ContinuousClock.now >= nextQuery {
                nextQuery = .now + Self.interval
                for (index, socket) in sockets.enumerated() {
                    guard let socket else { continue }
                    do throws(SystemError) {
                        _ = try Sockets.sendBytes(socket, query.message[...])
                    } catch {
                        settle(index, Self.outcome(error))
                    }
                }
            }
            let numbers = sockets.compactMap { $0?.number }
            if numbers.isEmpty { break }
            let wait = PollSet.wait(readable: numbers, until: min(deadline, nextQuery), interrupt)
            if wait.outcome == .interrupted { break }
            for (index, socket) in sockets.enumerated() {
                guard let socket, wait.ready.contains(socket.number) else { continue }
                do throws(SystemError) {
                    guard let count = try Sockets.receiveBytes(socket, into: &buffer) else { continue }
                    // Success and "no such name" are answers; everything else is a failure.
                    if let code = query.responseCode(in: buffer[..<count]) {
                        settle(index, [0, 3].contains(code) ? .answers : .fails)
                    }
                } catch {
                    settle(index, Self.outcome(error))
                }
            }
        }
        return answers.map { $0 ?? Answer(outcome: .silent, duration: .now - start) }
    }

    /// Queries all servers in parallel, on a dedicated thread; returns at once if the task is cancelled.
    func run(within patience: Duration) async -> [Answer] {
        let deadline = ContinuousClock.now + patience
        guard let interrupt = try? WakeEvent() else {
            return servers.map { _ in .init(outcome: .silent, duration: .zero) }
        }
        return await withTaskCancellationHandler {
            await Background.run { run(until: deadline, interrupt) }
        } onCancel: {
            interrupt.signal()
        }
    }

    private static func outcome(_ failure: SystemError) -> Outcome {
        switch HostError(failure).code {
        case .refused: .refuses
        case .unreachable, .denied: .unreachable
        default: .silent
        }
    }
}

/// The name servers that the C library queries, and how they react to a query.
struct NameServers: Sendable {
    /// A server, and how it reacted; nil until it does.
    private(set) var reactions: [(server: NetworkAddress, answer: NameServerProbe.Answer?)] = []
    /// False if the C library queries them by default.
    let areConfigured: Bool

    init(_ servers: [NetworkAddress] = [], areConfigured: Bool = true) {
        reactions = servers.map { ($0, nil) }
        self.areConfigured = areConfigured
    }

    mutating func react(_ index: Int, _ answer: NameServerProbe.Answer) {
        if reactions.indices.contains(index) { reactions[index].answer = answer }
    }
}
