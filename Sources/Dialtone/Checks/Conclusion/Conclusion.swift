// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

/// What facts mean: where the fault is, why, what to do, and what works badly.
///
/// It is drawn here and nowhere else, by the tables of ``Rule`` and of remarks, so that the commands, the dashboard, the log, the
/// hooks, the history and the libraries say the same. Only what was shown to be broken is blamed, and proof from a distant hop
/// outweighs doubt about a nearer one.
package struct Conclusion: Hashable, Sendable {
    package let state: ConnectivityState
    /// The nearest fault that is known; nil if everything works, and if its place is not known.
    package let fault: ConnectivityFault?
    /// The name of the cause; nil while this machine is online.
    package let cause: ConnectivityCause?
    /// What happened, and what to do, in one or two sentences for a user; nil while this machine is online.
    package let reason: String?
    /// What contradicts that this machine is online, or works badly; empty in other states.
    package let remarks: [InternetCheck.Remark]

    /// Draws the conclusion from facts.
    package init(_ facts: Facts) {
        let rule = Rule.first(for: facts)
        let found = rule?.state ?? .unknown
        state = found.isPassing ? facts.assertedState ?? found : found
        fault = rule?.fault
        cause = rule?.cause
        reason = rule?.sentence(facts)
        remarks = state == .online ? InternetCheck.Remark.all(of: facts) : []
    }

    /// Draws the conclusion from a path and the report of a check over it.
    package init(_ path: NetworkPath, _ report: InternetCheck.Report? = nil) { self.init(Facts(path, report)) }

    /// The conclusion for a state that a test or a preview asserts, explained by facts as far as they agree.
    init(asserting state: ConnectivityState, _ facts: Facts) {
        var own = Conclusion(facts)
        if state.isPassing, !own.state.isPassing {
            var facts = facts
            facts.path.status = .satisfied
            own = Conclusion(facts)
        }
        self.state = state
        remarks = state == .online ? InternetCheck.Remark.all(of: facts) : []
        let agrees = own.state == state || own.state.isPassing && state.isPassing
        (fault, cause, reason) = agrees ? (own.fault, own.cause, own.reason) : state.unexplained
    }
}

extension ConnectivityState {
    /// Whether something may pass, but not the whole Internet: what is said about either state holds for the other.
    var isPassing: Bool { self == .limited || self == .noInternet }

    /// The conclusion about a state without facts that explain it.
    fileprivate var unexplained: (ConnectivityFault?, ConnectivityCause?, String?) {
        switch self {
        case .online: (nil, nil, nil)
        case .unknown: (nil, .notVisible, GeneralReason.unreadable)
        case .offline: (.machine, .noPath, GeneralReason.noPath)
        case .requiresConnection: (.machine, .onDemand, GeneralReason.onDemand)
        case .unverified: (nil, .notChecked, GeneralReason.unchecked)
        case .captivePortal: (.portal, .captivePortal, GeneralReason.login)
        case .limited, .noInternet: (nil, nil, GeneralReason.noInternet)
        }
    }
}

extension InternetCheck.Report {
    /// The conclusion from the check, as if its path was satisfied.
    private var conclusion: Conclusion { Conclusion(Facts(self)) }

    /// The state of a machine whose path is satisfied, as the check shows it.
    public var state: ConnectivityState { conclusion.state }

    /// The login page, which a browser can open; nil if the check found none.
    ///
    /// The URL comes from the network: it is `http` or `https`, percent-encoded, and at most 2048 bytes long.
    public var portal: URL? { verdict.portal }

    /// The nearest fault that the check shows; nil if everything works, and if its place is not known.
    public var fault: ConnectivityFault? { conclusion.fault }

    /// Why the check did not verify the Internet, and what to do, in one or two sentences for a user; nil if it did.
    ///
    /// A check that sent nothing because there is no path has the path's diagnosis.
    public var reason: String? { conclusion.reason }

    /// The name of `reason` for programs; nil if the check verified the Internet.
    public var cause: ConnectivityCause? { conclusion.cause }

    /// What contradicts that the Internet answers, and what works badly although it does; empty in other states.
    public var remarks: [InternetCheck.Remark] { InternetCheck.Remark.all(of: Facts(self)) }

    /// Draws the verdict from the answers, as far as silence proves it.
    mutating func judgeSilence() {
        // A verdict that is set replaces the answers; this one follows from them.
        let answers = answers ?? verdict
        let hasQuorum = hasQuorum
        let limit = limit
        verdict = Facts(self).verdict ?? verdict
        self.answers = answers
        self.hasQuorum = hasQuorum
        self.limit = limit
    }

    /// The endpoints that were queried: without those that the verdict did not need, or that could not be queried.
    package var queriedEndpoints: [InternetCheck.Evidence] { Facts(self).queried }

    /// The time in which the fastest endpoint that passed answered, without the time that other addresses took before it was
    /// tried; nil if none did.
    package var latency: Duration? { Facts(self).latency }
}
