//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// Where a target's callback is to run: on a queue, or in run loops.
///
/// A pure state machine of the rules which calls succeed. `Place` is a run loop with one of its modes.
struct ScheduleMachine<Place: Hashable & Sendable> {
    enum State: Equatable {
        /// Nothing is watched.
        case idle
        case onQueue
        case inRunLoops([Place])
    }

    /// What a call comes to.
    enum Outcome: Equatable {
        /// The call fails with the status for an invalid argument.
        case refused
        /// Nothing needs to be done.
        case unchanged
        /// Watching begins.
        case start
        /// Watching goes on, in one place more.
        case add
        /// Watching goes on, in one place fewer.
        case remove
        /// Watching ends.
        case stop
    }

    private(set) var state = State.idle

    /// `SCNetworkReachabilitySetDispatchQueue` with a queue.
    mutating func setQueue() -> Outcome {
        guard state == .idle else { return .refused }
        state = .onQueue
        return .start
    }

    /// `SCNetworkReachabilitySetDispatchQueue` without a queue; it also ends watching in run loops.
    mutating func clearQueue() -> Outcome {
        guard state != .idle else { return .refused }
        state = .idle
        return .stop
    }

    /// `SCNetworkReachabilityScheduleWithRunLoop`.
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

    /// `SCNetworkReachabilityUnscheduleFromRunLoop`; a place that was never added does no harm while there are others.
    mutating func remove(_ place: Place) -> Outcome {
        guard case .inRunLoops(var places) = state else { return .refused }
        guard let index = places.firstIndex(of: place) else { return .unchanged }
        places.remove(at: index)
        state = places.isEmpty ? .idle : .inRunLoops(places)
        return places.isEmpty ? .stop : .remove
    }
}

#endif
