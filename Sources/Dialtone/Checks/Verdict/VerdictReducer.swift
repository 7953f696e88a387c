// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// Turns the evidence of a check into its verdict as it arrives.
///
/// A pure value: the caller performs the waiting.
///
/// - **Two sources of dissent decide at once.** A source is an operator whose answers look like a portal's, or the captive
///   portal API. Portals commonly let one or two vendors' hosts pass before the login, so passes elsewhere do not matter.
/// - **The status 511 decides at once,** from one operator alone: only a portal answers it (RFC 6585, section 6).
/// - **A lone dissent waits for HTTPS.** It becomes a remark on `verified` once at least two other operators are proven over
///   HTTPS and no further operator failed over HTTPS. As soon as that is impossible, it is a portal. The wait ends
///   after `decisionWindow`; an operator that is still silent over HTTPS by then counts as failed. An operator without an
///   HTTPS endpoint is neither proven nor failed, but it can dissent. The dissenter's own HTTPS does not matter: a filter that
///   blocks an operator and a portal treat it alike, and the number of dissenting operators distinguishes them.
/// - **Several dissents are no portal** where their names lead to one address that shows a foreign certificate, or where they are the
///   expected pages with scripts added, if all other operators, or all, are proven over HTTPS.
/// - **HTTPS that fails for most operators outweighs a quorum** of plain answers, which anyone on the way can give. The wait for HTTPS
///   ends a second after the quorum, and later only if most operators are still silent.
/// - **Without dissent the quorum decides**, after a wait for plain endpoints and the API, which might still dissent: a short
///   one, unless several operators have not answered at all.
struct VerdictReducer: Sendable {
    /// The properties of an endpoint that are known before it answers.
    struct Subject: Hashable, Sendable {
        let isSecure: Bool
        /// Endpoints of one operator are one witness.
        let operatorName: String
        /// Whether the host's name belongs to the public Internet.
        var isPublic = true
    }

    /// The state of the captive portal API.
    enum PortalAPIAnswer: Hashable, Sendable {
        /// No API to query, or its answer adds nothing.
        case silent
        /// The API has not answered yet.
        case pending
        /// The API says captive, with a login page or without.
        case captive(URL?)
    }

    enum Decision: Hashable, Sendable {
        case verdict(InternetCheck.Verdict)
        /// There will be a verdict at this time at the latest, without any further evidence.
        case wait(until: Duration)
        /// No verdict without further evidence.
        case pending
    }

    let quorum: InternetCheck.Quorum
    let decisionWindow: Duration
    let requiresTLS: Bool
    private let subjects: [Subject]
    /// Where a browser finds the login when the API does not name the page: a plain endpoint's URL.
    var fallback: URL?
    /// The outcome of each endpoint so far.
    private(set) var evidence: [InternetCheck.Evidence?]
    /// The time at which the last of the endpoints over HTTPS was queried.
    var secureStart = Duration.zero
    private var captivePortalAPI: PortalAPIAnswer
    private var quorumTime: Duration?
    private var dissentTime: Duration?

    /// A quorum reached after this time or less still waits this long for a portal's answer.
    private static let shortestPatience = Duration.milliseconds(250)
    /// The time for which a quorum waits for the HTTPS of the other operators.
    private static let securePatience = Duration.seconds(1)
    /// The same, from the start of the check, if most operators are silent over HTTPS: silence proves something by then.
    private static let longestSecurePatience = Duration.milliseconds(4250)
    /// The number of operators that must be proven over HTTPS to outweigh a lone dissent, or plain HTTP that does not pass.
    private static let witnessesNeeded = 2

    init(
        _ subjects: [Subject], quorum: InternetCheck.Quorum, decisionWindow: Duration, requiresTLS: Bool = false,
        fallback: URL?, captivePortalAPI: PortalAPIAnswer = .silent
    ) {
        self.subjects = subjects
        self.quorum = quorum
        self.decisionWindow = decisionWindow
        self.requiresTLS = requiresTLS
        self.fallback = fallback
        self.captivePortalAPI = captivePortalAPI
        evidence = subjects.map { _ in nil }
        noteTimes(at: .zero)
    }

    /// Adds the outcome of an endpoint, at a time since the check began.
    mutating func record(_ new: InternetCheck.Evidence, of index: Int, at time: Duration) {
        guard evidence.indices.contains(index) else { return }
        evidence[index] = new
        noteTimes(at: time)
    }

    /// Adds the answer of the captive portal API.
    mutating func record(_ api: PortalAPIAnswer, at time: Duration) {
        captivePortalAPI = api
        noteTimes(at: time)
    }

    private mutating func noteTimes(at time: Duration) {
        if quorumTime == nil, hasQuorum { quorumTime = time }
        if dissentTime == nil, portal != nil { dissentTime = time }
    }

    /// Whether the evidence so far is enough for a verdict.
    func decision(at time: Duration) -> Decision {
        let mayDissent = zip(subjects, evidence).contains { !$0.isSecure && $1 == nil } || captivePortalAPI == .pending
        if let portal, let dissentTime {
            guard canBeOutweighed else { return .verdict(.captivePortal(portal)) }
            if isOutweighed, !hasOpenQuestion { return .verdict(.verified) }
            let end = dissentTime + decisionWindow
            return time >= end ? .verdict(finalVerdict) : .wait(until: end)
        }
        if evidence.allSatisfy({ $0 != nil }), captivePortalAPI != .pending { return .verdict(finalVerdict) }
        guard hasQuorum, let quorumTime else { return .pending }
        // A portal that lets the first operators pass redirects the others more slowly than those answer.
        let patience = silentOperators > 1 || isDoubted ? decisionWindow : max(quorumTime, Self.shortestPatience)
        let dissentEnd = mayDissent || isDoubted ? min(quorumTime + patience, max(decisionWindow, quorumTime)) : nil
        let end = [dissentEnd, secureEnd(since: quorumTime)].compactMap(\.self).max()
        guard let end, time < end else { return .verdict(finalVerdict) }
        return .wait(until: end)
    }

    /// How long a quorum waits for operators that are silent over HTTPS; nil if there are none, and if it would not matter.
    private func secureEnd(since quorumTime: Duration) -> Duration? {
        let (open, failed, asked) = secureOperators
        guard open > 0, asked > 1 else { return nil }
        let end = quorumTime + Self.securePatience
        return mayBreakQuorum(open + failed, of: asked) ? max(end, secureStart + Self.longestSecurePatience) : end
    }

    /// The verdict without any further evidence: an endpoint that has not answered is a failure.
    var finalVerdict: InternetCheck.Verdict {
        if let portal { return isOutweighed ? .verified : .captivePortal(portal) }
        let isSecureBroken = isSecureBroken
        if hasQuorum, !isDoubted, !isSecureBroken { return .verified }
        // The API without a login page counts only where the probes do not prove the contrary.
        if isCaptive, let fallback { return .captivePortal(fallback) }
        let plain = counts { !$0.isSecure }
        let secure = counts { $0.isSecure }
        guard plain.total + secure.total > 0 else { return .inconclusive }
        if isSinkhole { return .noInternet(.hijackedNames) }
        let isPlainEnough =
            plain.passed >= min(quorum.needed(of: plain.total + secure.total), plain.total)
            || 2 * plain.passed > plain.total
        let isInsecure = secure.passed == 0 && (secure.total > 0 || requiresTLS) || isSecureBroken
        if isInsecure, plain.passed > 0, isPlainEnough { return .partial }
        return .noInternet(reason)
    }

    // MARK: - Dissent

    /// The login page: the one that the API names, otherwise that of the first dissenting source.
    private var portal: URL? {
        if case .captive(let url?) = captivePortalAPI { return url }
        return evidence.lazy.compactMap { $0?.portal }.first
    }

    /// Whether the API says captive without a login page, and an operator that may be blocked before the login agrees.
    private var isDoubted: Bool {
        guard captivePortalAPI == .captive(nil), fallback != nil else { return false }
        let witnesses = witnesses
        return witnesses.failed + witnesses.open > 0
    }

    private var dissentingOperators: Set<String> { operators { $1?.portal != nil } }

    /// The operators with an endpoint that meets a condition.
    private func operators(_ condition: (Subject, InternetCheck.Evidence?) -> Bool) -> Set<String> {
        Set(zip(subjects, evidence).filter(condition).map(\.0.operatorName))
    }

    private var hasOneDissent: Bool {
        // The status 511 is a portal's own word (RFC 6585).
        !evidence.contains { $0?.portal != nil && $0?.status == 511 }
            && dissentingOperators.count + (isCaptive ? 1 : 0) == 1
    }

    /// The operators other than the dissenting ones, by their state over HTTPS.
    private var witnesses: Witnesses { witnesses(without: dissentingOperators) }
    private var allWitnesses: Witnesses { witnesses(without: []) }

    private typealias Witnesses = (proven: Int, failed: Int, open: Int)

    private func witnesses(without dissenting: Set<String>) -> Witnesses {
        var numbers = (proven: 0, failed: 0, open: 0)
        for name in Set(subjects.map(\.operatorName)).subtracting(dissenting) {
            let secure = zip(subjects, evidence).filter { $0.0.operatorName == name && $0.0.isSecure }.map(\.1)
            if secure.contains(where: { $0?.passed == true }) {
                numbers.proven += 1
            } else if secure.contains(where: { $0 == nil }) {
                numbers.open += 1
            } else if secure.contains(where: { $0?.isUnable == false }) {
                numbers.failed += 1
            }
        }
        return numbers
    }

    /// Whether the evidence so far outweighs the dissent of one operator, the pages of a filter of names, or scripts in pages.
    private var isOutweighed: Bool {
        guard hasQuorum else { return false }
        let isFilter = isNameFilter && dissentingEvidence.contains(where: \.isForeign)
        return (hasOneDissent || isFilter) && areProven(witnesses) || isScripted && areProven(allWitnesses)
    }

    private func areProven(_ witnesses: Witnesses) -> Bool {
        witnesses.proven >= Self.witnessesNeeded && witnesses.failed + witnesses.open == 0
    }

    /// Whether the dissent may still be outweighed.
    private var canBeOutweighed: Bool {
        let dissenting = dissentingOperators
        let mayBeForeign = zip(subjects, evidence).contains { subject, evidence in
            subject.isSecure && dissenting.contains(subject.operatorName) && evidence?.isForeign != false
        }
        return (hasOneDissent || isNameFilter && mayBeForeign)
            && canBeProven(witnesses(without: dissenting.union(followers)))
            || isScripted && canBeProven(allWitnesses)
    }

    /// The operators that may still dissent, and whose names lead where those of the dissenting ones do.
    private var followers: Set<String> {
        guard !isCaptive else { return [] }
        let addresses = Set(dissentingEvidence.compactMap(\.address))
        let open = operators { !$0.isSecure && $1 == nil }
        return open.intersection(
            operators { subject, evidence in
                guard subject.isSecure, let evidence, !evidence.passed, let address = evidence.address else {
                    return false
                }
                return addresses.allSatisfy { $0.version != address.version || $0 == address }
            })
    }

    private func canBeProven(_ witnesses: Witnesses) -> Bool {
        let all = counts { _ in true }
        let possible = witnesses.proven + witnesses.open
        return possible >= Self.witnessesNeeded && witnesses.failed == 0
            && (all.passed + all.pending >= quorum.needed(of: all.total) || isMajority(possible))
    }

    /// Whether the network says that it has a login.
    private var isCaptive: Bool { if case .captive = captivePortalAPI { true } else { false } }

    /// The evidence of the operators that dissent.
    private var dissentingEvidence: [InternetCheck.Evidence] {
        let dissenting = dissentingOperators
        return zip(subjects, evidence).compactMap { dissenting.contains($0.operatorName) ? $1 : nil }
    }

    /// Whether the names of all operators that dissent lead to one address, which may be that of a filter: none of them is proven there.
    private var isNameFilter: Bool {
        guard !isCaptive, dissentingOperators.count > 1 else { return false }
        let own = dissentingEvidence
        let addresses = Dictionary(grouping: own.map(\.address)) { $0?.version }
        return addresses[nil] == nil && addresses.values.allSatisfy { Set($0).count == 1 }
            && own.allSatisfy { $0.proxy == nil && $0.status != 511 && !($0.passed && $0.isSecure) }
    }

    /// Whether all that dissents is what was expected, with scripts added.
    private var isScripted: Bool {
        !isCaptive && evidence.allSatisfy { $0?.portal == nil || $0?.hasAddedScripts == true }
    }

    /// Whether an answer is missing that might still dissent: one over plain HTTP of another operator, the API's, or of several operators
    /// that dissent any.
    private var hasOpenQuestion: Bool {
        let dissenting = dissentingOperators
        return captivePortalAPI == .pending
            || zip(subjects, evidence).contains { subject, evidence in
                evidence == nil
                    && (dissenting.contains(subject.operatorName) ? dissenting.count > 1 : !subject.isSecure)
            }
    }

    // MARK: - Quorum

    /// Enough endpoints passed, and not over plain HTTP alone where HTTPS takes part or is required; or most operators are
    /// proven over HTTPS, whatever happens to plain HTTP.
    private var hasQuorum: Bool {
        if isMajority(provenOperators) { return true }
        let plain = counts { !$0.isSecure }
        let secure = counts { $0.isSecure }
        guard plain.passed + secure.passed > 0 else { return false }
        let isProven = secure.passed > 0 || (secure.total == 0 && !requiresTLS)
        return isProven && plain.passed + secure.passed >= quorum.needed(of: plain.total + secure.total)
    }

    /// Whether so many operators, proven over HTTPS, are enough for a quorum of up to half of the endpoints: more than half of
    /// those that could be queried over HTTPS.
    private func isMajority(_ proven: Int) -> Bool {
        guard proven >= Self.witnessesNeeded, case .percent(...50) = quorum else { return false }
        return 2 * proven > operators { $0.isSecure && $1?.isUnable != true }.count
    }

    /// The operators that were asked over HTTPS: those that have not answered, those that failed, and all.
    private var secureOperators: (open: Int, failed: Int, asked: Int) {
        let proven = operators { $0.isSecure && $1?.passed == true }
        let open = operators { $0.isSecure && $1 == nil }.subtracting(proven)
        // A status over HTTPS proves the server.
        let failed = operators { $0.isSecure && $1.map { !$0.passed && !$0.isUnable && $0.status == nil } == true }
            .subtracting(proven).subtracting(open)
        return (open.count, failed.count, proven.count + open.count + failed.count)
    }

    /// Whether HTTPS fails for most of several operators.
    ///
    /// A quorum that is a number is the user's own decision.
    private var isSecureBroken: Bool {
        let (_, failed, asked) = secureOperators
        // A foreign certificate proves interception, even where other answers are lost.
        let foreign = operators { $0.isSecure && $1?.isForeign == true }.count
        return mayBreakQuorum(failed, of: asked) || mayBreakQuorum(foreign, of: foreign + provenOperators)
    }

    private func mayBreakQuorum(_ failed: Int, of asked: Int) -> Bool {
        guard failed >= Self.witnessesNeeded, case .percent = quorum else { return false }
        return 2 * failed > asked
    }

    private var provenOperators: Int { operators { $0.isSecure && $1?.passed == true }.count }

    /// The number of operators none of whose endpoints has answered.
    private var silentOperators: Int { operators { $1 == nil }.subtracting(operators { $1 != nil }).count }

    /// The numbers of endpoints that passed, that have not answered, and that could be queried.
    private func counts(_ isCounted: (Subject) -> Bool) -> (passed: Int, pending: Int, total: Int) {
        let counted = zip(subjects, evidence).filter { isCounted($0) && $1?.isUnable != true }
        return (counted.count { $1?.passed == true }, counted.count { $1 == nil }, counted.count)
    }

    // MARK: - Reason

    /// Whether the names of several operators led to one address that cannot prove to be any of them: a DNS sinkhole.
    ///
    /// Two foreign certificates are enough; for other failures three, because two hosts may share an address.
    private var isSinkhole: Bool {
        guard !evidence.contains(where: { $0?.passed == true && $0?.isSecure == true }) else { return false }
        var imposters: [NetworkAddress: Set<String>] = [:]
        var silent: [NetworkAddress: Set<String>] = [:]
        for (subject, evidence) in zip(subjects, evidence) {
            guard subject.isPublic, let evidence, evidence.proxy == nil, let address = evidence.address,
                // An expired certificate is the host's own.
                let error = evidence.error, !error.isInability, error.code != .invalidCertificate
            else { continue }
            silent[address, default: []].insert(subject.operatorName)
            guard subject.isSecure, error.reason == .tls else { continue }
            imposters[address, default: []].insert(subject.operatorName)
        }
        return imposters.values.contains { $0.count > 1 } || silent.values.contains { $0.count > 2 }
    }

    /// The most frequent reason; of equally frequent ones, the most specific.
    private var reason: InternetCheck.NoInternetReason {
        .mostFrequent(
            evidence.compactMap { evidence in
                guard let evidence else { return .timedOut }
                return evidence.error.flatMap { $0.isInability ? nil : $0.reason }
            }) ?? .timedOut
    }
}

extension InternetCheck.NoInternetReason {
    /// The most frequent reason, and the most specific of equally frequent ones; nil without any.
    static func mostFrequent(_ reasons: [Self]) -> Self? {
        let numbers = reasons.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return allCases.first { numbers[$0] != nil && numbers[$0] == numbers.values.max() }
    }
}

extension InternetCheck.Evidence {
    /// Whether the endpoint could not be queried, so that it says nothing about the network.
    fileprivate var isUnable: Bool { error?.isInability == true }

    /// Whether a host that is not the operator's has answered.
    fileprivate var isForeign: Bool {
        [.untrustedCertificate, .wrongCertificateName].contains(error?.code) && isSecure
    }
}

extension ProbeError {
    /// The reason that a failure of this kind is counted under.
    var reason: InternetCheck.NoInternetReason {
        switch code {
        case .hijackedName: .hijackedNames
        case .untrustedCertificate, .wrongCertificateName, .invalidCertificate, .tlsFailure: .tls
        case .unexpectedAnswer, .malformedResponse, .proxyFailure: .unexpectedAnswers
        case .refused, .connectionLost: .refused
        case .hostNotFound, .noAddress: .hostNotFound
        case .nameServerFailure: .nameResolution
        case .nameServerRefused: .dnsRefused
        case .nameServerSilent: .dnsSilent
        case .timedOut: step == .resolve ? .dnsSilent : .timedOut
        default: .unreachable
        }
    }
}
