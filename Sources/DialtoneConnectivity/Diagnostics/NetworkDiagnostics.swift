// SPDX-License-Identifier: Apache-2.0

/// Locates a network fault: on this machine, at the router, in DNS, beyond the router, or at the host itself.
///
/// It queries every hop between this machine and the Internet in parallel, and reports the nearest fault:
///
/// ```swift
/// let report = await NetworkDiagnostics().run()
/// print(report.explanation ?? "Nothing is wrong as far as this machine can tell.")
/// ```
///
/// It sends packets to the routers of this machine, to its name servers, to the endpoints of the check, and to the host
/// if one is given. If names cannot be resolved, it also connects to public addresses. It needs no privileges.
public struct NetworkDiagnostics: Sendable {
    /// The check of the Internet.
    public let check: InternetCheck
    /// The host to check; nil for the Internet as a whole.
    public let host: HostTarget?
    /// The addresses to connect to, on port 443, if names cannot be resolved and no proxy is used; without any, broken
    /// names and a broken uplink may look alike.
    ///
    /// Privacy: nothing is sent over these connections, but their operators see this host's address and the time.
    public var publicAddresses = [NetworkAddress].publicResolvers
    /// The time limit for the answers of routers, name servers and public addresses.
    ///
    /// It exceeds three seconds, after which the kernel gives up on a router that does not exist.
    public static let patience = Duration.milliseconds(3500)

    let environment: HostEnvironment

    /// Creates the diagnostics.
    ///
    /// - Parameters:
    ///   - check: the check of the Internet.
    ///   - host: the host to check, by a TCP connection to its port, or to 443 if it names none.
    public init(_ check: InternetCheck = InternetCheck(), of host: HostTarget? = nil) {
        self.init(check, of: host, in: .live)
    }

    init(_ check: InternetCheck, of host: HostTarget?, in environment: HostEnvironment) {
        self.check = check
        self.host = host
        self.environment = environment
    }

    /// Checks everything in parallel; takes as long as the slowest part, each of which has its own time limit.
    public func run() async -> Report { await run { _ in } }

    /// Queries the hops that explain the result of a check, which is not repeated.
    package func run(explaining internet: InternetCheck.Report) async -> Report { await run(internet) { _ in } }

    /// The reports while everything is checked in parallel: a new one as soon as a hop is known, the complete one last.
    ///
    /// The fault of a report that is not the last is preliminary. A slow loop gets the newest report.
    public func reports() -> AsyncStream<Report> {
        AsyncStream(Report.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                _ = await run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// A part of the report that has become known.
    private typealias Part = @Sendable (inout Report) -> Void

    /// - Parameter known: the report of a check that has been made already.
    private func run(
        _ known: InternetCheck.Report? = nil, _ receive: (Report) -> Void
    ) async -> Report {
        guard let view = await environment.routing.view(of: []) else {
            return Report(path: NetworkPath(status: .unsatisfied, limitation: .unavailable("The task was cancelled.")))
        }
        let path = view.path
        var report = Report(path: path)
        receive(report)
        await withTaskGroup(of: Part.self) { group in
            if let host {
                group.addTask {
                    let answer = await answer(of: host)
                    return { $0.host = answer }
                }
            }
            if path.canBeChecked {
                group.addTask {
                    let answers = await answers(ofRouters: path.gateways.map(\.description))
                    return { $0.routers = answers }
                }
                group.addTask {
                    let answers = await answers(ofNameServers: view.nameServers)
                    return { $0.nameServers = answers }
                }
            }
            group.addTask {
                let internet = if let known { known } else { await answerOfInternet(over: path) }
                return { $0.internet = internet }
            }
            var asksAddresses = false
            for await part in group {
                part(&report)
                if !asksAddresses, path.canBeChecked, needsAddresses(report) {
                    asksAddresses = true
                    group.addTask {
                        let answers = await answers(ofAddressesOver: path)
                        return { $0.publicAddresses = answers }
                    }
                }
                receive(report)
            }
        }
        return report
    }

    /// Whether names cannot be resolved, as far as is known.
    private func needsAddresses(_ report: Report) -> Bool {
        guard check.resolvesNames else { return false }
        if let internet = report.internet { return internet.verdict.reason != nil && internet.failsAtNames }
        return !report.nameServers.isEmpty && report.nameServers.allSatisfy { $0.outcome != .answers }
    }

    private func answers(ofAddressesOver path: NetworkPath) async -> [AddressAnswer] {
        let addresses = publicAddresses.filter {
            path.isUnknown || ($0.version == .ipv4 ? path.supportsIPv4 : path.supportsIPv6)
        }
        let probe = PublicAddressProbe(environment: environment, patience: Self.patience)
        // One that accepts a connection is enough.
        return await inOrder(addresses, until: { $0.outcome == .answers }) { await probe.ask($0) }
    }

    private func answerOfInternet(over path: NetworkPath) async -> InternetCheck.Report? {
        if path.canBeChecked { return await check.check(over: path) }
        // A proxy or a host on one of this machine's own links needs no path.
        guard case .isolated = await check.outlook(over: path) else { return nil }
        let internet = await check.check(over: path)
        return internet.verdict == .verified ? internet : nil
    }

    private func answers(ofRouters gateways: [String]) async -> [RouterAnswer] {
        await inOrder(gateways) { await RouterProbe(environment: environment, patience: Self.patience).ask($0) }
    }

    private func answers(ofNameServers servers: [String]) async -> [NameServerAnswer] {
        guard let view = await environment.routing.view(of: Set(servers.compactMap(NetworkAddress.init))) else {
            return []
        }
        let name = questionedName
        let addresses = servers.compactMap { server in NetworkAddress(server).map { (server, $0) } }
        let answers = await NameServerProbe(addresses.map(\.1), about: name).run(within: Self.patience)
        return zip(addresses, answers).map { server, answer in
            let way = try? view.routes[server.1]?.get()
            let isNearby = way.map { $0.isDirect || $0.isLocalAddress } ?? false
            return NameServerAnswer(
                server.0, .init(answer.outcome), isNearby: isNearby, after: answer.duration)
        }
    }

    private func answer(of host: HostTarget) async -> HostReport {
        await HostReachability(host, connects: true, timeout: Self.patience, environment: environment).check()
    }

    /// A name that the check resolves anyway, so that the servers learn nothing new; else the root.
    private var questionedName: String {
        check.targets.lazy.map(\.host).first { NetworkAddress($0) == nil } ?? ""
    }

    /// Queries all of them in parallel.
    ///
    /// - Returns: the first answer that is enough alone; without one, all answers in the order of the queries.
    private func inOrder<Question: Sendable, Answer: Sendable>(
        _ questions: [Question], until isEnough: (Answer) -> Bool = { _ in false },
        _ ask: @escaping @Sendable (Question) async -> Answer?
    ) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer?).self) { group in
            for (place, question) in questions.enumerated() {
                group.addTask { (place, await ask(question)) }
            }
            var answers: [Int: Answer] = [:]
            for await (place, answer) in group {
                if let answer, isEnough(answer) {
                    group.cancelAll()
                    return [answer]
                }
                answers[place] = answer
            }
            return answers.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}

extension NetworkDiagnostics {
    /// How one of this machine's routers responded.
    public struct RouterAnswer: Hashable, Sendable {
        /// The outcome.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// The router answers.
            case answers
            /// No device answers at its address.
            case silent
            /// It does not answer, but may be present: the link has no neighbor table, or a firewall drops the packets.
            case unclear
        }

        /// Its address; a link-local address ends with `%` and the interface.
        public var address: String
        /// The outcome.
        public var outcome: Outcome
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, for tests.
        public init(_ address: String, _ outcome: Outcome, after duration: Duration = .zero) {
            (self.address, self.outcome, self.duration) = (address, outcome, duration)
        }
    }

    /// How a name server responded.
    public struct NameServerAnswer: Hashable, Sendable {
        /// The outcome.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It answered the query, or answered that the name does not exist.
            case answers
            /// It answered with an error such as `SERVFAIL` or `REFUSED` (RFC 1035, section 4.1.1).
            case fails
            /// Nothing listens on its port 53.
            case refuses
            /// There is no route to it, according to this machine or a router.
            case unreachable
            /// It did not answer.
            case silent
        }

        /// Its address.
        public var address: String
        /// The outcome.
        public var outcome: Outcome
        /// Whether it is this machine or on one of its links, so that no router is in between.
        public var isNearby: Bool
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, for tests.
        public init(_ address: String, _ outcome: Outcome, isNearby: Bool, after duration: Duration = .zero) {
            (self.address, self.outcome, self.isNearby, self.duration) = (address, outcome, isNearby, duration)
        }
    }

    /// How a public address responded to a connection.
    public struct AddressAnswer: Hashable, Sendable {
        /// The outcome.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It accepted the connection.
            case answers
            /// The connection was refused, by the host or by a firewall in front of it.
            case refuses
            /// There is no route to it, according to this machine or a router.
            case unreachable
            /// It did not answer.
            case silent
        }

        /// The address.
        public var address: NetworkAddress
        /// The outcome.
        public var outcome: Outcome
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, for tests.
        public init(_ address: NetworkAddress, _ outcome: Outcome, after duration: Duration = .zero) {
            (self.address, self.outcome, self.duration) = (address, outcome, duration)
        }
    }
}

extension NetworkDiagnostics.NameServerAnswer.Outcome {
    init(_ outcome: NameServerProbe.Outcome) {
        switch outcome {
        case .answers: self = .answers
        case .fails: self = .fails
        case .refuses: self = .refuses
        case .unreachable: self = .unreachable
        case .silent: self = .silent
        }
    }
}
