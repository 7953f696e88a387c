//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

/// Turns the evidence of a check into its verdict, as it comes in: the decision table, by values alone.
///
/// A portal on plain HTTP decides at once. A quorum decides when no plain endpoint and no captive portal API is left that
/// might still show a portal, or when waiting for them has taken long enough. Everything else is decided at the end.
struct Judge: Sendable {
    /// What an endpoint came to, as far as the verdict is concerned.
    enum Finding: Hashable, Sendable {
        case passed
        case portal(URL)
        case failed(ProbeError)
        /// It could not be asked, and says nothing.
        case unable
    }

    /// What the captive portal API came to.
    enum CaptivePortal: Hashable, Sendable {
        /// There is none to ask, or its answer adds nothing.
        case silent
        /// It was not heard yet.
        case pending
        /// It says captive, with a login page or without.
        case captive(URL?)
    }

    /// Whether to go on.
    enum Decision: Hashable, Sendable {
        case verdict(InternetCheck.Verdict)
        /// There will be a verdict at this time at the latest, without any further evidence.
        case wait(until: Duration)
        /// There is nothing to be decided yet.
        case pending
    }

    /// For each endpoint whether it is asked over HTTPS.
    let isSecure: [Bool]
    let quorum: InternetCheck.Quorum
    let decisionWindow: Duration
    /// Where a browser finds the login when nobody says so: a plain endpoint's URL.
    let fallback: URL?
    private(set) var findings: [Finding?]
    var captivePortal: CaptivePortal
    /// When the quorum was reached.
    private var quorumTime: Duration?

    /// A quick quorum is worth waiting as long again for evidence of a portal, and at least this long.
    private static let leastPatience = Duration.milliseconds(250)

    init(
        isSecure: [Bool], quorum: InternetCheck.Quorum, decisionWindow: Duration, fallback: URL?,
        captivePortal: CaptivePortal = .silent
    ) {
        self.isSecure = isSecure
        self.quorum = quorum
        self.decisionWindow = decisionWindow
        self.fallback = fallback
        self.captivePortal = captivePortal
        findings = isSecure.map { _ in nil }
    }

    /// Takes in what an endpoint came to, at a time since the check began.
    mutating func record(_ finding: Finding, of index: Int, at time: Duration) {
        guard findings.indices.contains(index) else { return }
        findings[index] = finding
        if quorumTime == nil, hasQuorum { quorumTime = time }
    }

    /// Whether the evidence so far is enough for a verdict.
    func decision(at time: Duration) -> Decision {
        if let portal = portalVerdict { return .verdict(portal) }
        if findings.allSatisfy({ $0 != nil }), captivePortal != .pending { return .verdict(finalVerdict) }
        guard hasQuorum, let quorumTime else { return .pending }
        let mayShowPortal = zip(isSecure, findings).contains { !$0 && $1 == nil } || captivePortal == .pending
        let patience = max(quorumTime, Self.leastPatience)
        let end = min(quorumTime + patience, max(decisionWindow, quorumTime))
        return !mayShowPortal || time >= end ? .verdict(.verified) : .wait(until: end)
    }

    /// The verdict when there will be no more evidence.
    var finalVerdict: InternetCheck.Verdict {
        if let portalVerdict { return portalVerdict }
        if hasQuorum { return .verified }
        // Captive without a login page counts only when the probes do not prove the contrary.
        if case .captive = captivePortal, let fallback { return .captivePortal(fallback) }
        let plain = counts { !$0 }
        let secure = counts { $0 }
        guard plain.total + secure.total > 0 else { return .inconclusive }
        if secure.total > 0, secure.passed == 0, plain.passed > 0,
            plain.passed >= min(quorum.needed(of: plain.total + secure.total), plain.total)
        {
            return .partial
        }
        return .noInternet(reason)
    }

    private var portalVerdict: InternetCheck.Verdict? {
        if case .captive(let url?) = captivePortal { return .captivePortal(url) }
        for case .portal(let url) in findings { return .captivePortal(url) }
        return nil
    }

    /// Enough passed, and not over plain HTTP alone where HTTPS is asked, too.
    private var hasQuorum: Bool {
        let plain = counts { !$0 }
        let secure = counts { $0 }
        guard plain.passed + secure.passed > 0 else { return false }
        let isProven = secure.total == 0 || secure.passed > 0
        return isProven && plain.passed + secure.passed >= quorum.needed(of: plain.total + secure.total)
    }

    /// How many endpoints passed, and how many there are that could be asked.
    private func counts(_ isCounted: (Bool) -> Bool) -> (passed: Int, total: Int) {
        let counted = zip(isSecure, findings).filter { isCounted($0) && $1 != .unable }
        return (counted.count { $1 == .passed }, counted.count)
    }

    /// What happened to most endpoints; of equals, what says most.
    private var reason: InternetCheck.NoInternetReason {
        var numbers: [InternetCheck.NoInternetReason: Int] = [:]
        for finding in findings {
            switch finding {
            case .failed(let error): numbers[error.reason, default: 0] += 1
            case nil: numbers[.timedOut, default: 0] += 1
            case .passed, .portal, .unable: break
            }
        }
        let most = numbers.values.max() ?? 0
        return InternetCheck.NoInternetReason.allCases.first { numbers[$0] == most } ?? .timedOut
    }
}

extension ProbeError {
    /// The reason that a failure of this kind is counted under.
    var reason: InternetCheck.NoInternetReason {
        switch code.kind {
        case .hijackedName: .hijackedNames
        case .untrustedCertificate, .wrongCertificateName, .invalidCertificate, .tlsFailure: .tls
        case .unexpectedAnswer, .malformedResponse, .proxyFailure: .unexpectedAnswers
        case .refused, .connectionLost: .refused
        case .hostNotFound, .noAddress, .nameServerFailure: .nameResolution
        case .timedOut: step == .resolve ? .nameResolution : .timedOut
        default: .unreachable
        }
    }
}
