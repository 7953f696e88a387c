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

    /// The time limit for the answer of the host.
    ///
    /// It exceeds three seconds, after which the kernel gives up on a router that does not exist.
    private static let patience = Duration.milliseconds(3500)

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
    public func run() async -> Report { await run { _ in } }

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

    private func run(_ receive: @escaping @Sendable (Report) -> Void) async -> Report {
        guard let view = await HostEnvironment.live.routing.view(of: host?.host.knownAddresses ?? []) else {
            return Report(path: NetworkPath(status: .unsatisfied, limitation: .unavailable("The task was cancelled.")))
        }
        let report = Mutex(Report(path: view.path))
        let update = { @Sendable (change: (inout Report) -> Void) in
            report.withLock {
                change(&$0)
                receive($0)
            }
        }
        update { _ in }
        await withTaskGroup(of: Void.self) { group in
            if let host {
                group.addTask {
                    let answer = await HostReachability(host, connects: true, timeout: Self.patience)
                        .check(under: view)
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
        return report.withLock { $0 }
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
        public var internet: InternetCheck.Report?
        /// The report on the host; nil until it is known, and if no host was given.
        public var host: HostReport?

        /// Creates a report.
        public init(path: NetworkPath, internet: InternetCheck.Report? = nil, host: HostReport? = nil) {
            self.path = path
            self.internet = internet
            self.host = host
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

        /// What works badly although the Internet answers.
        public var remarks: [InternetCheck.Remark] { conclusion.remarks }

        private var conclusion: Conclusion { Conclusion(path, internet) }

        /// The connectivity, apart from the host.
        package var connectivity: Connectivity {
            Connectivity(
                conclusion, path: path, since: internet?.checkedAt ?? .distantPast, beginning: nil, evidence: internet,
                identity: nil)
        }

        private var isFaultOfHost: Bool { state == .online && host?.verdict == .unreachable }
    }

    /// The place of a fault.
    @available(*, deprecated, renamed: "ConnectivityFault")
    public typealias Fault = ConnectivityFault
}

extension NetworkDiagnostics.Report {
    /// The sentence of `reason`.
    @available(*, deprecated, renamed: "reason")
    public var explanation: String? { reason }
}
