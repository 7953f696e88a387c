// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension ConnectivityMachine {
    mutating func process(_ input: MachineInput, at now: Duration, _ actions: inout [MachineAction]) {
        switch input {
        case .started: firstValueDeadline = now + configuration.firstValueBound
        case .path(let path, let identity): update(path, identity, at: now, &actions)
        case .nearbyRoutes(let routes): update(routes, at: now, &actions)
        case .checkFinished(let generation, let report, let identity):
            finish(generation, report, identity, at: now)
        case .reported(let outcome): process(outcome, at: now, &actions)
        case .observed(let observation): confirmations.note(observation)
        case .minute(let minute): note(minute)
        case .timerFired: timer = nil
        case .clocksLookedAt: break
        case .checkRequested:
            attentionEnd = now + Self.attention
            requestCheck(at: now)
        case .clockJumped: discardVerdict(at: now, &actions)
        case .suspended:
            isSuspended = true
            cancelFlight(&actions)
            nextCheck = nil
        case .resumed:
            guard isSuspended else { return }
            isSuspended = false
            discardVerdict(at: now, &actions)
        }
    }

    /// Compares the clocks with their previous readings.
    mutating func detectClockJump(_ moment: TimeSource.Moment, _ actions: inout [MachineAction]) {
        let elapsed = moment.boottime - lastMoment.boottime
        let asleep = elapsed - (moment.monotonic - lastMoment.monotonic)
        let wallJump = moment.realtime.timeIntervalSince(lastMoment.realtime) - elapsed / .seconds(1)
        if elapsed >= .zero {
            lastMoment = moment
            if wallJump.isFinite, abs(wallJump) >= TimeSource.shortestStep { moveTimes(by: wallJump) }
        }
        if asleep >= configuration.sleepThreshold {
            discardVerdict(at: moment.boottime, &actions)
        } else if abs(wallJump) >= Self.notableWallJump, elapsed >= .zero {
            // The clock was set, or a virtual machine was paused. That justifies a check, but not discarding the
            // verdict.
            requestCheck(at: moment.boottime)
        }
    }

    /// Time services routinely correct clocks by fewer seconds than this.
    private static let notableWallJump = 30.0

    private mutating func update(
        _ path: NetworkPath, _ identity: NetworkIdentity?, at now: Duration, _ actions: inout [MachineAction]
    ) {
        let old = self.path
        let isOtherNetwork = self.identity.flatMap { old in identity.map { !$0.canBeSameNetwork(as: old) } } ?? false
        self.path = path
        guard let old, path.canBeChecked, old.canBeChecked, !isOtherNetwork, path.keepsRoutes(of: old) else {
            // While there is no path, the last network is kept: most changes of network have a gap, and the network
            // after the gap is compared with the one before it.
            if path.canBeChecked || identity != nil { self.identity = identity }
            discardVerdict(at: now, &actions)
            return
        }
        self.identity = identity.map { $0.completed(by: self.identity ?? $0) } ?? self.identity
        // The path still leads where it led before, and perhaps to further networks.
        if path.changes(since: old).isEmpty { return }
        provocation.reset()
        if flight == nil { requestCheck(at: now) } else { flight?.repeats = true }
    }

    private mutating func update(
        _ routes: [NetworkAddress: HostRoute], at now: Duration, _ actions: inout [MachineAction]
    ) {
        let old = nearbyRoutes ?? [:]
        nearbyRoutes = routes
        guard routes != old, path?.isKnownToBeMissing == true else { return }
        guard !old.isEmpty, old.allSatisfy({ routes[$0.key] == $0.value }) else {
            discardVerdict(at: now, &actions)
            return
        }
        // Every route is still there, so the verdict holds.
        provocation.reset()
        if flight == nil { requestCheck(at: now) } else { flight?.repeats = true }
    }

    /// Discards the verdict, and checks at once if possible.
    private mutating func discardVerdict(at now: Duration, _ actions: inout [MachineAction]) {
        cancelFlight(&actions)
        forgetNetwork(at: now)
        silenceStart = nil
        nextCheck = nil
        guard mayCheck else { return }
        // A link that flaps must not cause a check at every change.
        isNextCheckUrgent = true
        nextCheck = now
        if starts.count == Self.burst, let first = starts.first {
            nextCheck = max(now, first + configuration.checkSpacing)
        }
    }

    /// Forgets the verdict, and what was observed of another network, or long ago.
    private mutating func forgetNetwork(at now: Duration) {
        report = nil
        rotation.reset()
        provocation.reset()
        retryDelay = min(configuration.firstRetry, configuration.interval)
        networkNumber += 1
        isProvenNetwork = false
        lastCheckStart = nil
        loss = nil
        confirmations.reset(at: now)
    }

    mutating func finish(
        _ generation: UInt64, _ report: InternetCheck.Report, _ identity: NetworkIdentity?, at now: Duration
    ) {
        guard let flight, flight.generation == generation else { return }
        self.flight = nil
        if let identity {
            let isSame = self.identity.map { identity.canBeSameNetwork(as: $0) } ?? true
            guard isSame else {
                // The network was replaced unnoticed, and either network may have answered.
                self.identity = identity
                forgetNetwork(at: now)
                requestCheck(at: now)
                return
            }
            self.identity = identity.completed(by: self.identity ?? identity)
        }
        let before = conclude()
        let wasSilent = before.state == .noInternet && before.fault != .nameServers
        let hasChanged = confirmations.hasChanged(.beyond, since: flight.start)
        if isMixed(report, wasSilent: wasSilent, hasChanged: hasChanged) {
            hasDiscarded = true
            lastFullCheck = nil
            requestCheck(at: now)
            return
        }
        hasDiscarded = false
        var report = completed(report, of: flight, at: now)
        report.wasProven = isProvenNetwork
        if report.verdict == .verified {
            isProvenNetwork = true
            report.metOutage = wasSilent || hasChanged
        }
        updateProvocation(after: flight, report.verdict)
        if report.verdict.portal != nil, self.report?.verdict.portal == nil { attentionEnd = now + Self.attention }
        rotation.update(with: report)
        self.report = report
        lastCheckStart = flight.start
        if path != nil { confirmations.note(conclude().state, from: flight.start, to: now) }
        schedule(after: report.verdict, at: now)
        if flight.repeats { requestCheck(at: now) }
    }

    /// Whether an outage began or ended while a check was under way, so that its result combines evidence from both.
    ///
    /// That nothing answers is right of a part of the check, and a verified Internet of another. In between, name servers that were asked
    /// in an outage would be blamed, because addresses were asked after it. The heartbeat may not have seen the end yet, or there is none.
    /// Only one result in a row is discarded: packets are lost now and then.
    ///
    /// - Parameters:
    ///   - wasSilent: whether nothing answered the check before.
    ///   - hasChanged: whether the heartbeat saw a beginning or an end meanwhile.
    private func isMixed(_ report: InternetCheck.Report, wasSilent: Bool, hasChanged: Bool) -> Bool {
        guard !hasDiscarded, report.verdict != .verified, let path else { return false }
        guard hasChanged || wasSilent || confirmations.isSilent(.beyond) else { return false }
        let conclusion = Conclusion(path, report)
        if hasChanged { return ![.noInternet, .online].contains(conclusion.state) }
        return conclusion.fault == .nameServers || wasSilent && conclusion.state == .limited
    }

    /// The report, with the verdict that its silence gives together with that of the checks before it.
    private mutating func completed(
        _ report: InternetCheck.Report, of flight: Flight, at now: Duration
    ) -> InternetCheck.Report {
        guard Facts(report).isProvenInTime else {
            silenceStart = nil
            return report
        }
        let start = silenceStart ?? flight.start
        silenceStart = start
        var report = report
        report.silence = now - start
        report.judgeSilence()
        return report
    }

    private mutating func updateProvocation(after flight: Flight, _ verdict: InternetCheck.Verdict) {
        if let old = report?.verdict, old.kind != verdict.kind {
            // What was reported during the check is not explained by it.
            provocation = Provocation(isPending: provocation.isPending)
        } else if flight.isProvoked {
            provocation.distance = max(provocation.distance * 2, configuration.checkSpacing, .seconds(1))
            // Packets are lost now and then, for as long as a heartbeat runs.
            if configuration.heartbeat != nil {
                provocation.distance = min(provocation.distance, configuration.interval)
            }
        }
        // A bad verdict explains a request that failed during the check, but not one that succeeded.
        if verdict != .verified { provocation.isPending = flight.isContradicted }
    }

    private mutating func schedule(after verdict: InternetCheck.Verdict, at now: Duration) {
        isNextCheckUrgent = false
        if verdict == .verified {
            retryDelay = min(configuration.firstRetry, configuration.interval)
            nextCheck = configuration.polling == .always ? now + jittered(configuration.interval) : nil
        } else {
            if verdict.portal != nil, now < attentionEnd { retryDelay = min(retryDelay, Self.portalRetry) }
            nextCheck = configuration.polling == .never ? nil : now + jittered(retryDelay)
            retryDelay = min(retryDelay * 2, configuration.interval)
        }
    }

    /// Whether a user may be waiting for the end of a login, which then is noticed within this time.
    private static let portalRetry = Duration.seconds(3)
    /// The time for which a user may be waiting after the login page has appeared, or after the last request for a check.
    private static let attention = Duration.seconds(600)

    private mutating func process(
        _ outcome: ConnectivityMonitor.ReportedOutcome, at now: Duration, _ actions: inout [MachineAction]
    ) {
        guard mayCheck else { return }
        switch outcome.kind {
        case .failed where !isWithoutInternet:
            provocation.isPending = true
            if let due = provokedCheck, due <= now + configuration.checkSpacing { cutFlight(at: now, &actions) }
        case .reached where isUnproven, .proven where isUnproven:
            if flight == nil { provocation.isPending = true } else { flight?.isContradicted = true }
        case .proven where report?.verdict == .verified: postponeCheck(at: now)
        default: break
        }
    }

    /// Postpones the periodic check, because the app's own request has just proven what the check would.
    private mutating func postponeCheck(at now: Duration) {
        provocation.isPending = false
        guard flight == nil, !isNextCheckUrgent, let due = nextCheck, let last = starts.last else { return }
        let latest = last + configuration.interval * Self.longestProof
        nextCheck = max(due, min(now + jittered(configuration.interval), latest))
    }

    /// Whether the Internet is known to be unreachable.
    ///
    /// A failed request then adds nothing: the schedule checks again anyway.
    private var isWithoutInternet: Bool {
        switch report?.verdict {
        case .partial, .captivePortal, .noInternet: true
        case .verified, .inconclusive, nil: false
        }
    }

    /// Whether a request that succeeds contradicts the last verdict.
    private var isUnproven: Bool { report.map { $0.verdict != .verified } ?? false }

    private mutating func requestCheck(at now: Duration) {
        guard mayCheck else { return }
        guard flight == nil else {
            // The check under way queries one operator only, and the caller requested a full check.
            if flight?.operatorName != nil { flight?.repeats = true }
            return
        }
        let earliest = max(now, starts.last.map { $0 + configuration.checkSpacing } ?? now)
        nextCheck = min(nextCheck ?? earliest, earliest)
        isNextCheckUrgent = true
    }
}

extension NetworkPath {
    /// Whether a verdict on an earlier path still holds.
    ///
    /// It does if this path uses the same interface and has every gateway and IP version that the earlier one had.
    func keepsRoutes(of old: NetworkPath) -> Bool {
        interfaces.first == old.interfaces.first && Set(gateways).isSuperset(of: old.gateways)
            && (supportsIPv4 || !old.supportsIPv4) && (supportsIPv6 || !old.supportsIPv6) && isUnknown == old.isUnknown
    }
}
