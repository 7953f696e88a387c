//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Finds out where it is broken: in this machine, at the router, in the name service, beyond, or at the host itself.
///
/// Everything between this machine and the Internet is asked at once, and the nearest thing that is broken is named:
///
/// ```swift
/// let report = await LineCheckup().run()
/// print(report.fault?.description ?? "Nothing is wrong as far as this machine can tell.")
/// ```
///
/// It sends packets: to the routers of this machine, to its name servers, to the endpoints of the check, and to the host
/// where one is given. It needs no privilege.
public struct LineCheckup: Sendable {
    /// What proves the Internet.
    public let check: InternetCheck
    /// The host whose trouble is looked for; nil for the Internet at large.
    public let host: HostTarget?
    /// How long routers and name servers have for their answers.
    ///
    /// A router that does not exist is known after three seconds, when the kernel has asked for it three times.
    public static let patience = Duration.milliseconds(3500)

    let environment: HostEnvironment

    /// Makes a check-up.
    ///
    /// - Parameters:
    ///   - check: what proves the Internet.
    ///   - host: the host whose trouble is looked for, by a TCP connection to its port or else to 443.
    public init(_ check: InternetCheck = InternetCheck(), of host: HostTarget? = nil) {
        self.init(check, of: host, in: .live)
    }

    init(_ check: InternetCheck, of host: HostTarget?, in environment: HostEnvironment) {
        self.check = check
        self.host = host
        self.environment = environment
    }

    /// Looks at all of it; takes no longer than the slowest of the parts, whose bounds are their own.
    public func run() async -> Report {
        guard let view = await environment.routing.view(of: []) else {
            return Report(path: NetworkPath(status: .unsatisfied, limitation: .unavailable("Nobody waited for it.")))
        }
        var report = Report(path: view.path)
        guard view.path.canBeChecked else { return report }
        async let routers = answers(ofRouters: view.path.gateways)
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
        guard let view = await environment.routing.view(of: Set(servers.compactMap(HostAddress.init))) else {
            return []
        }
        let name = questionedName
        return await inOrder(servers) { server in
            guard let address = HostAddress(server) else { return nil }
            let way = try? view.routes[address]?.get()
            let isNearby = way.map { $0.isDirect || $0.isLocalAddress } ?? false
            let start = ContinuousClock.now
            let outcome = await NameServerProbe.ask(address, about: name, patience: Self.patience)
            return NameServerAnswer(server, outcome, isNearby: isNearby, after: ContinuousClock.now - start)
        }
    }

    private func answerOfHost() async -> HostReport? {
        guard let host else { return nil }
        return await HostReachability(host, connects: true, timeout: Self.patience, environment: environment).check()
    }

    /// A name that the check asks for anyway, so that nobody learns anything new; without one, the root.
    private var questionedName: String {
        check.targets.lazy.map(\.host).first { HostAddress($0) == nil } ?? ""
    }

    /// Asks all of them at once; the answers come in the order of the questions.
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
