//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// What time it is for a monitor, and how it waits.
public struct MonitorTime: Sendable {
    /// A moment, as three clocks show it.
    public struct Moment: Hashable, Sendable {
        /// The time since some beginning, sleep of the machine included.
        public var elapsed: Duration
        /// The time since some beginning, sleep of the machine not included.
        public var awake: Duration
        /// The wall clock, which can be set.
        public var wall: Date

        /// Makes a moment.
        public init(elapsed: Duration, awake: Duration, wall: Date) {
            self.elapsed = elapsed
            self.awake = awake
            self.wall = wall
        }
    }

    /// What cancels a call that was asked for.
    public typealias Cancellation = @Sendable () -> Void

    private let readMoment: @Sendable () -> Moment
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Cancellation
    private let watch: @Sendable (@escaping @Sendable () -> Void) -> Cancellation

    /// Makes a time from its parts.
    ///
    /// - Parameters:
    ///   - now: reads the clocks.
    ///   - schedule: calls back, outside any lock, once `elapsed` has reached the first argument, unless cancelled before.
    ///   - watch: calls back, outside any lock, whenever the machine may have slept or the wall clock may have been set, until
    ///     cancelled; never, unless given. Then a sleep is noticed when the monitor next has something to do.
    public init(
        now: @escaping @Sendable () -> Moment,
        schedule: @escaping @Sendable (_ elapsed: Duration, _ body: @escaping @Sendable () -> Void) -> Cancellation,
        watch: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Cancellation = { _ in {} }
    ) {
        readMoment = now
        self.schedule = schedule
        self.watch = watch
    }

    /// The machine's clocks.
    public static let system: MonitorTime = {
        let clock = ContinuousClock()
        let (start, awakeStart) = (clock.now, SuspendingClock().now)
        return MonitorTime {
            Moment(elapsed: clock.now - start, awake: SuspendingClock().now - awakeStart, wall: Date.now)
        } schedule: { elapsed, body in
            Alarm.call(after: elapsed - (clock.now - start), body)
        } watch: { body in
            ClockJumps.watch(body)
        }
    }()

    /// The moment of now.
    public var now: Moment { readMoment() }

    /// Calls back at a time, by the measure of `Moment.elapsed`; at once when it has passed.
    public func call(at elapsed: Duration, _ body: @escaping @Sendable () -> Void) -> Cancellation {
        schedule(elapsed, body)
    }

    /// Calls back whenever it may be that the machine has slept, or that the wall clock was set.
    public func whenClocksJump(_ body: @escaping @Sendable () -> Void) -> Cancellation { watch(body) }
}
