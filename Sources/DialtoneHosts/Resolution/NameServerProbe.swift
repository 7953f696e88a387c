// SPDX-License-Identifier: Apache-2.0

/// Sends one DNS query to each of several name servers, without the system's resolver.
///
/// The system's resolver retries and hides why it failed; a connected UDP socket reports a refusal at once.
package struct NameServerProbe: Sendable {
    /// How a name server reacted to a query.
    package enum Outcome: Hashable, Sendable {
        /// It answered the query, or answered that the name does not exist.
        case answers
        /// It answered with an error such as SERVFAIL or REFUSED (RFC 1035, section 4.1.1).
        case fails
        /// Nothing listens on its port 53.
        case refuses
        /// It did not answer.
        case silent
        /// The kernel has no route to it, or its link or router does not answer.
        case unreachable
    }

    /// The reaction of one server, and the time it took.
    package struct Answer: Hashable, Sendable {
        package let outcome: Outcome
        package let duration: Duration
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
    package init(_ servers: [NetworkAddress], about name: String) {
        self.servers = servers
        query = NameQuery(name)
    }

    /// Queries all servers in parallel, on the calling thread.
    ///
    /// - Returns: the answers in the order of the servers, when all have reacted or the deadline has passed; servers that have
    ///   not reacted when the interrupt is raised count as silent.
    func run(until deadline: ContinuousClock.Instant, _ interrupt: Interrupt) -> [Answer] {
        let start = ContinuousClock.now
        var answers: [Answer?] = servers.map { _ in nil }
        var sockets: [SocketDescriptor?] = servers.map { _ in nil }
        func settle(_ index: Int, _ outcome: Outcome) {
            answers[index] = Answer(outcome: outcome, duration: .now - start)
            sockets[index] = nil
        }
        for (index, server) in servers.enumerated() {
            do throws(SocketFailure) {
                let socket = try Sockets.openSocket(server.version, .datagram)
                Self.reportErrors(of: socket, server.version)
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
                    do throws(SocketFailure) {
                        _ = try Sockets.sendBytes(socket, query.message[...])
                    } catch {
                        settle(index, Self.outcome(error))
                    }
                }
            }
            let numbers = sockets.compactMap { $0?.number }
            if numbers.isEmpty { break }
            let wait = Polling.wait(readable: numbers, until: min(deadline, nextQuery), interrupt)
            if wait.outcome == .interrupted { break }
            for (index, socket) in sockets.enumerated() {
                guard let socket, wait.ready.contains(socket.number) else { continue }
                do throws(SocketFailure) {
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
    package func run(within patience: Duration) async -> [Answer] {
        let deadline = ContinuousClock.now + patience
        guard let interrupt = try? Interrupt() else {
            return servers.map { _ in .init(outcome: .silent, duration: .zero) }
        }
        return await withTaskCancellationHandler {
            await Background.run { run(until: deadline, interrupt) }
        } onCancel: {
            interrupt.raise()
        }
    }

    /// Makes the socket also report routers' errors for the server, besides its refusal: `IP_RECVERR` (ip(7)).
    private static func reportErrors(of socket: SocketDescriptor, _ version: IPVersion) {
        #if os(Linux) || os(Android)
        let (level, option): (Int32, Int32) = version == .ipv4 ? (0, 11) : (41, 25)
        try? Sockets.setOption(socket, level, option, 1)
        #endif
    }

    private static func outcome(_ failure: SocketFailure) -> Outcome {
        switch HostError(failure).code {
        case .refused: .refuses
        case .unreachable: .unreachable
        default: .silent
        }
    }
}
