// SPDX-License-Identifier: Apache-2.0

import LibC

/// The clocks of a machine, and alarms: what everything above the kernel's state takes its time from.
///
/// As a `Clock` it measures `CLOCK_BOOTTIME`, which never jumps and continues while the machine sleeps. ``moment`` reads the other
/// clocks too.
public struct TimeSource: Clock {
    /// An instant of `CLOCK_BOOTTIME`.
    public typealias Instant = ContinuousClock.Instant

    /// A point in time, as read from three clocks of clock_gettime(2).
    public struct Moment: Hashable, Sendable {
        /// `CLOCK_BOOTTIME`: the time since the start of the machine, including its sleep.
        public var boottime: Duration
        /// `CLOCK_MONOTONIC`: the time since the start of the machine, excluding its sleep.
        public var monotonic: Duration
        /// `CLOCK_REALTIME`: the wall clock, which can be set.
        public var realtime: Date

        /// Creates a point in time from the readings of the three clocks.
        public init(boottime: Duration, monotonic: Duration, realtime: Date) {
            self.boottime = boottime
            self.monotonic = monotonic
            self.realtime = realtime
        }
    }

    /// A step of the wall clock that is smaller than this number of seconds is ignored; one of 2 s is not, however it is measured.
    package static let shortestStep = 1.9

    /// A closure that cancels a scheduled call.
    public typealias Cancellation = @Sendable () -> Void

    /// The instant at which `Moment.boottime` is zero.
    private let origin: Instant
    private let readNow: @Sendable () -> Instant
    private let readMoment: @Sendable () -> Moment
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Cancellation
    private let watch: @Sendable (@escaping @Sendable () -> Void) -> Cancellation

    /// Creates a source from its parts.
    ///
    /// - Parameters:
    ///   - moment: reads the clocks.
    ///   - schedule: calls back, outside any lock, once `Moment.boottime` has reached the first argument, unless cancelled
    ///     before.
    ///   - watch: calls back, outside any lock, whenever the machine may have slept or the wall clock may have been set,
    ///     until cancelled. By default it never calls back; a monitor then notices a sleep at its next event.
    public init(
        moment: @escaping @Sendable () -> Moment,
        schedule: @escaping @Sendable (_ boottime: Duration, _ body: @escaping @Sendable () -> Void) -> Cancellation,
        watch: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Cancellation = { _ in {} }
    ) {
        let origin = ContinuousClock.now - moment().boottime
        self.init(origin: origin, now: { origin + moment().boottime }, moment, schedule, watch)
    }

    private init(
        origin: Instant, now: @escaping @Sendable () -> Instant, _ moment: @escaping @Sendable () -> Moment,
        _ schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Cancellation,
        _ watch: @escaping @Sendable (@escaping @Sendable () -> Void) -> Cancellation
    ) {
        self.origin = origin
        readNow = now
        readMoment = moment
        self.schedule = schedule
        self.watch = watch
    }

    /// The same clocks, ahead of themselves by a duration that may change; its alarms are those of the original.
    package func ahead(by offset: @escaping @Sendable () -> Duration) -> TimeSource {
        TimeSource(
            origin: origin, now: { [readNow] in readNow() + offset() },
            { [readMoment] in
                var moment = readMoment()
                moment.boottime += offset()
                moment.monotonic += offset()
                moment.realtime += offset() / .seconds(1)
                return moment
            }, schedule, watch)
    }

    /// The machine's clocks.
    public static let system = TimeSource(
        // The same clock, read with fewer instructions than a moment.
        origin: ContinuousClock.now - SystemClock.boottime, now: { ContinuousClock.now },
        { Moment(boottime: SystemClock.boottime, monotonic: SystemClock.monotonic, realtime: .now) },
        { boottime, body in ContinuousTimer.call(after: boottime - SystemClock.boottime, body) },
        { body in ClockJumps.watch(body) ?? {} })

    /// The current time on all three clocks.
    public var moment: Moment { readMoment() }

    /// Calls back at a time measured by `Moment.boottime`, or at once if that time has passed.
    public func call(at boottime: Duration, _ body: @escaping @Sendable () -> Void) -> Cancellation {
        schedule(boottime, body)
    }

    /// Calls back at an instant, or at once if it has passed.
    package func call(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> Cancellation {
        schedule(origin.duration(to: deadline), body)
    }

    /// Calls back whenever the machine may have slept, or the wall clock may have been set.
    public func whenClocksJump(_ body: @escaping @Sendable () -> Void) -> Cancellation { watch(body) }

    // MARK: Clock

    /// The current time by `Moment.boottime`.
    public var now: Instant { readNow() }

    /// The unit of clock_gettime(2).
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until a point in time; with the machine's clocks, without Swift's thread pool.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let (alarms, alarm) = AsyncStream.makeStream(of: Void.self)
        let cancel = call(at: deadline) { alarm.yield() }
        defer { cancel() }
        // The stream ends when the task is cancelled.
        for await _ in alarms { return }
        throw CancellationError()
    }
}

/// A clock that does not jump, for timeouts and intervals.
package enum MonotonicTime {
    /// The number of seconds since the start of the machine, excluding its sleep.
    package static var now: Double { SystemClock.monotonic / .seconds(1) }
}

/// The clocks of clock_gettime(2) that no user can set.
private enum SystemClock {
    #if canImport(Darwin)
    // Apple's CLOCK_MONOTONIC_RAW continues during sleep; CLOCK_UPTIME_RAW does not.
    static var boottime: Duration { read(CLOCK_MONOTONIC_RAW) }
    static var monotonic: Duration { read(CLOCK_UPTIME_RAW) }
    #else
    static var boottime: Duration { read(CLOCK_BOOTTIME) }
    static var monotonic: Duration { read(CLOCK_MONOTONIC) }
    #endif

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
