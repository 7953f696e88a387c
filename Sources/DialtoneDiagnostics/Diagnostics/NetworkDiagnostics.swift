// SPDX-License-Identifier: Apache-2.0

/// Locates a network fault: on this machine, at the router, in DNS, beyond the router, or at the host itself.
///
/// It queries every hop between this machine and the Internet in parallel, and reports the nearest fault:
///
/// ```swift
/// let report = await NetworkDiagnostics().run()
/// print(report.fault?.description ?? "Nothing is wrong as far as this machine can tell.")
/// ```
///
/// It sends packets to the routers of this machine, to its name servers, to the endpoints of the check, and to the host
/// if one is given. It needs no privileges.
public struct NetworkDiagnostics: Sendable {
    /// The check of the Internet.
    public let check: InternetCheck
    /// The host to check; nil for the Internet as a whole.
    public let host: HostTarget?
    /// The time limit for the answers of routers and name servers.
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
    public func run() async -> Report {
        guard let view = await environment.routing.view(of: []) else {
            return Report(path: NetworkPath(status: .unsatisfied, limitation: .unavailable("The task was cancelled.")))
        }
        var report = Report(path: view.path)
        guard view.path.canBeChecked else {
            // A proxy or a host on one of this machine's own links needs no path.
            async let server = answerOfHost()
            if case .isolated = await check.outlook(over: view.path) {
                let internet = await check.check(over: view.path)
                if internet.verdict == .verified { report.internet = internet }
            }
            report.host = await server
            return report
        }
        async let routers = answers(ofRouters: view.path.gateways.map(\.description))
        async let nameServers = answers(ofNameServers: view.nameServers)
        async let internet = check.check(over: view.path)
        async let server = answerOfHost()
        report.routers = await routers
        report.nameServers = await nameServers
        report.internet = await internet
        report.host = await server
        return report
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

    private func answerOfHost() async -> HostReport? {
        guard let host else { return nil }
        return await HostReachability(host, connects: true, timeout: Self.patience, environment: environment).check()
    }

    /// A name that the check resolves anyway, so that the servers learn nothing new; else the root.
    private var questionedName: String {
        check.targets.lazy.map(\.host).first { NetworkAddress($0) == nil } ?? ""
    }

    /// Queries all of them in parallel; returns the answers in the order of the queries.
    private func inOrder<Question: Sendable, Answer: Sendable>(
        _ questions: [Question], _ ask: @escaping @Sendable (Question) async -> Answer?
    ) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer?).self) { group in
            for (place, question) in questions.enumerated() {
                group.addTask { (place, await ask(question)) }
            }
            var answers: [Int: Answer] = [:]
            for await (place, answer) in group { answers[place] = answer }
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
}

extension NetworkDiagnostics.NameServerAnswer.Outcome {
    init(_ outcome: NameServerProbe.Outcome) {
        switch outcome {
        case .answers: self = .answers
        case .fails: self = .fails
        case .refuses: self = .refuses
        case .silent, .unreachable: self = .silent
        }
    }
}
