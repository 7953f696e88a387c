// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// Decides what a check queries and asks, how long it waits for answers, and when it is over.
///
/// A value on the check's clock, which starts at zero. The caller records each event with the time at which it happened, and then
/// performs the commands, until the check is over. Events of the same time may be recorded in any order. Each query that was commanded
/// ends with an event by the check's limit: one that is cut off reports how far it got.
///
/// `VerdictReducer` says when the answers of the endpoints are enough, `HopCollection` when the nearer hops are asked, and how long the
/// check waits for them.
struct CheckMachine: Sendable {
    /// An event of a check.
    enum Event: Sendable {
        /// The query of the endpoint with this number has ended.
        case answered(Int, InternetCheck.Evidence)
        /// The query of the captive portal API has ended; nil if the network announces none.
        case captivePortal(InternetCheck.Report.CaptivePortalEvidence?)
        /// The hops of a kind are asked now, and these are the public addresses that may be asked, which are reached through a tunnel
        /// or not; nil if this check asks none.
        case inquiry(HopCollection.Kind, [NetworkAddress]?, tunnel: String? = nil)
        /// The hops of a kind have answered.
        case hops(HopCollection.Answers)
        /// The address with which an endpoint's TLS handshake is under way; nil if no handshake is.
        case handshake(Int, NetworkAddress?)
        /// An alarm's time has come.
        case alarm
        /// The check was cancelled.
        case cancelled
    }

    /// An action for the caller.
    enum Command: Hashable, Sendable {
        /// Query the endpoint with this number.
        case query(Int)
        /// Query the captive portal API.
        case queryCaptivePortalAPI
        /// Ask the hops of a kind.
        case ask(HopCollection.Kind)
        /// Make a probe, and record its answers as those of hops.
        case probe(Probe)
        /// Record an alarm at this time.
        case setAlarm(Duration)
    }

    /// A probe that some evidence calls for.
    enum Probe: Hashable, Sendable {
        /// Test whether large packets of the endpoint with this number arrive from an address.
        case largePackets(Int, NetworkAddress)
        /// Measure the loss with the port of an address.
        case loss(NetworkAddress, UInt16)
        /// Connect to public addresses of an IP version or, if none may be asked, to these addresses of endpoints.
        case family(IPVersion, [NetworkAddress])
        /// Query the endpoint with this number, by the IP version that the system prefers less.
        case page(Int)
        /// Find out whether a public address shows its own certificate.
        case certificate(NetworkAddress)
    }

    /// The endpoints and the rules of a check.
    struct Plan: Sendable {
        struct Endpoint: Sendable {
            let url: String
            let port: UInt16
            let subject: VerdictReducer.Subject
        }

        /// The endpoints, in the order of the configuration.
        var endpoints: [Endpoint]
        /// The number or share of endpoints that must pass.
        var quorum = InternetCheck.Quorum.percent(50)
        /// The time for which the check waits for contrary evidence.
        var decisionWindow = Duration.seconds(3)
        /// Whether `verified` requires HTTPS.
        var requiresTLS = false
        /// The address at which a browser finds the login if nothing else names the page.
        var fallback: URL?
        /// Whether the captive portal API is queried.
        var queriesCaptivePortalAPI = false
        /// When the hops are asked.
        var policy = HopPolicy.ifNeeded
        /// The time limit of the check.
        var limit = Duration.seconds(10)
        /// Whether the check awaits what its verdict does not need: the HTTPS of each operator, and a connection and a handshake over
        /// each IP version.
        var isFull = false
        /// The endpoints that try first the IP version that the others try last.
        var reversedEndpoints: Set<Int> = []
        /// The endpoints that are queried after another one over HTTPS has ended, or in a while: on a slow line, their certificates would
        /// delay all answers.
        var deferredEndpoints: Set<Int> = []
        /// The IP versions that may be tried on their own.
        var families: [IPVersion] = []
    }

    let plan: Plan
    private(set) var reducer: VerdictReducer
    private(set) var hopCollection: HopCollection
    @Boxed private(set) var captivePortalAPI: InternetCheck.Report.CaptivePortalEvidence?
    /// The handshakes that are under way.
    private(set) var handshakes: [Int: NetworkAddress] = [:]
    /// How far the queries got that had not ended when the check was over.
    private(set) var unfinished: [Int: InternetCheck.Evidence] = [:]
    private(set) var isCancelled = false
    /// Whether the check is over: there are no more commands, and what is under way is cancelled.
    private(set) var isOver = false
    private var isStarted = false
    /// When the deferred endpoints were queried; nil before.
    private(set) var deferredStart: Duration?
    private var alarm: Duration?
    /// The latest time: it never goes back, although an event may be recorded after a later one.
    private(set) var now = Duration.zero

    init(_ plan: Plan) {
        self.plan = plan
        reducer = VerdictReducer(
            plan.endpoints.map(\.subject), quorum: plan.quorum, decisionWindow: plan.decisionWindow,
            requiresTLS: plan.requiresTLS, fallback: plan.fallback,
            captivePortalAPI: plan.queriesCaptivePortalAPI ? .pending : .silent)
        hopCollection = HopCollection(plan.policy, within: plan.limit)
    }

    /// The answers of the hops so far.
    var hops: InternetCheck.Hops { hopCollection.hops }

    /// Whether it depends on the handshakes that are under way what is commanded next.
    func needsHandshakes(at time: Duration) -> Bool {
        !isOver && (hopCollection.mayTestLargePackets(at: time) || awaitsDeferral && time >= Self.deferralDelay)
    }

    // MARK: - Events

    /// Records an event with the time at which it happened.
    mutating func record(_ event: Event, at time: Duration) {
        now = max(now, time)
        switch event {
        case .cancelled: isCancelled = true
        case .answered(let index, let evidence) where isOver: unfinished[index] = evidence
        case _ where isOver: break
        case .answered(let index, let evidence): record(evidence, of: index)
        case .captivePortal(let evidence):
            captivePortalAPI = evidence
            // Without a plain endpoint and a login page, a browser is directed to the API's own URL.
            reducer.fallback = reducer.fallback ?? evidence.flatMap { PortalURL.usable($0.url) }
            // The API can only add captivity.
            let state = evidence?.state
            reducer.record(state?.isCaptive == true ? .captive(state?.userPortal) : .silent, at: now)
        case .inquiry(_, let addresses?, let tunnel): hopCollection.note(addresses, through: tunnel)
        case .inquiry(let kind, nil, _): hopCollection.end(kind)
        case .hops(let answers): hopCollection.add(answers)
        case .handshake(let index, let address): handshakes[index] = address
        case .alarm: break
        }
    }

    private mutating func record(_ evidence: InternetCheck.Evidence, of index: Int) {
        // A query that was cut off proves nothing, not even that HTTPS could not be queried.
        if isCancelled, evidence.error?.code == .cancelled { return }
        reducer.record(evidence, of: index, at: now)
        if evidence.error?.isInability == false { hopCollection.noteFailure(at: now) }
        hopCollection.note(evidence.packets)
        if evidence.portal != nil, evidence.proxy == nil, evidence.address?.isPrivate == true {
            hopCollection.hasOwnPage = true
        }
    }

    // MARK: - Commands

    /// The actions to perform now, in this order.
    ///
    /// The first call starts the check. Later calls return what follows from the events since the last one, and from the time.
    mutating func commands(at time: Duration) -> [Command] {
        now = max(now, time)
        if isCancelled { isOver = true }
        guard !isOver else { return [] }
        var commands: [Command] = []
        if !isStarted {
            isStarted = true
            commands = plan.endpoints.indices.filter { !plan.deferredEndpoints.contains($0) }.map { .query($0) }
            if plan.queriesCaptivePortalAPI { commands.append(.queryCaptivePortalAPI) }
        }
        if awaitsDeferral, now >= deferral {
            deferredStart = now
            reducer.secureStart = now
            commands += plan.deferredEndpoints.sorted().map { .query($0) }
        }
        let decision = reducer.decision(at: now)
        let kinds = hopCollection.dueKinds(decision, at: now)
        if !kinds.isEmpty { commands += HopCollection.Kind.allCases.filter(kinds.contains).map { .ask($0) } }
        for (kind, probe) in dueProbes(decision) {
            hopCollection.begin([kind], at: now)
            if case .largePackets(_, let address) = probe { hopCollection.hops.largePacketsVersion = address.version }
            if case .loss(let address, _) = probe, address.version == lossyVersion(decision) {
                hopCollection.hops.lossVersion = address.version
            }
            commands.append(.probe(probe))
        }
        let awaitsMore = awaitsMore(decision)
        isOver = hopCollection.isOver(decision, at: now) && !awaitsMore
        // A query that began now could not end.
        if isOver { return [] }
        let end = awaitsMore ? patience : nil
        let start = awaitsDeferral ? deferral : nil
        if let next = [hopCollection.nextTime(decision, at: now), end, start].compactMap(\.self).min(), next != alarm {
            alarm = next
            commands.append(.setAlarm(next))
        }
        return commands
    }

    /// The time for which a verified check waits for answers that its verdict does not need: a full one until silence proves something.
    private var patience: Duration { min(plan.isFull ? Self.silence : .seconds(1), plan.limit) }

    /// The time after which an endpoint without an answer is silent rather than not needed.
    static let silence = Duration.seconds(2)

    private var awaitsDeferral: Bool { deferredStart == nil && !plan.deferredEndpoints.isEmpty }

    /// The time after which deferred endpoints are queried though no other one over HTTPS has ended: the silence of all is known within
    /// six seconds.
    private static let deferralDelay = Duration.milliseconds(900)

    /// When the deferred endpoints are queried: at once after another one over HTTPS has ended, else after a while, which is longer if
    /// handshakes are under way and nothing was fast.
    private var deferral: Duration {
        let answers = zip(plan.endpoints, reducer.evidence)
        if answers.contains(where: { $0.subject.isSecure && $1 != nil }) { return .zero }
        let isFast = answers.contains { $1?.status != nil && $1.map { $0.durations.total < Self.fastAnswer } == true }
        return isFast || handshakes.isEmpty ? Self.deferralDelay : Self.silence
    }

    /// An answer over plain HTTP that takes longer may come over a slow line.
    private static let fastAnswer = Duration.milliseconds(500)

    /// Whether an answer has not come yet, although it should soon, that shows more than the verdict needs.
    private func awaitsMore(_ decision: VerdictReducer.Decision) -> Bool {
        guard decision == .verdict(.verified), now < patience else { return false }
        return plan.endpoints.indices.contains { index in
            reducer.evidence[index] == nil
                && (plan.reversedEndpoints.contains(index) || plan.isFull && plan.endpoints[index].subject.isSecure)
        }
    }
}
