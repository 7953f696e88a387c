// SPDX-License-Identifier: Apache-2.0

/// Decides which work waits, and when it is released.
///
/// A value without clocks, tasks or locks: its owner synchronizes access, passes in events with their times, and
/// performs the returned actions.
///
/// The rules:
/// - Work that arrives while there is no obstacle starts at once.
/// - Work that has waited is released at a random time within the spread after the obstacle is gone. The number of
///   operations that are starting never exceeds the limit: the next one is released when one has started.
/// - Work that is still queued when the obstacle returns waits again; this continues the same wait.
/// - Work in a backoff is released early if the path changes, when that may be the reason why it failed.
/// - Work inside released work needs no place: otherwise it could wait for the place that the outer work holds.
struct WaitingRoomMachine: Sendable {
    typealias Identifier = UInt64

    /// The monitor that supplies the connectivity for a requirement.
    enum View: Hashable, Sendable, CaseIterable { case passive, verified }

    /// An event for work.
    enum Action: Hashable {
        /// A wait begins, for this reason.
        case notify(Identifier, WaitingPolicy.Obstacle)
        /// The work may start.
        case admit(Identifier)
        /// The deadline has passed; the reason is the obstacle, if any.
        case expire(Identifier, WaitingPolicy.Obstacle?)
    }

    private enum Phase: Hashable {
        /// The state of the network is not known yet.
        case undetermined
        /// There is an obstacle.
        case waiting(WaitingPolicy.Obstacle)
        /// There is no obstacle: the work is released at its time in a queue, if a place is free.
        case queued
    }

    private struct Waiter {
        let requirement: WaitRequirement
        /// The end of a backoff, for work that is retried.
        let earliest: Duration?
        /// Whether the waiter counts as starting work once it is released.
        let needsPlace: Bool
        /// Whether a change of the path ends the backoff.
        let retriesOnChange: Bool
        var phase = Phase.undetermined
        var isNotified = false
    }

    /// The number of operations that may be starting at once.
    var limit: Int
    var spread: Duration
    /// The time after its release at which work counts as started without reporting it.
    var startLimit: Duration
    private let random: @Sendable () -> Double
    private var connectivity: [View: Connectivity] = [:]
    private var waiters: [Identifier: Waiter] = [:]
    private var deadlines = Schedule()
    /// The releases of work that needs a place.
    private var queue = Schedule()
    /// The releases of work that needs none.
    private var placelessQueue = Schedule()
    /// Work that was released from the queue and is starting, with the time at which it counts as started.
    private var startBounds = Schedule()
    /// The number of times that a waiter was looked at, for tests: an event concerns few waiters, except for a change of
    /// connectivity.
    private(set) var lookCount = 0

    init(limit: Int, spread: Duration, startLimit: Duration = .seconds(3), random: @escaping @Sendable () -> Double) {
        self.limit = limit
        self.spread = spread
        self.startLimit = startLimit
        self.random = random
    }

    /// The work that was released from the queue and is starting.
    var starting: Set<Identifier> { Set(startBounds.identifiers) }

    var count: Int { waiters.count }

    /// The current obstacle to such work; nil without an obstacle, or if the state is unknown.
    func obstacle(to requirement: WaitRequirement) -> WaitingPolicy.Obstacle? {
        connectivity[requirement.view].flatMap { requirement.obstacle(in: $0) }
    }

    /// The current path for work with a requirement; nil if it is not known yet.
    func path(for requirement: WaitRequirement) -> NetworkPath? { connectivity[requirement.view]?.path }

    /// The time at which `timePassed` must be called next.
    func nextTime(after now: Duration) -> Duration? {
        // A start limit matters only while other work waits for a place.
        let bound = startBounds.count >= limit && queue.first != nil ? startBounds.first?.time : nil
        return [deadlines.first?.time, nextToGo?.time, bound].compactMap(\.self).min()
    }

    // MARK: Events

    /// Adds work that asks to start, or to start again after a backoff.
    mutating func enter(
        _ identifier: Identifier, _ requirement: WaitRequirement, deadline: Duration?, earliest: Duration? = nil,
        needsPlace: Bool = true, retriesOnChange: Bool = false, at now: Duration
    ) -> [Action] {
        waiters[identifier] = Waiter(
            requirement: requirement, earliest: earliest, needsPlace: needsPlace, retriesOnChange: retriesOnChange)
        if let deadline { deadlines.insert(identifier, at: deadline) }
        var actions: [Action] = []
        reevaluate(identifier, isArrival: true, at: now, &actions)
        return actions + timePassed(at: now)
    }

    /// Handles a change of connectivity in a view.
    mutating func update(_ value: Connectivity, _ view: View, at now: Duration) -> [Action] {
        // Whether there is a path is not known before the kernel has answered. Of a hidden network it never will be.
        guard value.path.limitation != .notLookedAt else { return timePassed(at: now) }
        let isNewPath = connectivity[view].map { $0.path != value.path } ?? false
        connectivity[view] = value
        var actions: [Action] = []
        for identifier in waiters.keys.sorted() where waiters[identifier]?.requirement.view == view {
            if isNewPath, waiters[identifier]?.retriesOnChange == true { hasten(identifier, at: now) }
            reevaluate(identifier, isArrival: false, at: now, &actions)
        }
        return actions + timePassed(at: now)
    }

    /// Removes work that stops waiting.
    mutating func leave(_ identifier: Identifier, at now: Duration) -> [Action] {
        remove(identifier)
        return timePassed(at: now)
    }

    /// Frees the place of released work that has started or ended.
    mutating func start(_ identifier: Identifier, at now: Duration) -> [Action] {
        startBounds.remove(identifier)
        return timePassed(at: now)
    }

    /// Handles the time requested by `nextTime`; a call that is too early is harmless.
    mutating func timePassed(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while let (time, identifier) = deadlines.first, time <= now {
            let reason: WaitingPolicy.Obstacle? =
                if case .waiting(let reason)? = waiters[identifier]?.phase { reason } else { nil }
            actions.append(.expire(identifier, reason))
            remove(identifier)
        }
        while let (time, identifier) = startBounds.first, time <= now { startBounds.remove(identifier) }
        while let (time, identifier) = nextToGo, time <= now {
            if waiters[identifier]?.needsPlace ?? true { startBounds.insert(identifier, at: now + startLimit) }
            remove(identifier)
            actions.append(.admit(identifier))
        }
        return actions
    }

    /// The next queued work to release, if a place is free for it.
    private var nextToGo: Schedule.Entry? {
        let released = [startBounds.count < limit ? queue.first : nil, placelessQueue.first]
        return released.compactMap(\.self).min { $0 < $1 }
    }

    // MARK: Phases

    private mutating func reevaluate(
        _ identifier: Identifier, isArrival: Bool, at now: Duration, _ actions: inout [Action]
    ) {
        lookCount += 1
        guard var waiter = waiters[identifier], let value = connectivity[waiter.requirement.view] else { return }
        defer { if waiters[identifier] != nil { waiters[identifier] = waiter } }
        if let reason = waiter.requirement.obstacle(in: value) {
            unqueue(identifier)
            waiter.phase = .waiting(reason)
            guard !waiter.isNotified else { return }
            waiter.isNotified = true
            actions.append(.notify(identifier, reason))
            return
        }
        switch waiter.phase {
        case .queued: return
        case .undetermined where waiter.earliest == nil:
            // This work never waited, so it is not one of many that are released at once.
            remove(identifier)
            actions.append(.admit(identifier))
        case .undetermined, .waiting:
            enqueue(identifier, waiter, at: waiter.isNotified ? spreadTime(after: now) : waiter.earliest ?? now)
            waiter.phase = .queued
        }
    }

    /// Ends the backoff of queued work within the spread.
    private mutating func hasten(_ identifier: Identifier, at now: Duration) {
        guard let waiter = waiters[identifier], let time = unqueue(identifier) else { return }
        enqueue(identifier, waiter, at: min(time, spreadTime(after: now)))
    }

    private func spreadTime(after now: Duration) -> Duration { now + spread * min(max(random(), 0), 1) }

    private mutating func enqueue(_ identifier: Identifier, _ waiter: Waiter, at release: Duration) {
        if waiter.needsPlace {
            queue.insert(identifier, at: release)
        } else {
            placelessQueue.insert(identifier, at: release)
        }
    }

    private mutating func remove(_ identifier: Identifier) {
        lookCount += 1
        unqueue(identifier)
        deadlines.remove(identifier)
        waiters[identifier] = nil
    }

    /// Returns the time at which the work was to be released; nil if it was not queued.
    @discardableResult private mutating func unqueue(_ identifier: Identifier) -> Duration? {
        queue.remove(identifier) ?? placelessQueue.remove(identifier)
    }
}

/// Work by time, and then by order of arrival.
///
/// The array is sorted, so that a search takes a logarithmic number of steps. Times mostly increase, so an insertion
/// moves few entries; at worst it moves memory, which is fast for the number of operations that one process runs.
struct Schedule: Sendable {
    typealias Entry = (time: Duration, identifier: WaitingRoomMachine.Identifier)

    private var entries: [Entry] = []
    private var times: [WaitingRoomMachine.Identifier: Duration] = [:]

    var count: Int { entries.count }
    var first: Entry? { entries.first }
    var identifiers: some Sequence<WaitingRoomMachine.Identifier> { times.keys }

    mutating func insert(_ identifier: WaitingRoomMachine.Identifier, at time: Duration) {
        remove(identifier)
        times[identifier] = time
        entries.insert((time, identifier), at: index(of: (time, identifier)))
    }

    /// Removes work, and returns its time; nil if there is no such work.
    @discardableResult mutating func remove(_ identifier: WaitingRoomMachine.Identifier) -> Duration? {
        guard let time = times.removeValue(forKey: identifier) else { return nil }
        entries.remove(at: index(of: (time, identifier)))
        return time
    }

    /// The first index whose entry is not before another entry.
    private func index(of entry: Entry) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle] < entry { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension WaitRequirement {
    /// The view that the requirement applies to.
    var view: WaitingRoomMachine.View { needsProof ? .verified : .passive }
}
