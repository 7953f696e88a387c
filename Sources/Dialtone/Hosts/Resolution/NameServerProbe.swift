// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Sends one DNS query to each of several name servers, without the system's resolver.
///
/// The system's resolver retries and hides why it failed; a connected UDP socket reports a refusal at once.
struct NameServerProbe: Sendable {
    typealias Outcome = InternetCheck.NameServerAnswer.Outcome

    /// The reaction of one server, and the time it took.
    struct Answer: Hashable, Sendable {
        let outcome: Outcome
        let duration: Duration
    }

    private static let port: UInt16 = 53
    /// The number of queries to a silent server in the time that a check gives it.
    static let queries = Int(KernelSockets.neighborPatience / Machine.interval)

    let servers: [NetworkAddress]
    private let query: NameQuery?

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - servers: the servers to query.
    ///   - name: the name to query the addresses of; the empty name is the root, and so is an invalid one.
    ///   - version: the IP version of the addresses.
    init(_ servers: [NetworkAddress], about name: String, for version: IPVersion = .ipv4) {
        self.servers = servers
        query = NameQuery(name, for: version) ?? NameQuery("", for: version)
    }

    /// Queries all servers in parallel, on the calling thread.
    ///
    /// - Returns: the answers in the order of the servers, when all have reacted or the time limit has passed; servers that have
    ///   not reacted when the work must end count as silent.
    func run(
        within limit: Duration, _ network: any NetworkSockets, onAnswer: (Int, Answer) -> Void = { _, _ in }
    ) -> [Answer] {
        let time = network.time
        let start = time.now
        var machine = Machine(servers: servers.count, within: limit)
        var sockets: [(any NetworkSocket)?] = servers.map { _ in nil }
        func handle(_ event: Machine.Event, of index: Int) {
            guard let answer = machine.handle(event, of: index, at: time.now - start) else { return }
            sockets[index] = nil
            onAnswer(index, answer)
        }
        for (index, server) in servers.enumerated() {
            do throws(SystemError) {
                let socket = try network.open(server.version, .datagram)
                // Also for errors that routers report, besides a refusal.
                try socket.set(.queuesErrors(server.version))
                // A connected socket receives this server's datagrams only, and its refusal.
                try socket.startConnecting(to: server, port: Self.port)
                sockets[index] = socket
            } catch {
                handle(.failure(error), of: index)
            }
        }
        var buffer = [UInt8](repeating: 0, count: 512)
        while let query {
            let now = time.now
            for index in machine.dueQueries(at: now - start) {
                guard let socket = sockets[index] else { continue }
                do throws(SystemError) {
                    _ = try socket.send(query.message[...])
                } catch {
                    handle(.failure(error), of: index)
                }
            }
            guard let wakeTime = machine.wakeTime else { break }
            let wait = network.wait(readable: sockets.compactMap(\.self), writable: [], until: start + wakeTime)
            if wait.outcome == .interrupted { break }
            for (index, socket) in sockets.enumerated() {
                guard let socket, wait.ready.contains(socket.number) else { continue }
                do throws(SystemError) {
                    guard let count = try socket.receive(into: &buffer) else { continue }
                    if let code = query.responseCode(in: buffer[..<count]) { handle(.reply(code), of: index) }
                } catch {
                    handle(.failure(error), of: index)
                }
            }
            // An answer that arrived before the end counts, even if the thread runs late.
            if now - start >= limit { break }
        }
        return machine.answers(at: time.now - start)
    }

    /// Queries all servers in parallel; returns soon after the task is cancelled.
    func run(within limit: Duration, over runner: any SocketRunner) async -> [Answer] {
        await runner.run("dialtone.dns") { run(within: limit, $0) }
            ?? servers.map { _ in .init(outcome: .silent, duration: .zero) }
    }
}

extension NameServerProbe {
    /// When the servers are queried, and what their reactions show: a value on the caller's clock, which starts at zero.
    struct Machine: Sendable {
        /// The event on a server's socket.
        enum Event: Hashable, Sendable {
            /// A reply to the query, with this code (RFC 1035, section 4.1.1).
            case reply(UInt8)
            /// An error of this machine, or one that the server or a router reported.
            case failure(SystemError)
        }

        /// The query is repeated at this interval: datagrams get lost, and hosts limit their refusals to one a second
        /// (icmp_ratelimit, icmp(7)) after the first few.
        fileprivate static let interval = Duration.milliseconds(250)

        private let limit: Duration
        private var answers: [Answer?]
        private var nextQuery = Duration.zero

        init(servers count: Int, within limit: Duration) {
            self.limit = limit
            answers = Array(repeating: nil, count: count)
        }

        /// When the next queries are due, or the time limit has passed; nil once all servers have reacted.
        var wakeTime: Duration? { answers.contains(nil) ? min(limit, nextQuery) : nil }

        /// The servers that must be queried now, which are those that have not reacted.
        mutating func dueQueries(at now: Duration) -> [Int] {
            guard now >= nextQuery, now < limit else { return [] }
            nextQuery = now + Self.interval
            return answers.indices.filter { answers[$0] == nil }
        }

        /// Handles an event, and returns the server's answer if the event is its first reaction.
        mutating func handle(_ event: Event, of index: Int, at now: Duration) -> Answer? {
            guard answers[index] == nil else { return nil }
            let outcome: Outcome =
                switch event {
                // Success and "no such name" are answers; everything else is a failure.
                case .reply(let code): [0, 3].contains(code) ? .answers : .fails
                case .failure(let error):
                    switch HostError(connecting: error).code {
                    case .refused: .refuses
                    case .unreachable, .denied: .unreachable
                    default: .silent
                    }
                }
            answers[index] = Answer(outcome: outcome, duration: now)
            return answers[index]
        }

        /// The answers in the order of the servers; those that have not reacted by now are silent.
        func answers(at now: Duration) -> [Answer] { answers.map { $0 ?? Answer(outcome: .silent, duration: now) } }
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
