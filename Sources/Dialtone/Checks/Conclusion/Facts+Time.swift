// SPDX-License-Identifier: Apache-2.0

/// Losses, and the time that answers take. Silence proves something only if an answer should have come by then.
extension Facts {
    // MARK: Loss

    /// The loss that was measured; nil without one.
    ///
    /// What the check's connections repeat is no measure: on a slow line, a busy machine, or with a busy server, answers are late, and
    /// packets are sent again although none is lost.
    var packetLoss: PacketLoss? { measuredLoss.flatMap { $0.isSlight ? nil : $0 } }

    /// The share below which a loss does not explain connections that are not answered.
    private static let leastLoss = 0.15

    /// The loss that explains why the check failed; nil without one.
    var severeLoss: PacketLoss? { packetLoss.flatMap { $0.isSevere && most(decidingFailures, mayBeLoss) ? $0 : nil } }

    /// The measured loss, if connections of the kind that fails pass, too, and losses may have decided the verdict; nil without one.
    var partialLoss: PacketLoss? {
        let isSecure = verdict == .partial
        guard let measuredLoss, measuredLoss.share >= Self.leastLoss,
            operators.contains(where: { $0.passed && (!isSecure || $0.isSecure) })
        else { return nil }
        if (isSecure ? secureReason : verdict?.reason) == .timedOut { return measuredLoss }
        return isDecided(by: mayBeLoss) ? measuredLoss : nil
    }

    /// Whether a lost packet may be the reason: without an answer of name servers, only addresses of a dead IP version may be tried.
    private func mayBeLoss(_ evidence: Evidence) -> Bool {
        evidence.error?.mayBeLoss == true || isOfDeadVersion(evidence)
    }

    /// Whether endpoints that meet a condition decided the verdict: the others that failed are of less than half of the operators.
    private func isDecided(by condition: (Evidence) -> Bool) -> Bool {
        let failures = decidingFailures
        let others = failures.filter { !condition($0) }
        return others.count < failures.count
            && 2 * Set(others.map(\.operatorText)).count < Set(queried.map(\.operatorText)).count
    }

    /// Whether packets may be lost: the measurement shows it or could not end, or a connection repeated a packet.
    private var mayLosePackets: Bool {
        if let measuredLoss { return !measuredLoss.isSlight }
        return hasPublicAddress || operators.contains { ($0.packets?.recovered ?? 0) > 0 }
    }

    /// Whether so many packets may be lost that it cannot be measured: too few are answered in time, or only a repeated one was.
    private var isLossUnknown: Bool {
        if measuredLoss != nil { return false }
        if let lossAtMost { return !lossAtMost.isSlight }
        return beyond.filter { $0.outcome == .answers }.map(\.duration).min().map { $0 >= Self.repetition } ?? false
    }

    /// Whether the loss was measured with what answers in the place of hosts, so that more packets may be lost beyond it.
    private var isMeasuredInPlace: Bool { isAcceptedInPlace || !hasProvenOperator && !foreignCertificates.isEmpty }

    /// Whether names are not resolved because packets may be lost: name servers answer or are silent, something beyond the router
    /// answers, and the loss may explain the silence.
    ///
    /// They may be the names of the secure endpoints alone.
    var isLossOpen: Bool {
        let reason = answers == .partial ? secureReason : answers?.reason
        guard !beyond.isEmpty, queried.contains(where: { $0.silence >= Self.notableSilence }),
            [.nameResolution, .dnsSilent].contains(reason),
            severeLoss == nil
        else { return false }
        let distant = nameServers.filter { !$0.isNearby }
        guard distant.allSatisfy({ [.answers, .silent].contains($0.outcome) }) else { return false }
        if let measuredLoss {
            guard distant.contains(where: { $0.outcome == .answers }) || hasName else { return false }
            return !measuredLoss.isSlight || isMeasuredInPlace
        }
        if isLossUnknown, nameServers.allSatisfy({ [.answers, .silent].contains($0.outcome) }) {
            guard let lossAtMost, !hasName, !nameServers.contains(where: { $0.outcome == .answers }) else {
                return true
            }
            return lossAtMost.mayExplainSilence(of: nameServers.count * NameServerProbe.queries)
        }
        if hasPublicAddress { return duration < InternetCheck.Report.provingSilence }
        // Name servers that are silent now have resolved a name, and its addresses are silent, too.
        if queried.contains(where: { $0.hasName && $0.error?.mayBeLoss == true }) { return true }
        return (hasName ? nameServers : distant).contains { $0.outcome == .answers }
    }

    /// Whether the name of an endpoint was resolved.
    var hasName: Bool { queried.contains(where: \.hasName) }

    // MARK: Silence

    /// Whether the answers amount to something only by a silence that is too short to prove it.
    var isPremature: Bool { isShort && !(silence >= InternetCheck.Report.provingSilence && isProvenInTime) }

    /// Whether the silence of this check alone proves nothing.
    private var isShort: Bool {
        guard limit != nil, !isRouterSilent, !isReported, !isRejectedHere, largePackets != .lost else { return false }
        // What has passed proves the Internet, and the rest may have been lost, unless it was intercepted.
        if hasQuorum, !isIntercepted,
            packetLoss != nil || operators.contains(where: { ($0.packets?.recovered ?? 0) > 0 })
        {
            return true
        }
        return isLossOpen || isLate { isLossUnknown || $0.silence < patience(for: $0) }
    }

    /// Whether a router reports that it does not forward packets, of each IP version of the public addresses that were asked.
    private var isReported: Bool {
        guard routerReport != nil else { return false }
        let asked = askedBeyond
        let reported = Set(asked.filter { $0.report != nil }.map(\.address.version))
        return asked.allSatisfy { reported.contains($0.address.version) }
    }

    /// Whether the silence of successive checks proves what this one alone does not.
    ///
    /// Where answers take long, or packets may be lost, a longer silence would not prove more. With a longer limit, earlier steps
    /// took long.
    var isProvenInTime: Bool {
        guard let limit, limit < InternetCheck.Report.provingSilence * 2 else { return false }
        return isShort && !isTooSlow && !isLossOpen && !isLossUnknown
    }

    /// Whether endpoints had no time to answer, because a round trip takes too long.
    private var isTooSlow: Bool { isLate { roundTrip != nil && $0.silence < patience(for: $0) } }

    /// The time after which the first packet of a connection is repeated (RFC 6298).
    private static let repetition = Duration.seconds(1)

    /// An endpoint that failed sooner was not kept waiting.
    private static let notableSilence = Duration.seconds(1)

    /// A connection whose round trip takes longer than the first retransmission timeout (RFC 6298: 1 s) begins with the smallest
    /// window, so that a handshake takes more round trips.
    private static let firstTimeout = Duration.milliseconds(900)

    /// Whether most of the endpoints that decided the verdict did not answer, and meet a condition.
    private func isLate(_ condition: (Evidence) -> Bool) -> Bool {
        guard answers == .partial || answers?.reason != nil else { return false }
        func isLate(_ evidence: Evidence) -> Bool {
            (evidence.error?.code == .timedOut || isLateHandshake(evidence)) && condition(evidence)
        }
        return most(decidingFailures, isLate) || isDecided(by: isLate)
    }

    /// Whether a server gave up on a handshake that took long: what filters connections ends it within one round trip.
    private func isLateHandshake(_ evidence: Evidence) -> Bool {
        guard let roundTrip, roundTrip >= Self.firstTimeout, let error = evidence.error, error.step == .tls else {
            return false
        }
        return [.tlsFailure, .connectionLost].contains(error.code) && evidence.silence > roundTrip * 2
    }

    /// The silence that proves that an endpoint does not answer.
    private func patience(for evidence: Evidence) -> Duration {
        guard let step = evidence.error?.step, step != .resolve, step != .proxy, let roundTrip else {
            return InternetCheck.Report.provingSilence
        }
        let trips = roundTrip < Self.firstTimeout ? 4 : 8
        // The cause of slow plain requests may delay HTTPS as long.
        let plain = operators.filter(\.passed).map { $0.durations.latency - ($0.durations.resolve ?? .zero) }.min()
        let least = mayLosePackets ? InternetCheck.Report.provingSilence : .seconds(1)
        return max(roundTrip * trips, plain ?? .zero, least)
    }

    // MARK: Slowness

    /// The shortest time in which a distant host has answered; nil if none has.
    private var roundTrip: Duration? {
        let connections = operators.filter(\.isConnected).compactMap(\.durations.connect)
        return (connections + beyond.filter { $0.outcome == .answers }.map(\.duration)).min()
    }

    /// The time in which the fastest endpoint that passed answered, without the time that other addresses took before it was
    /// tried; nil if none did.
    var latency: Duration? { operators.filter(\.passed).map(\.durations.latency).min() }

    /// The time of answers on a slow connection, if that is known to be seconds.
    var notableLatency: Duration? { [latency, roundTrip].compactMap(\.self).first { $0 >= .seconds(1) } }

    /// The shortest time to resolve a name.
    ///
    /// An endpoint that is queried later than another one of its host waits for the rest of the same lookup.
    var nameDelay: Duration {
        let delays = operators.filter { $0.passed && $0.proxy == nil }.compactMap { answer in
            answer.durations.resolve.map { ((try? ProbeTarget(answer.url))?.host ?? answer.url, $0) }
        }
        return Dictionary(delays, uniquingKeysWith: max).values.min() ?? .zero
    }

    /// Whether each name takes long: resolvers usually wait a second or more for a dead server.
    var hasSlowNames: Bool {
        // Usually no lookup is slow, and the URLs need not be parsed.
        operators.contains { ($0.durations.resolve ?? .zero) >= .seconds(1) } && nameDelay >= .seconds(1)
    }

    /// Whether the fastest answer took long, apart from resolving the name.
    var isSlow: Bool {
        let fastest = operators.filter(\.passed).map(\.durations).min { $0.total < $1.total }
        return fastest.map { $0.total - ($0.resolve ?? .zero) >= .seconds(2) } ?? false
    }
}

extension InternetCheck.Report {
    /// The silence that proves something where nothing is known about the time that answers take.
    static let provingSilence = Duration.seconds(4)
}
