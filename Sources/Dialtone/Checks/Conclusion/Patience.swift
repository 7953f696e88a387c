// SPDX-License-Identifier: Apache-2.0

/// Patience that ends is no verdict: silence proves something only if an answer should have come by then.
extension InternetCheck.Report {
    /// The silence that proves something where nothing is known about the time that answers take.
    static let provingSilence = Duration.seconds(4)

    /// Whether the verdict rests on silence that is too short to prove anything, so that the check has none.
    var isPremature: Bool {
        if let hops, hops.isRouterSilent || hops.routerReport != nil { return false }
        return isLossOpen || mostFailures { $0.silence < patience(for: $0) }
    }

    /// Whether names are not resolved because packets may be lost: something beyond the router answers, name servers answer or
    /// are silent, and the loss could not be measured, or is notable while some names are resolved.
    var isLossOpen: Bool {
        guard let hops, !hops.publicAddresses.isEmpty, duration >= Self.notableSilence,
            [.nameResolution, .dnsSilent].contains(verdict.reason), severeLoss == nil
        else { return false }
        let servers = hops.nameServers.filter { !$0.isNearby }.map(\.outcome)
        guard servers.allSatisfy({ [.answers, .silent].contains($0) }) else { return false }
        if let loss = hops.loss { return !loss.isSlight && (servers.contains(.answers) || hasName) }
        return hops.isUplinkWorking ? duration < Self.provingSilence : servers.contains(.answers)
    }

    /// Whether the name of an endpoint was resolved.
    private var hasName: Bool {
        queriedEndpoints.contains { $0.proxy == nil && $0.error?.step != .resolve && $0.durations.resolve != nil }
    }

    /// Whether packets may be lost: the measurement shows it or could not end, or a connection repeated a packet.
    private var mayLosePackets: Bool {
        if let loss = hops?.loss { return !loss.isSlight }
        return hops?.publicAddresses.contains { $0.outcome == .answers } ?? false
            || endpoints.contains { ($0.packets?.recovered ?? 0) > 0 }
    }

    /// A check that ended sooner was not kept waiting.
    private static let notableSilence = Duration.seconds(1)

    /// A connection whose round trip takes longer than the first retransmission timeout (RFC 6298: 1 s) begins with the smallest
    /// window, so that a handshake takes more round trips.
    private static let firstTimeout = Duration.milliseconds(900)

    /// Whether endpoints had no time to answer, because a round trip takes too long.
    var isTooSlow: Bool { mostFailures { roundTrip != nil && $0.silence < patience(for: $0) } }

    /// Whether most of the endpoints that decided the verdict did not answer, and meet a condition.
    private func mostFailures(_ condition: (InternetCheck.Evidence) -> Bool) -> Bool {
        guard verdict == .partial || verdict.reason != nil else { return false }
        let failures = decidingFailures
        let late = failures.filter { $0.error?.code == .timedOut || isLateHandshake($0) }
        return 2 * late.count(where: condition) > failures.count
    }

    /// Whether a server gave up on a handshake that took long: what filters connections ends it within one round trip.
    private func isLateHandshake(_ evidence: InternetCheck.Evidence) -> Bool {
        guard let roundTrip, roundTrip >= Self.firstTimeout, let error = evidence.error, error.step == .tls else {
            return false
        }
        return [.tlsFailure, .connectionLost].contains(error.code) && evidence.silence > roundTrip * 2
    }

    /// The silence that proves that an endpoint does not answer.
    private func patience(for evidence: InternetCheck.Evidence) -> Duration {
        guard let step = evidence.error?.step, step != .resolve, step != .proxy, let roundTrip else {
            return Self.provingSilence
        }
        let trips = roundTrip < Self.firstTimeout ? 4 : 8
        // What delays plain requests may delay HTTPS as long.
        let plain = endpoints.filter(\.passed).map { $0.durations.latency - ($0.durations.resolve ?? .zero) }.min()
        return max(roundTrip * trips, plain ?? .zero, mayLosePackets ? Self.provingSilence : .seconds(1))
    }

    /// The shortest time in which a distant host has answered; nil if none has.
    private var roundTrip: Duration? {
        let connections = endpoints.filter(\.isConnected).compactMap(\.durations.connect)
        let addresses = (hops?.publicAddresses ?? []).filter { $0.outcome == .answers }.map(\.duration)
        return (connections + addresses).min()
    }

    /// How slow the connection is, if that is known to be seconds.
    var slowSentence: String? {
        [latency, roundTrip].compactMap(\.self).first { $0 >= .seconds(1) }.map(Self.slowSentence)
    }

    /// Why the check ended without a verdict although endpoints were queried; nil for another check.
    var patienceSentence: String? {
        guard verdict == .inconclusive, queriedEndpoints.contains(where: { $0.error?.mayBeLoss == true }) else {
            return nil
        }
        let limit = "No answer within \(duration.secondsText)"
        if let loss = hops?.loss ?? packetLoss, !loss.isSlight {
            return "\(limit): \(loss.description.loweredFirstLetter)"
        }
        if let slowSentence { return slowSentence }
        if let server = silentNameServer {
            return "\(limit): the DNS server \(server.scopedText) does not answer, which delays each name."
        }
        if hops?.isUplinkWorking == true, failsAtNames {
            let servers = (hops?.nameServers ?? []).map(\.server.scopedText).joined(separator: ", ")
            return "\(limit): DNS servers do not answer in this time\(servers.isEmpty ? "" : " (\(servers))")."
        }
        return "\(limit): this connection is slow, or does not work."
    }
}

extension InternetCheck.Evidence {
    /// The time for which the last step was not answered.
    fileprivate var silence: Duration {
        let steps = [
            (ProbeError.Step.resolve, durations.resolve), (.connect, durations.connect), (.tls, durations.tls),
            (.headers, durations.headers), (.body, durations.body),
        ]
        // The duration of a step that was cut off may be known or not.
        let earlier = steps.prefix { $0.0 != error?.step }.compactMap(\.1).reduce(.zero, +)
        return durations.total - earlier
    }
}
