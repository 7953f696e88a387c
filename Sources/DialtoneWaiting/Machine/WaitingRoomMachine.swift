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
        case notify(Identifier, WaitReason)
        /// The work may start.
        case admit(Identifier)
        /// The deadline has passed; the reason is the obstacle, if any.
        case expire(Identifier, WaitReason?)
    }

    private enum Place: Hashable {
        /// The state of the network is not known yet.
        case undetermined
        /// There is an obstacle.
        case waiting(WaitReason)
        /// There is no obstacle: the work is released at this time, if a place is free.
        case queued(Duration)
    }

    private struct Waiter {
        let requirement: WaitRequirement
        let deadline: Duration?
        /// The end of a backoff, for work that is retried.
        let earliest: Duration?
        /// Whether the waiter counts as starting work once it is released.
        let needsPlace: Bool
        /// Whether a change of the path ends the backoff.
        let retriesOnChange: Bool
        var place = Place.undetermined
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
    /// The number of waiters that do not need a place.
    private var placelessCount = 0
    /// The queue, by time and then by order of arrival.
    private var queue: [(time: Duration, identifier: Identifier)] = []
    /// Work that was released from the queue and is starting, with the time at which it counts as started.
    private var startBounds: [Identifier: Duration] = [:]

    init(
        limit: Int, spread: Duration, startLimit: Duration = .seconds(3), random: @escaping @Sendable () -> Double
    ) {
        self.limit = limit
        self.spread = spread
        self.startLimit = startLimit
        self.random = random
    }

    /// The work that was released from the queue and is starting.
    var starting: Set<Identifier> { Set(startBounds.keys) }

    /// The number of waiters.
    var count: Int { waiters.count }

    /// The current obstacle to such work; nil without an obstacle, or if the state is unknown.
    func obstacle(to requirement: WaitRequirement) -> WaitReason? {
        connectivity[requirement.view].flatMap { requirement.obstacle(in: $0) }
    }

    /// The current path for work with a requirement; nil if it is not known yet.
    func path(for requirement: WaitRequirement) -> NetworkPath? { connectivity[requirement.view]?.path }

    /// The time at which `timePassed` must be called next.
    func nextTime(after now: Duration) -> Duration? {
        let deadlines = waiters.values.compactMap(\.deadline).min()
        let release = nextToGo?.time
        // A start limit matters only while other work waits for a place.
        let bound = startBounds.count >= limit && !queue.isEmpty ? startBounds.values.min() : nil
        return [deadlines, release, bound].compactMap(\.self).min()
    }

    // MARK: Events

    /// Adds work that asks to start, or to start again after a backoff.
    mutating func enter(
        _ identifier: Identifier, _ requirement: WaitRequirement, deadline: Duration?, earliest: Duration? = nil,
        needsPlace: Bool = true, retriesOnChange: Bool = false, at now: Duration
    ) -> [Action] {
        let waiter = Waiter(
            requirement: requirement, deadline: deadline, earliest: earliest, needsPlace: needsPlace,
            retriesOnChange: retriesOnChange)
        waiters[identifier] = waiter
        if !needsPlace { placelessCount += 1 }
        var actions: [Action] = []
        place(identifier, isArrival: true, at: now, &actions)
        return actions + timePassed(at: now)
    }

    /// Handles a change of connectivity in a view.
    mutating func update(_ value: Connectivity, _ view: View, at now: Duration) -> [Action] {
        let isNewPath = connectivity[view].map { $0.path != value.path } ?? false
        connectivity[view] = value
        var actions: [Action] = []
        for identifier in waiters.keys.sorted() where waiters[identifier]?.requirement.view == view {
            if isNewPath, waiters[identifier]?.retriesOnChange == true { hasten(identifier, at: now) }
            place(identifier, isArrival: false, at: now, &actions)
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
        startBounds[identifier] = nil
        return timePassed(at: now)
    }

    /// Handles the time requested by `nextTime`; a call that is too early is harmless.
    mutating func timePassed(at now: Duration) -> [Action] {
        var actions: [Action] = []
        let late = waiters.filter { $0.value.deadline.map { $0 <= now } ?? false }
        for (identifier, waiter) in late.sorted(by: { $0.key < $1.key }) {
            if case .waiting(let reason) = waiter.place {
                actions.append(.expire(identifier, reason))
            } else {
                actions.append(.expire(identifier, nil))
            }
            remove(identifier)
        }
        for (identifier, bound) in startBounds where bound <= now { startBounds[identifier] = nil }
        while let next = nextToGo, next.time <= now {
            if waiters[next.identifier]?.needsPlace ?? true { startBounds[next.identifier] = now + startLimit }
            remove(next.identifier)
            actions.append(.admit(next.identifier))
        }
        return actions
    }

    /// The next queued work to release, if a place is free for it.
    private var nextToGo: (time: Duration, identifier: Identifier)? {
        if startBounds.count < limit { return queue.first }
        guard placelessCount > 0 else { return nil }
        return queue.first { waiters[$0.identifier]?.needsPlace == false }
    }

    // MARK: Places

    private mutating func place(
        _ identifier: Identifier, isArrival: Bool, at now: Duration, _ actions: inout [Action]
    ) {
        guard var waiter = waiters[identifier], let value = connectivity[waiter.requirement.view] else { return }
        defer { if waiters[identifier] != nil { waiters[identifier] = waiter } }
        if let reason = waiter.requirement.obstacle(in: value) {
            unqueue(identifier)
            waiter.place = .waiting(reason)
            guard !waiter.isNotified else { return }
            waiter.isNotified = true
            actions.append(.notify(identifier, reason))
            return
        }
        switch waiter.place {
        case .queued: return
        case .undetermined where waiter.earliest == nil:
            // This work never waited, so it is not one of many that are released at once.
            remove(identifier)
            actions.append(.admit(identifier))
        case .undetermined, .waiting:
            waiter.place = enqueue(identifier, at: waiter.isNotified ? spreadTime(after: now) : waiter.earliest ?? now)
        }
    }

    /// Ends the backoff of queued work within the spread.
    private mutating func hasten(_ identifier: Identifier, at now: Duration) {
        guard case .queued(let time)? = waiters[identifier]?.place else { return }
        unqueue(identifier)
        let place = enqueue(identifier, at: min(time, spreadTime(after: now)))
        waiters[identifier]?.place = place
    }

    private func spreadTime(after now: Duration) -> Duration { now + spread * min(max(random(), 0), 1) }

    private mutating func enqueue(_ identifier: Identifier, at release: Duration) -> Place {
        let index = queue.partitioningIndex { ($0.time, $0.identifier) > (release, identifier) }
        queue.insert((release, identifier), at: index)
        return .queued(release)
    }

    private mutating func remove(_ identifier: Identifier) {
        unqueue(identifier)
        if waiters.removeValue(forKey: identifier)?.needsPlace == false { placelessCount -= 1 }
    }

    private mutating func unqueue(_ identifier: Identifier) {
        guard case .queued(let time)? = waiters[identifier]?.place else { return }
        let index = queue.partitioningIndex { ($0.time, $0.identifier) >= (time, identifier) }
        if index < queue.count, queue[index].identifier == identifier { queue.remove(at: index) }
    }
}

extension WaitRequirement {
    /// The view that the requirement applies to.
    var view: WaitingRoomMachine.View { needsProof ? .verified : .passive }
}

extension Array {
    /// The first index whose element satisfies a condition, in an array where those elements come last.
    fileprivate func partitioningIndex(where isFar: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isFar(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
