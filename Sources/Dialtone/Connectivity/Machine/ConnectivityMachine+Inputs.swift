//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

extension ConnectivityMachine {
    mutating func take(_ input: MachineInput, at now: Duration, _ actions: inout [MachineAction]) {
        switch input {
        case .started: firstValueDeadline = now + configuration.firstValueBound
        case .path(let path, let identity): take(path, identity, at: now, &actions)
        case .checkFinished(let generation, let report, let identity):
            finish(generation, report, identity, at: now)
        case .reported(let outcome): take(outcome, at: now)
        case .timerFired: timer = nil
        case .clocksLookedAt: break
        case .checkRequested: requestCheck(at: now)
        case .clockJumped: forget(at: now, &actions)
        case .suspended:
            isSuspended = true
            cancelFlight(&actions)
            nextCheck = nil
        case .resumed:
            guard isSuspended else { return }
            isSuspended = false
            forget(at: now, &actions)
        }
    }

    /// Compares the clocks with the last look at them.
    mutating func notice(_ moment: MonitorTime.Moment, _ actions: inout [MachineAction]) {
        let elapsed = moment.elapsed - lastMoment.elapsed
        let asleep = elapsed - (moment.awake - lastMoment.awake)
        let wallJump = Duration.seconds(moment.wall.timeIntervalSince(lastMoment.wall).bounded) - elapsed
        if elapsed >= .zero { lastMoment = moment }
        if asleep >= configuration.sleepThreshold {
            forget(at: moment.elapsed, &actions)
        } else if abs(wallJump) >= Self.notableWallJump, elapsed >= .zero {
            // Somebody has set the clock, or a virtual machine was halted: worth a look, but no reason for doubt.
            requestCheck(at: moment.elapsed)
        }
    }

    /// Clocks are corrected by less than this all the time.
    private static let notableWallJump = Duration.seconds(30)

    private mutating func take(
        _ path: NetworkPath, _ identity: NetworkIdentity?, at now: Duration, _ actions: inout [MachineAction]
    ) {
        let old = self.path
        let isOtherNetwork = self.identity.flatMap { old in identity.map { !$0.canBeSameNetwork(as: old) } } ?? false
        self.path = path
        guard let old, path.canBeChecked, old.canBeChecked, !isOtherNetwork, path.leadsWhere(old) else {
            // A path that is lost leads nowhere. What comes after it is compared with what was before: most ways from one
            // network to another have a gap.
            if path.canBeChecked || identity != nil { self.identity = identity }
            prove(at: now, &actions)
            return
        }
        self.identity = identity.map { $0.completed(by: self.identity ?? $0) } ?? self.identity
        // It leads where it led, and perhaps elsewhere too.
        if path.changes(since: old).isEmpty { return }
        if flight == nil { requestCheck(at: now) } else { flight?.repeats = .always }
    }

    /// Nothing is proven any more: checks anew, where that is possible.
    private mutating func prove(at now: Duration, _ actions: inout [MachineAction]) {
        cancelFlight(&actions)
        report = nil
        retryDelay = min(configuration.firstRetry, configuration.interval)
        nextCheck = nil
        guard mayCheck else { return }
        // A link that flaps must not bring a check at every turn.
        isNextCheckUrgent = true
        nextCheck = now
        if starts.count == Self.burst, let first = starts.first {
            nextCheck = max(now, first + configuration.checkSpacing)
        }
    }

    /// The machine has slept, or checks were suspended.
    private mutating func forget(at now: Duration, _ actions: inout [MachineAction]) {
        guard path != nil else { return }
        prove(at: now, &actions)
    }

    mutating func finish(
        _ generation: UInt64, _ report: InternetCheck.Report, _ identity: NetworkIdentity?, at now: Duration
    ) {
        guard let flight, flight.generation == generation else { return }
        self.flight = nil
        if let identity {
            let isSame = self.identity.map { identity.canBeSameNetwork(as: $0) } ?? true
            guard isSame else {
                // The network was exchanged unseen, and nobody knows which of them answered.
                self.identity = identity
                self.report = nil
                retryDelay = min(configuration.firstRetry, configuration.interval)
                requestCheck(at: now)
                return
            }
            self.identity = identity.completed(by: self.identity ?? identity)
        }
        self.report = report
        schedule(after: report.verdict, at: now)
        let isVerified = report.verdict == .verified
        if flight.repeats == .always || (flight.repeats == .ifVerified && isVerified) { requestCheck(at: now) }
    }

    private mutating func schedule(after verdict: InternetCheck.Verdict, at now: Duration) {
        isNextCheckUrgent = false
        if verdict == .verified {
            retryDelay = min(configuration.firstRetry, configuration.interval)
            nextCheck = configuration.polling == .always ? now + jittered(configuration.interval) : nil
        } else {
            nextCheck = configuration.polling == .never ? nil : now + jittered(retryDelay)
            retryDelay = min(retryDelay * 2, configuration.interval)
        }
    }

    private mutating func take(_ outcome: ReportedOutcome, at now: Duration) {
        guard mayCheck else { return }
        switch outcome.kind {
        case .failed where flight?.repeats == .never: flight?.repeats = .ifVerified
        case .failed where flight != nil: break
        case .failed where !isWithoutInternet, .reached where isWithoutInternet: requestCheck(at: now)
        default: break
        }
    }

    /// What is known already need not be looked for again: the schedule does that.
    private var isWithoutInternet: Bool {
        switch report?.verdict {
        case .partial, .captivePortal, .noInternet: true
        case .verified, .inconclusive, nil: false
        }
    }

    private mutating func requestCheck(at now: Duration) {
        guard mayCheck, flight == nil else { return }
        let earliest = max(now, starts.last.map { $0 + configuration.checkSpacing } ?? now)
        nextCheck = min(nextCheck ?? earliest, earliest)
        isNextCheckUrgent = true
    }
}

extension NetworkPath {
    /// Whether what was proven over an earlier path still holds: it leaves by the same interface, and by everything else
    /// that the earlier did.
    fileprivate func leadsWhere(_ old: NetworkPath) -> Bool {
        interfaces.first == old.interfaces.first && Set(gateways).isSuperset(of: old.gateways)
            && (supportsIPv4 || !old.supportsIPv4) && (supportsIPv6 || !old.supportsIPv6) && isUnknown == old.isUnknown
    }
}

extension Double {
    /// The number, or the nearest that can be counted in seconds.
    fileprivate var bounded: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e12), 1e12) }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
