// SPDX-License-Identifier: Apache-2.0

/// What a check and its probes show about one family, IPv4 or IPv6, beyond the router.
struct FamilyEvidence: Hashable, Sendable {
    /// The addresses that answered, also by a refusal.
    private(set) var answered: Set<NetworkAddress> = []
    /// The addresses that did not answer in time, or that a router reports as unreachable.
    private(set) var unanswered: Set<NetworkAddress> = []
    /// The number of attempts to connect that lost the race against the other family (RFC 8305), or failed: the family may only be slow.
    private var outpaced = 0

    /// The time without an answer after which a probe is evidence.
    static let patience = Duration.seconds(1)
    /// The time for a probe, which begins a little later than it is measured.
    static let probePatience = patience + .milliseconds(100)
    /// The time after which an attempt to connect has lost the race (RFC 8305).
    private static let attemptDelay = Duration.milliseconds(250)

    /// Gathers the evidence about a family.
    ///
    /// - Parameters:
    ///   - endpoints: the evidence of a check. A proxy's addresses say nothing about the Internet.
    ///   - addresses: the answers of probes.
    init(of family: IPVersion, _ endpoints: [InternetCheck.Evidence], _ addresses: [PublicAddressProbe.Answer] = []) {
        for evidence in endpoints where evidence.proxy == nil {
            if let address = evidence.address, address.version == family, evidence.hasConnection {
                answered.insert(address)
            }
            for attempt in evidence.failedAttempts where attempt.address.version == family {
                add(attempt, besides: evidence)
            }
        }
        for answer in addresses where answer.address.version == family {
            switch answer.outcome {
            case .answers, .refuses: answered.insert(answer.address)
            case .unreachable: unanswered.insert(answer.address)
            case .silent:
                if answer.duration >= Self.patience { unanswered.insert(answer.address) }
            // What accepts connections in the place of one version does so in that of the other.
            case .accepts, .notSent: break
            }
        }
        unanswered.subtract(answered)
    }

    /// The family that does not answer while the other one does, and is not known to be dead; nil without one.
    static func suspect(_ endpoints: [InternetCheck.Evidence]) -> IPVersion? {
        [(IPVersion.ipv6, IPVersion.ipv4), (.ipv4, .ipv6)].first { family, other in
            let own = Self(of: family, endpoints)
            return own.outpaced > 0 && own.answered.isEmpty && !Self(of: other, endpoints).answered.isEmpty
        }?.0
    }

    /// The family whose attempts are often outpaced by the other one, over which no packet was repeated; nil without one.
    ///
    /// It may lose packets, or be slow.
    static func mayLosePackets(_ endpoints: [InternetCheck.Evidence]) -> IPVersion? {
        [(IPVersion.ipv6, IPVersion.ipv4), (.ipv4, .ipv6)].first { family, other in
            let direct = endpoints.filter { $0.proxy == nil && $0.passed && $0.address?.version == other }
            return Self(of: family, endpoints).outpaced >= leastOutpaced && direct.count >= leastOutpaced
                && direct.allSatisfy { $0.packets.map { $0.recovered == 0 } == true }
        }?.0
    }

    private static let leastOutpaced = 3

    private mutating func add(_ attempt: InternetCheck.Evidence.Attempt, besides evidence: InternetCheck.Evidence) {
        // If the other family is slow, this one may be as well.
        let patience = max(Self.attemptDelay, (evidence.durations.connect ?? .zero) * 2)
        switch attempt.error?.code {
        case .refused?, .connectionLost?: answered.insert(attempt.address)
        case .timedOut?: unanswered.insert(attempt.address)
        // A router may have reported it, or this machine's own kernel.
        case .unreachable?: outpaced += 1
        case nil where attempt.duration >= patience: outpaced += 1
        // The attempt was too short, or could not be made.
        default: break
        }
    }
}

/// A family that is dead beyond the router while the other one works.
struct DeadFamily: Hashable, Sendable {
    /// The family that is not answered.
    let family: IPVersion
    /// The time that each new connection loses by it (RFC 8305); nil if it loses none, because the other family is tried first.
    let delay: Duration?

    /// The number of addresses that must be silent: one may be at fault itself.
    private static let leastAddresses = 2
    /// A router that rejects a family delays nothing.
    private static let notableDelay = Duration.milliseconds(200)

    /// Creates the value, also for tests.
    init(_ family: IPVersion, delay: Duration? = nil) {
        self.family = family
        self.delay = delay
    }

    /// Decides from the evidence of a check and its probes whether a family is dead; nil if none is, or if that is not proven.
    init?(_ endpoints: [InternetCheck.Evidence], _ addresses: [PublicAddressProbe.Answer] = []) {
        let evidence = { FamilyEvidence(of: $0, endpoints, addresses) }
        let dead = [(IPVersion.ipv6, IPVersion.ipv4), (.ipv4, .ipv6)].first { family, other in
            let own = evidence(family)
            return own.answered.isEmpty && own.unanswered.count >= Self.leastAddresses
                && !evidence(other).answered.isEmpty
        }?.0
        guard let dead else { return nil }
        // Other programs try the families in the system's order only.
        let delays = endpoints.filter { evidence in
            !evidence.reversesFamilies && evidence.address.map { $0.version != dead } ?? false
                && evidence.failedAttempts.contains { $0.address.version == dead }
        }.compactMap(\.durations.delay)
        self.init(dead, delay: delays.min().flatMap { $0 >= Self.notableDelay ? $0 : nil })
    }
}

extension DeadFamily: CustomStringConvertible {
    /// One sentence for a user.
    var description: String {
        let cost = delay.map { ", which delays connections by \(Int($0 / .milliseconds(1))) ms" } ?? ""
        return "\(family.name) is not answered beyond the router\(cost)."
    }
}

extension InternetCheck.Hops {
    /// The IP version by which alone the name servers are reached, all of them beyond the router and none with an answer, while a public
    /// address of the other version soon answers; nil without one.
    var silentNamesVersion: IPVersion? {
        guard let version = nameServers.first?.server.version,
            nameServers.allSatisfy({ answer in
                answer.server.version == version && !answer.isNearby && !answer.hasReplied
            }),
            publicAddresses.contains(where: { answer in
                answer.outcome == .answers && answer.address.version != version
                    // While answers take longer, silence is no evidence.
                    && answer.duration * 2 <= FamilyEvidence.patience
            })
        else { return nil }
        return version
    }
}

extension InternetCheck.Evidence {
    /// Whether the address accepted the connection, or refused it.
    fileprivate var hasConnection: Bool {
        error == nil || isConnected || [.refused, .connectionLost].contains(error?.code)
    }
}

extension IPVersion {
    /// The name for a user.
    var name: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

extension NetworkAddress {
    /// Whether it is of NAT64, for a host that has an IPv4 address only (RFC 6052): a network may use another prefix.
    var isTranslated: Bool { version == .ipv6 && bits >> 32 == 0x64_FF9B << 64 }

    /// Whether it is in a range that transparent proxies give to names.
    var isOfTransparentProxy: Bool { version == .ipv4 ? bits >> 17 == 0xC612 >> 1 : bits >> 110 == 0xFC00 << 2 }
}
