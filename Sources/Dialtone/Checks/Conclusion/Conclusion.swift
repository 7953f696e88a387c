// SPDX-License-Identifier: Apache-2.0

/// What a path and the report of a check over it mean: where the fault is, why, what to do, and what works badly.
///
/// It is derived here and nowhere else, so that the commands, the dashboard, the log, the hooks, the history and the libraries
/// say the same. Only what was shown to be broken is blamed, and proof from a distant hop outweighs doubt about a nearer one.
package struct Conclusion: Sendable {
    /// The state that is explained.
    let state: ConnectivityState
    private let path: NetworkPath?
    private let report: InternetCheck.Report?

    /// Creates the conclusion for a state that follows from a path and a report.
    package init(_ state: ConnectivityState, over path: NetworkPath, _ report: InternetCheck.Report?) {
        (self.state, self.path, self.report) = (state, path, report)
    }

    /// Creates the conclusion from a report alone, as if its path was satisfied.
    init(_ report: InternetCheck.Report) {
        state = ConnectivityState(NetworkPath(status: .satisfied), checkedBy: report)
        (path, self.report) = (nil, report)
    }

    // MARK: Fault

    /// The nearest fault that is known; nil if everything works, and if its place is not known.
    var fault: ConnectivityFault? {
        switch state {
        case .online, .unknown, .unverified: nil
        // A proxy that was asked has a route, so it is what keeps this machine offline, not the missing path.
        case .offline, .requiresConnection: report?.failedProxy == nil ? .machine : .proxy
        case .captivePortal: .portal
        case .limited, .noInternet: report.flatMap(fault)
        }
    }

    private func fault(_ report: InternetCheck.Report) -> ConnectivityFault? {
        if report.isFaultOfMachine || report.diagnosis != nil { return .machine }
        let hops = report.hops ?? InternetCheck.Hops()
        if hops.isRouterSilent, !report.hasDistantAnswer { return .router }
        // The proxy resolves names.
        if report.failedProxy != nil { return .proxy }
        if report.severeLoss != nil { return nil }
        if hops.largePackets == .lost { return .filter }
        // The failure of a single operator may be its own.
        let isOfOne = report.failedOperators.count == 1
        guard let reason = report.verdict.reason else {
            return isOfOne || report.hasProvenAnswer ? .endpoints : .filter
        }
        if report.isSilent { return isBeyondRouter(hops) ? .provider : nil }
        switch reason {
        case .hijackedNames, .nameResolution, .dnsRefused, .dnsSilent: return .nameServers
        case .hostNotFound: return isOfOne ? .endpoints : .nameServers
        case .unexpectedAnswers: return isOfOne || !report.isAnsweredByOther ? .endpoints : .filter
        case .tls, .refused: return isOfOne ? .endpoints : .filter
        case .unreachable, .timedOut:
            if report.failsAtNames || report.untranslatedVersion != nil { return .nameServers }
            guard !report.failedOperators.isEmpty else { return nil }
            return isOfOne || !report.isAnswered ? .endpoints : .filter
        }
    }

    /// Whether the router, if there is one, is known to work: it answers, or reports that it does not forward packets.
    private func isBeyondRouter(_ hops: InternetCheck.Hops) -> Bool {
        // A router whose answer was not awaited may be at fault.
        if hops.routers.isEmpty { return path?.gateways.isEmpty ?? true }
        return hops.routerReport != nil || hops.routers.contains { $0.outcome == .answers }
    }

    // MARK: Reason

    /// Why this machine is not online, and what to do, in one or two sentences for a user; nil while it is online.
    package var reason: String? {
        switch state {
        case .online: return nil
        case .unknown:
            if let refusal = report?.socketRefusal { return refusal }
            if case .unavailable(let sentence)? = path?.limitation { return sentence }
            return GeneralReason.unreadable
        case .offline:
            if let report, report.failedProxy != nil { return sentence(report) }
            return path?.diagnosis?.description ?? GeneralReason.noPath
        case .requiresConnection: return path?.diagnosis?.description ?? GeneralReason.onDemand
        case .unverified:
            guard let report else { return GeneralReason.unchecked }
            return report.socketRefusal ?? report.patienceSentence ?? GeneralReason.undetermined
        case .captivePortal: return GeneralReason.login
        case .limited, .noInternet: return report.map(sentence) ?? GeneralReason.noInternet
        }
    }

    private func sentence(_ report: InternetCheck.Report) -> String {
        let cause = report.cause
        switch fault {
        case .router: return routerSentence(report)
        case .provider: return providerSentence(report.hops ?? .init())
        case .nameServers where report.hops?.isUplinkWorking == true:
            return "\(cause) The connection itself works: the Internet answers without names."
        case .proxy: return "\(cause) Ask its operator, or check its address."
        case .filter where report.hops?.largePackets == .lost: return GeneralReason.largePackets
        case .filter: return "\(cause) Ask the operator of this network."
        case .endpoints:
            if report.isOfOneOperator, let name = report.failedOperators.first {
                return "\(cause) Only \(name) was queried, so the fault may be there."
            }
            return cause + (report.hasProvenAnswer ? " The connection itself works." : "")
        case nil where report.isSilent:
            return "Neither the router nor anything beyond it answers: check the router and its uplink."
        case nil:
            if let loss = report.severeLoss {
                return "\(loss.description.withoutFullStop): check the cable or the Wi-Fi, or call the provider."
            }
            return cause
        case .machine, .nameServers, .portal, .host: return cause
        }
    }

    private func routerSentence(_ report: InternetCheck.Report) -> String {
        let routers = (report.hops?.routers ?? []).map { "\($0.router)" }.joined(separator: ", ")
        return GeneralReason.router.replacing("The router ", with: "The router (\(routers)) ", maxReplacements: 1)
    }

    private func providerSentence(_ hops: InternetCheck.Hops) -> String {
        if let report = hops.routerReport {
            return report.description.withoutFullStop + (report.reason == .prohibited ? "; " : ": ")
                + "check its uplink, or call the provider."
        }
        guard hops.routers.contains(where: { $0.outcome == .answers }) else {
            if let link = path?.interfaces.first, link.type == .other {
                return
                    "Nothing beyond \(link.name) answers: check the VPN or the connection that it belongs to, or call the provider."
            }
            return
                "Nothing beyond this machine's own link answers: check the router and its uplink, or call the provider."
        }
        return GeneralReason.provider
    }

    // MARK: Remarks

    /// What contradicts that this machine is online, or works badly; empty in other states.
    package var remarks: [InternetCheck.Remark] {
        guard state == .online, let report else { return [] }
        let borrowed = path.flatMap { path in
            path.status == .satisfied
                ? nil
                : path.diagnosis?.borrowedAddress.map {
                    InternetCheck.Remark(
                        .borrowedAddress,
                        "\(path.diagnosis?.interface?.name ?? "The link") has no address of its own: packets leave with \($0)."
                    )
                }
        }
        return report.dissents + report.weaknesses + (borrowed.map { [$0] } ?? [])
    }

    /// The same remarks with one about a loss that was measured apart from the check, unless the check shows a loss itself.
    func remarks(measured loss: PacketLoss?) -> [InternetCheck.Remark] {
        let remarks = remarks
        guard state == .online, let loss, !remarks.contains(where: { $0.kind == .packetLoss }) else { return remarks }
        return remarks + [.init(.packetLoss, loss.description)]
    }
}

extension InternetCheck.Report {
    /// The nearest fault that the check shows; nil if everything works, and if its place is not known.
    public var fault: ConnectivityFault? { Conclusion(self).fault }

    /// Why the check did not verify the Internet, and what to do, in one or two sentences for a user; nil if it did.
    ///
    /// A check that sent nothing because there is no path has the path's diagnosis.
    public var reason: String? { Conclusion(self).reason }

    /// What contradicts a `verified` verdict, and what works badly although the Internet answers.
    ///
    /// Empty for other verdicts.
    public var remarks: [InternetCheck.Remark] { Conclusion(self).remarks }
}
