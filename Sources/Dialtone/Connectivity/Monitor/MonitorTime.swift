// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

/// The clocks and timers that a monitor uses.
public struct MonitorTime: Sendable {
    /// A point in time, as read from three clocks.
    public struct Moment: Hashable, Sendable {
        /// The time since an arbitrary start, including the machine's sleep.
        public var elapsed: Duration
        /// The time since an arbitrary start, excluding the machine's sleep.
        public var awake: Duration
        /// The wall clock, which can be set.
        public var wall: Date

        /// Creates a point in time from the readings of the three clocks.
        public init(elapsed: Duration, awake: Duration, wall: Date) {
            self.elapsed = elapsed
            self.awake = awake
            self.wall = wall
        }
    }

    /// A closure that cancels a scheduled call.
    public typealias Cancellation = @Sendable () -> Void

    private let readMoment: @Sendable () -> Moment
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Cancellation
    private let watch: @Sendable (@escaping @Sendable () -> Void) -> Cancellation

    /// Creates a time from its parts.
    ///
    /// - Parameters:
    ///   - now: reads the clocks.
    ///   - schedule: calls back, outside any lock, once `elapsed` has reached the first argument, unless cancelled
    ///     before.
    ///   - watch: calls back, outside any lock, whenever the machine may have slept or the wall clock may have been set,
    ///     until cancelled. By default it never calls back; the monitor then notices a sleep at its next event.
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
            ContinuousTimer.call(after: elapsed - (clock.now - start), body)
        } watch: { body in
            ClockJumps.watch(body)
        }
    }()

    /// The current time on all three clocks.
    public var now: Moment { readMoment() }

    /// Calls back at a time measured by `Moment.elapsed`, or at once if that time has passed.
    public func call(at elapsed: Duration, _ body: @escaping @Sendable () -> Void) -> Cancellation {
        schedule(elapsed, body)
    }

    /// Calls back whenever the machine may have slept, or the wall clock may have been set.
    public func whenClocksJump(_ body: @escaping @Sendable () -> Void) -> Cancellation { watch(body) }
}
