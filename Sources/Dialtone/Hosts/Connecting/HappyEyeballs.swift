// SPDX-License-Identifier: Apache-2.0

/// The order and the times at which the addresses of a host are tried: RFC 8305, "Happy Eyeballs Version 2".
///
/// A pure value on the caller's clock: the caller reports events with their times and gets addresses to connect to. Its rules:
///
/// - Addresses of the preferred family are tried as soon as they are known. The other family waits for them, but no
///   longer than the resolution delay (section 3).
/// - Attempts alternate between the families, starting with the preferred one (section 4).
/// - The next attempt starts when the last one has failed, or has taken longer than the attempt delay; earlier attempts
///   go on (section 5).
/// - It ends with the first connection, when every attempt has failed, or at the deadline. The number of attempts is
///   limited.
struct HappyEyeballs: Sendable {
    /// The delays between attempts, and the limits.
    struct Pace: Hashable, Sendable {
        /// The time for which the other family waits for the preferred family's addresses; 50 ms in section 8.
        var resolutionDelay = Duration.milliseconds(50)
        /// The time from one attempt to the next; 250 ms in section 8.
        var attemptDelay = Duration.milliseconds(250)
        /// The time limit, measured from the start.
        var bound = Duration.seconds(10)
        /// The maximum number of addresses to try, because the owner of a name decides how many it has.
        var mostAttempts = 32
    }

    /// An event.
    enum Event: Hashable, Sendable {
        /// The addresses of a family are known; an empty list means that its resolution failed.
        case resolved(IPVersion, [NetworkAddress])
        /// An attempt has succeeded.
        case connected(NetworkAddress)
        /// An attempt has failed.
        case failed(NetworkAddress)
        /// The time requested by `deadline` has come.
        case timePassed
    }

    /// The outcome of a race.
    enum Outcome: Hashable, Sendable {
        /// This address was the first to answer.
        case connected(NetworkAddress)
        /// Every address has failed, or there were no addresses.
        case failed
        /// The time limit passed first.
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
    /// The time at which the other family stops waiting.
    private var resolutionDeadline: Duration?
    /// The time at which the next attempt may start while others are under way.
    private var nextAttempt: Duration?
    /// Nil until the caller must cancel all attempts.
    private(set) var outcome: Outcome?

    /// Creates a schedule that starts at time zero.
    ///
    /// - Parameters:
    ///   - families: the families whose addresses will be reported.
    ///   - preferred: the family to try first: IPv6, unless it is known to have no route.
    ///   - pace: the delays and limits.
    init(families: Set<IPVersion> = [.ipv4, .ipv6], preferred: IPVersion = .ipv6, pace: Pace = Pace()) {
        self.pace = pace
        attemptsLeft = pace.mostAttempts
        self.preferred = preferred
        unresolved = families
    }

    /// When the caller must report `timePassed`; nil once the schedule has ended.
    var deadline: Duration? {
        guard outcome == nil else { return nil }
        return hasWaiting ? min(nextTime ?? pace.bound, pace.bound) : pace.bound
    }

    /// When the next attempt may start; nil for at once.
    private var nextTime: Duration? { underWay.isEmpty ? resolutionDeadline : nextAttempt }

    /// Handles an event, which may decide the outcome.
    ///
    /// - Returns: the address to start to connect to; nil for none.
    mutating func handle(_ event: Event, at now: Duration) -> NetworkAddress? {
        guard outcome == nil else { return nil }
        switch event {
        case .resolved(let family, let addresses): add(addresses, family, now)
        case .connected(let address): outcome = .connected(address)
        case .failed(let address):
            // The next attempt does not have to wait.
            if underWay.remove(address) != nil { nextAttempt = now }
        case .timePassed: break
        }
        if outcome == nil, now >= pace.bound { outcome = .timedOut }
        guard outcome == nil else { return nil }
        if nextTime.map({ now >= $0 }) ?? true, let address = next() {
            underWay.insert(address)
            lastFamily = address.version
            resolutionDeadline = nil
            nextAttempt = now + pace.attemptDelay
            return address
        }
        if underWay.isEmpty, !hasWaiting, unresolved.isEmpty { outcome = .failed }
        return nil
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
}
