//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// In which order, and when, to try the addresses of a host: RFC 8305, "Happy Eyeballs Version 2".
///
/// A pure value on the caller's clock: the caller reports events with their times and gets actions. Its rules:
///
/// - Addresses of the preferred family are tried as soon as they are known. Those of the other wait for them, but no longer
///   than the resolution delay (section 3).
/// - The families take turns, beginning with the preferred one (section 4).
/// - The next attempt begins when the last one has failed, or has taken longer than the attempt delay; the earlier ones go
///   on (section 5).
/// - It ends with the first connection, when everything has failed, or at the bound. The number of attempts is limited.
package struct HappyEyeballs: Sendable {
    /// The waits.
    package struct Pace: Hashable, Sendable {
        /// How long the other family waits for the preferred one's addresses; 50 ms in section 8.
        var resolutionDelay = Duration.milliseconds(50)
        /// How long an attempt is alone before the next one begins; 250 ms in section 8.
        var attemptDelay = Duration.milliseconds(250)
        /// When to give up, counted from the start.
        package var bound = Duration.seconds(10)
        /// The number of addresses that are tried: the owner of a name decides how many it has.
        package var mostAttempts = 32

        package init() {}
    }

    /// An event.
    enum Event: Hashable, Sendable {
        /// A family's addresses are known; none is a failure of it too.
        case resolved(IPVersion, [NetworkAddress])
        /// An attempt has succeeded.
        case connected(NetworkAddress)
        /// An attempt has failed.
        case failed(NetworkAddress)
        /// The time that `deadline` asked for has come.
        case timePassed
    }

    /// An action for the caller.
    enum Action: Hashable, Sendable {
        /// Begin to connect.
        case attempt(NetworkAddress)
        /// Stop everything: this is the outcome.
        case finish(Outcome)
    }

    /// How it ends.
    package enum Outcome: Hashable, Sendable {
        /// This address was the first to answer.
        case connected(NetworkAddress)
        /// Every address has failed, or there was none.
        case failed
        /// The bound came first.
        case timedOut
    }

    private let pace: Pace
    private var attemptsLeft: Int
    private let preferred: IPVersion
    private var unresolved: Set<IPVersion>
    private var waiting: [IPVersion: [NetworkAddress]] = [:]
    private var known: Set<NetworkAddress> = []
    private var underWay: Set<NetworkAddress> = []
    private var lastFamily: IPVersion?
    /// When the other family need not wait any longer.
    private var resolutionDeadline: Duration?
    /// When the next attempt may begin beside those under way.
    private var nextAttempt: Duration?
    private(set) var outcome: Outcome?

    /// Creates a schedule that begins at time zero.
    ///
    /// - Parameters:
    ///   - families: those whose addresses will come.
    ///   - preferred: the one to be tried first: IPv6, unless it is known to lead nowhere.
    ///   - pace: the waits.
    package init(
        families: Set<IPVersion> = [.ipv4, .ipv6], preferred: IPVersion = .ipv6, pace: Pace = Pace()
    ) {
        self.pace = pace
        attemptsLeft = pace.mostAttempts
        self.preferred = preferred
        unresolved = families
    }

    /// When the caller must report `timePassed`; nil once the schedule has ended.
    var deadline: Duration? {
        guard outcome == nil else { return nil }
        var times = [pace.bound]
        if !hasWaiting { return pace.bound }
        if let resolutionDeadline, underWay.isEmpty { times.append(resolutionDeadline) }
        if let nextAttempt, !underWay.isEmpty { times.append(nextAttempt) }
        return times.min()
    }

    /// Handles an event, and returns what to do, in order.
    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        guard outcome == nil else { return [] }
        switch event {
        case .resolved(let family, let addresses): add(addresses, family, now)
        case .connected(let address):
            underWay.remove(address)
            return finish(.connected(address))
        case .failed(let address):
            // The next one need not wait.
            if underWay.remove(address) != nil { nextAttempt = now }
        case .timePassed: break
        }
        if now >= pace.bound { return finish(.timedOut) }
        var actions: [Action] = []
        if mayBegin(now), let address = next() {
            underWay.insert(address)
            lastFamily = address.version
            resolutionDeadline = nil
            nextAttempt = now + pace.attemptDelay
            actions.append(.attempt(address))
        }
        if underWay.isEmpty, !hasWaiting, unresolved.isEmpty { actions += finish(.failed) }
        return actions
    }

    private var hasWaiting: Bool { attemptsLeft > 0 && waiting.contains { !$0.value.isEmpty } }

    private mutating func add(_ addresses: [NetworkAddress], _ family: IPVersion, _ now: Duration) {
        unresolved.remove(family)
        for address in addresses where known.insert(address).inserted {
            waiting[address.version, default: []].append(address)
        }
        if unresolved.contains(preferred), hasWaiting, lastFamily == nil, resolutionDeadline == nil {
            resolutionDeadline = now + pace.resolutionDelay
        }
        if !unresolved.contains(preferred) { resolutionDeadline = nil }
    }

    private func mayBegin(_ now: Duration) -> Bool {
        if !underWay.isEmpty { return nextAttempt.map { now >= $0 } ?? true }
        return resolutionDeadline.map { now >= $0 } ?? true
    }

    /// The families take turns.
    private mutating func next() -> NetworkAddress? {
        guard attemptsLeft > 0 else { return nil }
        let first = lastFamily.map { $0 == .ipv4 ? IPVersion.ipv6 : .ipv4 } ?? preferred
        for family in [first, first == .ipv4 ? .ipv6 : .ipv4] {
            guard var addresses = waiting[family], !addresses.isEmpty else { continue }
            defer { waiting[family] = addresses }
            attemptsLeft -= 1
            return addresses.removeFirst()
        }
        return nil
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        self.outcome = outcome
        return [.finish(outcome)]
    }
}
