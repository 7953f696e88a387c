// SPDX-License-Identifier: Apache-2.0

import SystemSupport

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
    package func run(within patience: Duration) async -> [Answer] {
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
        case .unreachable: .unreachable
        default: .silent
        }
    }
}

/// The name servers that the C library queries, and how they react to a query.
package struct NameServers: Sendable {
    /// A server, and how it reacted; nil until it does.
    package private(set) var reactions: [(server: NetworkAddress, answer: NameServerProbe.Answer?)] = []
    /// False if the C library queries them by default.
    let areConfigured: Bool

    package init(_ servers: [NetworkAddress] = [], areConfigured: Bool = true) {
        reactions = servers.map { ($0, nil) }
        self.areConfigured = areConfigured
    }

    mutating func react(_ index: Int, _ answer: NameServerProbe.Answer) {
        if reactions.indices.contains(index) { reactions[index].answer = answer }
    }
}

/// Why no name server of this machine resolves names.
package struct NameServerFault: Hashable, Sendable {
    /// The problem that all of the servers have.
    package enum Kind: Hashable, Sendable {
        /// Nothing listens on port 53 of any server.
        case refused
        /// None of them can be reached.
        case unreachable
        /// None of them answers.
        case silent
        /// At least one of them answers with an error.
        case failing
        /// At least one of them answers, but the C library had given up before.
        case late
        /// At least one of them answers in time, but the C library has no answer nevertheless.
        case answering
        /// None is configured, and the C library's default, this machine itself, does not answer.
        case unconfigured
    }

    let kind: Kind
    let servers: [NetworkAddress]

    package init(_ kind: Kind, _ servers: [NetworkAddress]) {
        self.kind = kind
        self.servers = servers
    }

    /// The fault that the servers' reactions show after the C library has failed; nil without servers.
    init?(_ found: NameServers) {
        func servers(_ outcome: NameServerProbe.Outcome) -> [NetworkAddress] {
            found.reactions.filter { $0.answer?.outcome == outcome }.map(\.server)
        }
        let all = found.reactions.map(\.server)
        guard !all.isEmpty else { return nil }
        if !servers(.fails).isEmpty {
            self.init(.failing, servers(.fails))
        } else if !servers(.answers).isEmpty {
            let fastest = found.reactions.compactMap(\.answer).filter { $0.outcome == .answers }.map(\.duration).min()
            self.init((fastest ?? .zero) >= Self.shortestTimeout ? .late : .answering, servers(.answers))
        } else if !found.areConfigured {
            self.init(.unconfigured, all)
        } else if servers(.refuses) == all {
            self.init(.refused, all)
        } else if servers(.unreachable) == all {
            self.init(.unreachable, all)
        } else {
            self.init(.silent, all)
        }
    }

    /// The shortest time for which the C library can be made to wait for a server: `options timeout:1` (resolv.conf(5)).
    private static let shortestTimeout = Duration.seconds(1)

    /// The fault as text, without a full stop: "DNS servers refuse queries (192.0.2.1)".
    package var words: String {
        let what =
            switch kind {
            case .refused: "DNS servers refuse queries"
            case .unreachable: "DNS servers cannot be reached"
            case .silent: "DNS servers do not answer"
            case .failing: "DNS servers answer with an error"
            case .late: "DNS servers answer too late"
            case .answering: "Names are not resolved, although DNS servers answer"
            case .unconfigured: "No DNS server is configured"
            }
        return servers.isEmpty || kind == .unconfigured
            ? what : "\(what) (\(servers.map(\.scopedText).joined(separator: ", ")))"
    }

    /// The fault as an error of name resolution.
    var error: ProbeError {
        let code: ProbeError.Code =
            switch kind {
            case .refused, .unconfigured: .nameServerRefused
            case .unreachable: .nameServerUnreachable
            case .silent, .late: .nameServerSilent
            case .failing, .answering: .nameServerFailure
            }
        return .resolving(code, words)
    }
}

extension ProbeError {
    /// What is wrong with the name servers, as a sentence; nil for another error, and if it is not known.
    package var nameServerSentence: String? {
        guard step == .resolve, !message.isEmpty else { return nil }
        switch code {
        case .nameServerRefused, .nameServerUnreachable, .nameServerSilent: return message + "."
        // Otherwise the text may be the C library's, which does not list the servers.
        default: return message.hasSuffix(")") ? message + "." : nil
        }
    }
}

/// A DNS query for IPv4 addresses, as bytes (RFC 1035, section 4).
package struct NameQuery: Sendable {
    /// The bytes to send.
    package let message: [UInt8]

    /// Creates a query; nil for an invalid name.
    ///
    /// - Parameters:
    ///   - name: ASCII, its labels at most 63 bytes long, with or without a dot at the end; empty for the root.
    ///   - identifier: the number that the reply repeats.
    package init?(_ name: String, identifier: UInt16 = .random(in: .min ... .max)) {
        let name = name.hasSuffix(".") && name.utf8.count > 1 ? name.dropLast() : name[...]
        let labels = name.isEmpty ? [] : name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return nil }
        // A query with recursion desired, and one question.
        var message: [UInt8] = [UInt8(identifier >> 8), UInt8(identifier & 0xff), 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in labels { message += [UInt8(label.utf8.count)] + Array(label.utf8) }
        // The root, type A, class IN.
        message += [0, 0, 1, 0, 1]
        self.message = message
    }

    /// The code of a reply to this query (RFC 1035, section 4.1.1); nil for any other message.
    package func responseCode(in reply: ArraySlice<UInt8>) -> UInt8? {
        let bytes = Array(reply)
        let isReply = bytes.count >= 12 && Array(bytes[..<2]) == Array(message[..<2]) && bytes[2] & 0x80 != 0
        guard isReply else { return nil }
        // A server that does not understand the query may omit the question; a different question belongs to another
        // query.
        let question = Array(message[12...])
        let repeatsQuestion = bytes[4] == 0 && bytes[5] == 1
        if repeatsQuestion {
            let repeated = bytes[12...].prefix(question.count)
            guard Self.lowercased(repeated) == Self.lowercased(question[...]) else { return nil }
        }
        return bytes[3] & 0x0f
    }

    /// Whether a message replies to this query that there is no such name, or no such address.
    package func isNegativeReply(_ reply: ArraySlice<UInt8>) -> Bool {
        guard let code = responseCode(in: reply), [0, 3].contains(code) else { return false }
        // The number of answers.
        return reply.dropFirst(6).prefix(2).allSatisfy { $0 == 0 }
    }

    /// Names are compared case-insensitively; the bytes of label lengths are smaller than letters.
    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}
