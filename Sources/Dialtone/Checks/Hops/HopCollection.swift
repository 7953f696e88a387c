// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// When a check asks the nearer hops.
enum HopPolicy: Hashable, Sendable {
    /// Never.
    case never
    /// As soon as the check does not simply pass.
    case ifNeeded
    /// At once; public addresses as soon as the check does not simply pass.
    case always
}

/// Decides which hops a check asks and how long it waits for them, and collects their answers.
///
/// A value on the check's clock. Nothing is asked while the check passes. Otherwise the hops are asked while the probes still
/// run, so that their answers are there when the verdict is.
struct HopCollection: Sendable {
    /// The inquiries of a check; those that are due are made at the same time.
    enum Kind: Hashable, Sendable, CaseIterable {
        case routers, nameServers, publicAddresses, largePackets
        /// The share of packets that are lost, and whether something accepts connections in the place of hosts.
        case loss
        /// Addresses of the IP version that may be dead.
        case family
        /// The plain endpoint of a second operator, by the IP version by which one alone shows a login page.
        case page
        /// Whether a public address that answers shows its own certificate.
        case certificate
    }

    /// The answers to one kind.
    enum Answers: Sendable {
        case routers([InternetCheck.RouterAnswer])
        case nameServers([InternetCheck.NameServerAnswer])
        case publicAddresses([InternetCheck.AddressAnswer])
        case largePackets(LargePacketProbe.Outcome)
        case loss(LossProbe.Outcome)
        case family([InternetCheck.AddressAnswer])
        case page(InternetCheck.Evidence)
        case certificate(isForeign: Bool)
    }

    private let policy: HopPolicy
    private let limit: Duration
    var hops = InternetCheck.Hops()
    /// The answers of addresses of the IP version that may be dead.
    private(set) var familyAnswers: [InternetCheck.AddressAnswer] = []
    /// The evidence of a second operator by the IP version of a login page.
    @Boxed private(set) var secondPage: InternetCheck.Evidence?
    /// The public addresses that are asked.
    var publicAddresses: [NetworkAddress] = []
    /// Whether public addresses show a foreign certificate.
    private var isAnsweredInPlace = false
    private var begun: [Kind: Duration] = [:]
    private var open: Set<Kind> = []
    private var firstFailure: Duration?
    /// The connections that repeated packets which were answered then, and the number of those packets.
    private var lossy = (connections: 0, packets: 0)
    /// Whether a page came from a private address: public addresses show whether the rest of the Internet answers.
    var hasOwnPage = false

    /// A check that has not passed after this time asks the hops.
    private static let delay = Duration.seconds(1)
    /// A check that has not passed after this time measures the loss, if it still has the time for a few answers.
    private static let lossDelay = Duration.milliseconds(1300)
    private static let leastLossTime = Duration.seconds(1)
    /// A failure does not matter if the check passes within this time.
    private static let grace = Duration.milliseconds(100)
    /// The time for which a check waits for the hops after it has asked them, if its own probes have ended.
    private static let patience = Duration.seconds(1)
    /// The same for public addresses if names are not resolved: these alone then show whether anything beyond the router answers,
    /// and a round trip may take seconds.
    private static let addressPatience = Duration.milliseconds(2500)

    init(_ policy: HopPolicy, within limit: Duration) {
        self.policy = policy
        self.limit = limit
    }

    /// Whether connections show that packets may be lost.
    ///
    /// They do not prove it: where answers are late, packets are repeated, too.
    private var repeatsPackets: Bool { lossy.connections > 1 && lossy.packets > 2 }

    /// Notes the packets of a connection.
    mutating func note(_ packets: SentPackets?) {
        guard let packets, packets.recovered > 0 else { return }
        lossy = (lossy.connections + 1, lossy.packets + packets.recovered)
    }

    mutating func noteFailure(at time: Duration) { firstFailure = firstFailure ?? time }

    /// Notes the public addresses that may be asked, and the tunnel that leads to them, if one does.
    mutating func note(_ publicAddresses: [NetworkAddress], through tunnel: String?) {
        self.publicAddresses = publicAddresses
        hops.tunnel = tunnel
    }

    mutating func begin(_ kinds: Set<Kind>, at time: Duration) {
        for kind in kinds { begun[kind] = time }
        open.formUnion(kinds)
    }

    mutating func end(_ kind: Kind) { open.remove(kind) }

    /// Adds the answers of one kind.
    mutating func add(_ answers: Answers) {
        switch answers {
        case .routers(let answers):
            hops.routers = answers
            end(.routers)
        case .nameServers(let answers):
            hops.nameServers = answers
            end(.nameServers)
        case .publicAddresses(let answers):
            hops.publicAddresses = answers
            end(.publicAddresses)
        case .largePackets(let outcome):
            hops.largePackets = outcome
            end(.largePackets)
        case .loss(let outcome):
            hops.loss = outcome.loss
            hops.lossAtMost = outcome.lossAtMost
            end(.loss)
            for place in hops.publicAddresses.indices {
                switch hops.publicAddresses[place].outcome {
                case .answers where outcome.isMute: hops.publicAddresses[place].outcome = .accepts
                // Only the answers to the first greetings were lost.
                case .accepts where outcome.isAnswered && !isAnsweredInPlace:
                    hops.publicAddresses[place].outcome = .answers
                default: break
                }
            }
        case .family(let answers):
            familyAnswers = answers
            end(.family)
        case .page(let evidence):
            secondPage = evidence
            end(.page)
        case .certificate(let isForeign):
            end(.certificate)
            guard isForeign else { return }
            for place in hops.publicAddresses.indices where hops.publicAddresses[place].outcome == .answers {
                hops.publicAddresses[place].outcome = .accepts
            }
            isAnsweredInPlace = true
        }
    }

    /// Begins with the kinds that must be asked now, and returns them.
    mutating func dueKinds(_ decision: VerdictReducer.Decision, at now: Duration) -> Set<Kind> {
        var kinds: Set<Kind> = policy == .always ? [.routers, .nameServers] : []
        if let time = doubtTime(decision), time <= now { kinds.formUnion([.routers, .nameServers, .publicAddresses]) }
        kinds.subtract(begun.keys)
        begin(kinds, at: now)
        return kinds
    }

    /// When it is clear that the check does not simply pass; nil if it passes or may.
    private func doubtTime(_ decision: VerdictReducer.Decision) -> Duration? {
        guard policy != .never else { return nil }
        switch decision {
        case .verdict(.partial), .verdict(.noInternet): return .zero
        case .verdict(.captivePortal) where hasOwnPage: return .zero
        case .pending: return min(firstFailure.map { $0 + Self.grace } ?? Self.delay, Self.delay)
        case .verdict, .wait: return nil
        }
    }

    /// Whether it may be tried whether large packets arrive: once, and not before answers should have come.
    func mayTestLargePackets(at now: Duration) -> Bool {
        policy != .never && begun[.largePackets] == nil && now >= Self.delay
    }

    /// Whether the loss may be measured: once, if the check has not passed by the time when answers should have come, or if its
    /// connections show that packets may be lost.
    ///
    /// - Parameter version: the IP version by which alone packets may be lost; nil if none is known.
    func mayMeasureLoss(_ decision: VerdictReducer.Decision, at now: Duration, by version: IPVersion? = nil) -> Bool {
        guard policy != .never, begun[.loss] == nil, now + Self.leastLossTime <= limit else { return false }
        switch decision {
        case .verdict(.captivePortal): return false
        case .verdict(.verified): return repeatsPackets || version != nil
        default: return now >= Self.lossDelay && doubtTime(decision).map { $0 <= now } ?? false
        }
    }

    /// Whether a probe of a kind may be made that is made once.
    func mayTry(_ kind: Kind) -> Bool { begun[kind] == nil }

    /// Whether the check has ended: it has a verdict, and does not wait for hops.
    func isOver(_ decision: VerdictReducer.Decision, at now: Duration) -> Bool {
        guard case .verdict = decision else { return false }
        return waitsForHops(decision).map { now >= $0 } ?? true
    }

    /// When the check must look again although nothing has happened; nil if it need not.
    func nextTime(_ decision: VerdictReducer.Decision, at now: Duration) -> Duration? {
        let doubt = begun[.publicAddresses] == nil ? doubtTime(decision) : nil
        let test = policy == .never ? nil : [Self.delay, Self.lossDelay].first { $0 > now }
        let end: Duration? = if case .wait(let time) = decision { time } else { waitsForHops(decision) }
        return [doubt, test, end].compactMap(\.self).filter { $0 > now }.min()
    }

    /// How long a check with a verdict waits for the hops that were asked; nil if it does not.
    private func waitsForHops(_ decision: VerdictReducer.Decision) -> Duration? {
        guard case .verdict(let verdict) = decision else { return nil }
        let fails = verdict == .partial || verdict.reason != nil
        if fails, mayLosePackets(verdict) { return limit }
        let ends = open.compactMap { kind -> Duration? in
            let patience: Duration? =
                switch kind {
                // It ends by itself, after it has begun late on a busy machine.
                case .family: FamilyEvidence.probePatience * 2
                // It ends by itself.
                case .largePackets where !fails: LargePacketProbe.duration + .milliseconds(500)
                case .loss: fails || repeatsPackets || hops.lossVersion != nil ? LossProbe.duration : nil
                case .largePackets: LargePacketProbe.duration + .milliseconds(100)
                case .page: Self.patience
                case .certificate: fails ? PublicAddressProbe.certificatePatience : nil
                case _ where policy == .always: KernelSockets.neighborPatience
                case .publicAddresses where hasOwnPage && verdict.portal != nil: Self.patience
                case .publicAddresses where Self.namesReasons.contains(verdict.reason): Self.addressPatience
                default: fails ? Self.patience : nil
                }
            return patience.flatMap { patience in begun[kind].map { $0 + patience } }
        }
        return ends.max().map { min($0, limit) }
    }

    /// The reasons of checks that failed before anything beyond the name servers was contacted.
    private static let namesReasons: Set<InternetCheck.NoInternetReason?> = [
        .nameResolution, .dnsSilent, .dnsRefused, .hostNotFound, .hijackedNames, .unreachable,
    ]

    /// Whether packets may be lost: a name server answers, names are not resolved nevertheless, and no public address has
    /// answered yet, with which the loss could be measured.
    private func mayLosePackets(_ verdict: InternetCheck.Verdict) -> Bool {
        [.nameResolution, .dnsSilent].contains(verdict.reason) && open.contains(.publicAddresses)
            && hops.nameServers.contains { $0.outcome == .answers && !$0.isNearby }
    }

    /// Whether hops of a kind were asked that have not answered.
    func isCutOff(_ kind: Kind) -> Bool { open.contains(kind) }

    /// The answers; nil if no hop was asked.
    func result(at now: Duration) -> InternetCheck.Hops? {
        guard begun.contains(where: { ![.family, .page].contains($0.key) }) else { return nil }
        var result = hops
        if open.contains(.publicAddresses), let asked = begun[.publicAddresses], now - asked >= Self.patience {
            result.publicAddresses = publicAddresses.map { .init($0, .silent, after: now - asked) }
        }
        return result
    }
}
