// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Locates a network fault: on this machine, at the router, in DNS, beyond the router, or at a host.
///
/// It makes an Internet check that asks every hop at once, and checks a host at the same time:
///
/// ```swift
/// let report = await NetworkDiagnostics().run()
/// print(report.reason ?? "Nothing is wrong as far as this machine can tell.")
/// ```
///
/// It sends packets to the routers of this machine, to its name servers, to the endpoints of the check, and to the host
/// if one is given. If the check does not simply pass, it also connects to public addresses
/// (`InternetCheck.Configuration.publicAddresses`). It needs no privileges.
public struct NetworkDiagnostics: Sendable {
    /// The check of the Internet.
    public let check: InternetCheck
    /// The host to check; nil for the Internet as a whole.
    public let host: HostTarget?

    /// Creates the diagnostics.
    ///
    /// - Parameters:
    ///   - check: the check of the Internet.
    ///   - host: the host to check, by a TCP connection to its port, or to 443 if it names none.
    public init(_ check: InternetCheck = InternetCheck(), of host: HostTarget? = nil) {
        self.check = check
        self.host = host
    }

    /// Checks everything in parallel; takes as long as the slowest part, each of which has its own time limit.
    ///
    /// If the network changes meanwhile, everything is checked again. If the task is cancelled, the report has what is known by then.
    public func run() async -> Report { await run { _ in } }

    /// The reports while everything is checked in parallel: a new one as soon as a hop is known, the complete one last.
    ///
    /// The fault of a report that is not the last is preliminary. If the network changes, a report with the new path follows, and
    /// everything is checked again. A slow loop gets the newest report.
    public func reports() -> AsyncStream<Report> {
        AsyncStream(Report.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                _ = await run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Changes the report of a round.
    private typealias Update = @Sendable (@escaping @Sendable (inout Report) -> Void) -> Void

    private enum Event: Sendable {
        /// The state of the network, at first and after each change.
        case view(HostView)
        /// A part of the report became known in a round.
        case part(round: Int, @Sendable (inout Report) -> Void)
        /// All parts of a round are known.
        case end(round: Int)
    }

    /// The number of rounds; a network that changes in each of them gets a report without any check.
    private static let maximumRounds = 4

    /// Checks everything, and again after each change of the network: answers over two networks are not combined.
    ///
    /// One watch of the network gives the state that a round begins with, and reports when it no longer holds.
    func run(_ receive: (Report) -> Void) async -> Report {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let addresses = host?.host.knownAddresses ?? []
        let routing = check.transport.environment.routing
        let watch = routing.watch(addresses) { continuation.yield(.view($0)) }
        defer { watch.cancel() }
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var report = Report(
                path: NetworkPath(status: .unsatisfied, limitation: .unavailable("The task was cancelled.")))
            var known: HostView?
            var changes = 0
            var rounds = 0
            var round: AsyncStream<Never>.Continuation?
            for await event in events {
                switch event {
                case .view(let view):
                    if let known, view.keepsAnswers(of: known) { continue }
                    known = nil
                    changes += 1
                    round?.finish()
                    await group.waitForAll()
                    let hops = addresses.union(view.hops)
                    guard view.hasRoutes(to: hops) else {
                        watch.watch(hops)
                        continue
                    }
                    known = view
                    rounds += 1
                    report = Report(path: view.path)
                    receive(report)
                    guard rounds <= Self.maximumRounds else { return report }
                    let (end, finish) = AsyncStream.makeStream(of: Never.self)
                    round = finish
                    group.addTask { [changes] in
                        await check(under: view, until: end) { continuation.yield(.part(round: changes, $0)) }
                        continuation.yield(.end(round: changes))
                    }
                case .part(changes, let change):
                    change(&report)
                    receive(report)
                case .end(changes):
                    // A change may be why the last answers are errors, before it is reported.
                    guard let known, let view = await routing.view(of: addresses), !view.keepsAnswers(of: known) else {
                        return report
                    }
                    continuation.yield(.view(view))
                case .part, .end: continue
                }
            }
            return report
        }
    }

    /// Checks everything in one state of the network, until a stream ends.
    private func check(under view: HostView, until end: AsyncStream<Never>, _ update: @escaping Update) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in end {} }
            group.addTask { await check(under: view, update) }
            await group.next()
            group.cancelAll()
        }
    }

    private func check(under view: HostView, _ update: @escaping Update) async {
        await withTaskGroup(of: Void.self) { group in
            if let host {
                group.addTask {
                    let target = HostReachability(
                        host, connects: true, timeout: KernelSockets.neighborPatience, over: check.transport)
                    let answer = await target.check(under: view)
                    update { $0.host = answer }
                }
            }
            group.addTask {
                let internet = await internet(under: view) { hops in update { $0.hops = hops } }
                update {
                    $0.internet = internet
                    $0.hops = internet?.hops ?? $0.hops
                }
            }
        }
    }

    private func internet(
        under view: HostView, _ receive: (InternetCheck.Hops) -> Void
    ) async -> InternetCheck.Report? {
        let path = view.path
        let outlook = await check.outlook(under: view)
        // Without a path, only a proxy or a host on one of this machine's own links can be contacted.
        if !path.canBeChecked { guard case .isolated = outlook else { return nil } }
        let report = await check.run(
            on: path.announcingLink, over: path, under: view, given: outlook, asking: .always, onHops: receive)
        return path.canBeChecked || report.verdict == .verified ? report : nil
    }
}

extension NetworkDiagnostics {
    /// The conclusion of the check with the state of each hop, and the host.
    public struct Report: Hashable, Sendable {
        /// The path; an unsatisfied one has a diagnosis.
        public var path: NetworkPath
        /// How the hops responded, as far as that is known; nil before.
        public var hops: InternetCheck.Hops?
        /// The report of the Internet check; nil until it has ended, and if there is no path to check.
        public var internet: InternetCheck.Report? {
            get { ofInternet }
            set { ofInternet = newValue }
        }
        /// The report on the host; nil until it is known, and if no host was given.
        public var host: HostReport? {
            get { ofHost }
            set { ofHost = newValue }
        }
        @Boxed private var ofInternet: InternetCheck.Report?
        @Boxed private var ofHost: HostReport?

        /// Creates a report.
        public init(path: NetworkPath, internet: InternetCheck.Report? = nil, host: HostReport? = nil) {
            self.path = path
            ofInternet = internet
            ofHost = host
            hops = internet?.hops
        }

        /// The connectivity, as `dialtone status` reports it.
        public var state: ConnectivityState { conclusion.state }

        /// The nearest fault; nil if everything works, or if that is not known.
        public var fault: ConnectivityFault? { isFaultOfHost ? .host : conclusion.fault }

        /// One or two sentences for a user: what is broken, and what to do; nil if nothing is.
        public var reason: String? {
            isFaultOfHost ? "The Internet works, but the host cannot be reached." : conclusion.reason
        }

        /// The name of `reason` for programs; nil if everything works, and for a fault of the host.
        public var cause: ConnectivityCause? { conclusion.cause }

        /// The problems that remain although the Internet answers.
        public var remarks: [InternetCheck.Remark] { conclusion.remarks }

        private var conclusion: Conclusion { Conclusion(path, internet) }

        /// The connectivity, apart from the host.
        package var connectivity: Connectivity {
            Connectivity(
                conclusion, path: path, since: internet?.checkedAt ?? .distantPast, beginning: nil, evidence: internet,
                identity: nil)
        }

        /// The hops, without those whose silence contradicts the conclusion: while the Internet answers, only a remark may be about it.
        package var consistentHops: InternetCheck.Hops {
            var result = hops ?? InternetCheck.Hops()
            if !explainsSilence(of: []) {
                result.routers.removeAll { $0.outcome != .answers }
                result.publicAddresses.removeAll { $0.outcome != .answers }
            }
            if !explainsSilence(of: [.nameServer]) { result.nameServers.removeAll { $0.outcome != .answers } }
            return result
        }

        /// Whether the Internet does not answer, or a remark of some kinds, or about the path, says what works badly.
        private func explainsSilence(of kinds: Set<InternetCheck.Remark.Kind>) -> Bool {
            state != .online
                || remarks.contains { kinds.union([.addressFamily, .packetLoss]).contains($0.kind) }
        }

        private var isFaultOfHost: Bool { state == .online && host?.state == .unreachable }
    }
}

extension HostView {
    /// Whether answers in an earlier state of the network hold in this one, too.
    fileprivate func keepsAnswers(of old: HostView) -> Bool {
        guard path.canBeChecked, old.path.canBeChecked else { return path.changes(since: old.path).isEmpty }
        return path.keepsRoutes(of: old.path) && nameServers == old.nameServers
    }
}
