//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Decides who waits, who is let go, and when.
///
/// A value without clocks, tasks or locks: its owner guards it, tells it what happens and when, and does what it asks for.
///
/// The rules:
/// - Work that comes while nothing is in the way goes on at once.
/// - Work that has waited is let go at a random time within the spread after the obstacle is gone, and no more than the
///   limit at once: the next goes when one has finished.
/// - Who still stands in the queue when the obstacle comes back waits again; that is the same wait.
/// - Work within work that was let go takes no place of its own: it would wait for one that is held for it.
struct WaitingRoomMachine: Sendable {
    typealias Identifier = UInt64

    /// The two ways in which the network is looked at.
    enum View: Hashable, Sendable, CaseIterable { case passive, verified }

    /// Something for somebody.
    enum Action: Hashable {
        /// A wait begins, for this reason.
        case tell(Identifier, WaitReason)
        /// Goes on.
        case admit(Identifier)
        /// The deadline has passed, and this was in the way.
        case expire(Identifier, WaitReason?)
    }

    private enum Place: Hashable {
        /// Nobody knows yet how the network is.
        case undetermined
        /// Something is in the way.
        case waiting(WaitReason)
        /// Nothing is in the way: goes on at this time, if there is room.
        case queued(Duration)
    }

    private struct Waiter {
        let requirement: WaitRequirement
        let deadline: Duration?
        /// The end of a backoff; work that was tried already.
        let earliest: Duration?
        /// Whether it counts among those who run.
        let needsPlace: Bool
        var place = Place.undetermined
        var hasBeenTold = false
    }

    let limit: Int
    let spread: Duration
    private let random: @Sendable () -> Double
    private var connectivity: [View: Connectivity] = [:]
    private var waiters: [Identifier: Waiter] = [:]
    /// How many of them need no place.
    private var placelessCount = 0
    /// Who is in the queue, by time and then by order of arrival.
    private var queue: [(time: Duration, identifier: Identifier)] = []
    /// Who was let go from the queue and has not finished.
    private(set) var running: Set<Identifier> = []

    init(limit: Int, spread: Duration, random: @escaping @Sendable () -> Double) {
        self.limit = max(1, limit)
        self.spread = max(.zero, spread)
        self.random = random
    }

    /// How many wait, for whatever.
    var count: Int { waiters.count }

    /// What is in the way of such work at this moment; nil when nothing is, or nothing is known.
    func obstacle(to requirement: WaitRequirement) -> WaitReason? {
        connectivity[requirement.view].flatMap { requirement.obstacle(in: $0) }
    }

    /// When `timePassed` is wanted next.
    func nextTime(after now: Duration) -> Duration? {
        let deadlines = waiters.values.compactMap(\.deadline).min()
        let release = nextToGo?.time
        return [deadlines, release].compactMap(\.self).min()
    }

    // MARK: What happens

    /// Work wants to begin, or to begin anew after a backoff.
    mutating func enter(
        _ identifier: Identifier, _ requirement: WaitRequirement, deadline: Duration?, earliest: Duration? = nil,
        needsPlace: Bool = true, at now: Duration
    ) -> [Action] {
        let waiter = Waiter(
            requirement: requirement, deadline: deadline, earliest: earliest, needsPlace: needsPlace)
        waiters[identifier] = waiter
        if !needsPlace { placelessCount += 1 }
        var actions: [Action] = []
        place(identifier, isArrival: true, at: now, &actions)
        return actions + timePassed(at: now)
    }

    /// The network is like this now, in this view.
    mutating func see(_ value: Connectivity, _ view: View, at now: Duration) -> [Action] {
        connectivity[view] = value
        var actions: [Action] = []
        for identifier in waiters.keys.sorted() where waiters[identifier]?.requirement.view == view {
            place(identifier, isArrival: false, at: now, &actions)
        }
        return actions + timePassed(at: now)
    }

    /// Somebody does not want to wait any more.
    mutating func leave(_ identifier: Identifier, at now: Duration) -> [Action] {
        remove(identifier)
        return timePassed(at: now)
    }

    /// Somebody who was let go has finished, well or not.
    mutating func finish(_ identifier: Identifier, at now: Duration) -> [Action] {
        running.remove(identifier)
        return timePassed(at: now)
    }

    /// The time that was asked for has come; too early does no harm.
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
        while let next = nextToGo, next.time <= now {
            if waiters[next.identifier]?.needsPlace ?? true { running.insert(next.identifier) }
            remove(next.identifier)
            actions.append(.admit(next.identifier))
        }
        return actions
    }

    /// Who goes next, of those for whom there is room.
    private var nextToGo: (time: Duration, identifier: Identifier)? {
        if running.count < limit { return queue.first }
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
            guard !waiter.hasBeenTold else { return }
            waiter.hasBeenTold = true
            actions.append(.tell(identifier, reason))
            return
        }
        switch waiter.place {
        case .queued: return
        case .undetermined where waiter.earliest == nil:
            // Never stood in line, so there is no herd to be feared.
            remove(identifier)
            actions.append(.admit(identifier))
        case .undetermined, .waiting:
            let release = waiter.hasBeenTold ? now + spread * min(max(random(), 0), 1) : waiter.earliest ?? now
            waiter.place = .queued(release)
            let index = queue.partitioningIndex { ($0.time, $0.identifier) > (release, identifier) }
            queue.insert((release, identifier), at: index)
        }
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
    /// From where it must be looked at.
    var view: WaitingRoomMachine.View { needsProof ? .verified : .passive }
}

extension Array {
    /// The first index whose element is on the far side, in an array where those come last.
    fileprivate func partitioningIndex(where isFar: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isFar(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
