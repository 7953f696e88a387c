// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// The place where a target's callback runs: a queue, or run loops.
///
/// A pure state machine that decides which calls succeed. `Place` is a run loop with one of its modes.
struct ScheduleMachine<Place: Equatable & Sendable> {
    enum State: Equatable {
        /// The target is not watched.
        case idle
        case onQueue
        case inRunLoops([Place])
    }

    /// The result of a call.
    enum Outcome: Equatable {
        /// The call fails with the status for an invalid argument.
        case refused
        /// Nothing needs to be done.
        case unchanged
        /// Watching begins.
        case start
        /// Watching continues, in one more place.
        case add
        /// Watching continues, in one place fewer.
        case remove
        /// Watching ends.
        case stop
    }

    private(set) var state = State.idle

    /// Applies `SCNetworkReachabilitySetDispatchQueue` with a queue.
    mutating func setQueue() -> Outcome {
        guard state == .idle else { return .refused }
        state = .onQueue
        return .start
    }

    /// Applies `SCNetworkReachabilitySetDispatchQueue` without a queue; it also ends watching in run loops.
    mutating func clearQueue() -> Outcome {
        guard state != .idle else { return .refused }
        state = .idle
        return .stop
    }

    /// Applies `SCNetworkReachabilityScheduleWithRunLoop`.
    mutating func add(_ place: Place) -> Outcome {
        switch state {
        case .idle:
            state = .inRunLoops([place])
            return .start
        case .onQueue: return .refused
        case .inRunLoops(let places):
            guard !places.contains(place) else { return .unchanged }
            state = .inRunLoops(places + [place])
            return .add
        }
    }

    /// Applies `SCNetworkReachabilityUnscheduleFromRunLoop`; an unknown place is accepted while there are others.
    mutating func remove(_ place: Place) -> Outcome {
        guard case .inRunLoops(var places) = state else { return .refused }
        guard let index = places.firstIndex(of: place) else { return .unchanged }
        places.remove(at: index)
        state = places.isEmpty ? .idle : .inRunLoops(places)
        return places.isEmpty ? .stop : .remove
    }
}

#endif
