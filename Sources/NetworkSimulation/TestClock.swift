// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

/// A clock that only a test advances, and that lists its sleepers.
///
/// ```swift
/// clock.advance(by: .seconds(5))
/// ```
///
/// It is a `Clock`, and its `timeSource` is a time source for monitors: a machine that can sleep, with a wall
/// clock that can be set.
public final class TestClock: Clock, Sendable {
    /// A point in time of this clock, relative to its creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Creates a point in time.
        public init(offset: Duration) { self.offset = offset }

        /// The point in time after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from this point to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether one point in time is before another.
        public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var asleep = Duration.zero
        var wallOffset = Duration.zero
        var sleepers: [UInt64: Sleeper] = [:]
        var audience: [UInt64: AsyncStream<Int>.Continuation] = [:]
        var jumpWatchers: [UInt64: @Sendable () -> Void] = [:]
        var lastIdentifier: UInt64 = 0
    }

    private struct Sleeper {
        let deadline: Instant
        let wake: @Sendable () -> Void
    }

    private let state = Mutex(State())
    private let beginning: Date

    /// Creates a clock.
    ///
    /// - Parameter date: the initial time of its wall clock.
    public init(date: Date = Date(timeIntervalSince1970: 1_800_000_000)) { beginning = date }

    /// The current time.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero, because the clock distinguishes any two times.
    public var minimumResolution: Duration { .zero }
    /// The time of the wall clock.
    public var date: Date { moment.realtime }

    // MARK: Waiting

    /// Waits until the clock has been advanced to the deadline.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let (alarms, alarm) = AsyncStream.makeStream(of: Void.self)
        let cancel = call(at: deadline) { alarm.yield() }
        // The stream ends when the task is cancelled, and the sleeper leaves at once.
        let isOnTime = await withTaskCancellationHandler {
            await alarms.first { _ in true } != nil
        } onCancel: {
            cancel()
        }
        if !isOnTime { throw CancellationError() }
    }

    /// Calls back when the clock has been advanced to the deadline; at once if it has passed.
    ///
    /// The call is made on the thread that advances the clock, before `advance(by:)` returns.
    ///
    /// - Returns: a closure that cancels the call.
    public func call(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> TimeSource.Cancellation {
        let identifier = nextIdentifier()
        let isDue = state.withLock { state in
            if deadline <= state.now { return true }
            state.sleepers[identifier] = Sleeper(deadline: deadline, wake: body)
            for listener in state.audience.values { listener.yield(state.sleepers.count) }
            return false
        }
        if isDue { body() }
        return {
            let old = self.state.withLock { $0.sleepers.removeValue(forKey: identifier) }
            // Outside the lock, because the objects that it holds may be released with it.
            withExtendedLifetime(old) {}
        }
    }

    private func nextIdentifier() -> UInt64 {
        state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
    }

    // MARK: Sleepers

    /// The deadlines of all sleepers, earliest first.
    public var deadlines: [Instant] { state.withLock { $0.sleepers.values.map(\.deadline).sorted() } }

    /// Waits, in real time, until the clock has a number of sleepers.
    ///
    /// - Parameters:
    ///   - count: the minimum number.
    ///   - timeout: the maximum time to wait.
    /// - Throws: `TestClockTimeout`.
    public func sleepers(atLeast count: Int, timeout: Duration = .seconds(60)) async throws {
        let identifier = nextIdentifier()
        // Every count, because sleepers may leave before this task sees the newest one.
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
        state.withLock { state in
            state.audience[identifier] = continuation
            continuation.yield(state.sleepers.count)
        }
        defer { state.withLock { $0.audience[identifier] = nil } }
        let haveCome = await firstAnswer(until: TimeSource.system.now + timeout, late: false, cancelled: false) {
            await counts.first { $0 >= count } != nil
        }
        if !haveCome { throw TestClockTimeout(wanted: count, deadlines: deadlines) }
    }

    // MARK: Advancing

    /// Advances the clock, and wakes each sleeper at its deadline, in order.
    ///
    /// Sleeping tasks may continue after this returns; calls made by `call(at:_:)` have been made. A negative duration
    /// has no effect.
    public func advance(by duration: Duration) { advance(to: now.advanced(by: max(duration, .zero))) }

    /// Advances the clock to a point in time, and wakes each sleeper at its deadline, in order.
    public func advance(to moment: Instant) {
        while let sleeper = nextSleeper(until: moment) { sleeper.wake() }
    }

    /// Simulates system sleep: time passes, but sleepers wake only at its end.
    ///
    /// Then the observers of `whenClocksJump(_:)` are called.
    public func sleepMachine(for duration: Duration) {
        let now = state.withLock { state in
            state.now.offset += max(duration, .zero)
            state.asleep += max(duration, .zero)
            return state.now
        }
        tellOfJump()
        advance(to: now)
    }

    /// Sets the wall clock forward, or with a negative duration back, and calls the observers of `whenClocksJump(_:)`.
    public func setWallClock(forward duration: Duration) {
        state.withLock { $0.wallOffset += duration }
        tellOfJump()
    }

    /// Calls back when the machine has slept and when the wall clock is set, before the call that does so returns.
    ///
    /// - Returns: a closure that cancels the observation.
    public func whenClocksJump(_ body: @escaping @Sendable () -> Void) -> TimeSource.Cancellation {
        let identifier = nextIdentifier()
        state.withLock { $0.jumpWatchers[identifier] = body }
        return {
            let old = self.state.withLock { $0.jumpWatchers.removeValue(forKey: identifier) }
            withExtendedLifetime(old) {}
        }
    }

    private func tellOfJump() {
        let watchers = state.withLock { $0.jumpWatchers.sorted { $0.key < $1.key }.map(\.value) }
        for watcher in watchers { watcher() }
    }

    private func nextSleeper(until moment: Instant) -> Sleeper? {
        state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= moment }
            guard let next = due.min(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) else {
                state.now = max(state.now, moment)
                return nil
            }
            state.now = max(state.now, next.value.deadline)
            return state.sleepers.removeValue(forKey: next.key)
        }
    }

    // MARK: For monitors

    /// This clock as a time source for monitors.
    public var timeSource: TimeSource {
        TimeSource {
            self.moment
        } schedule: { elapsed, body in
            self.call(at: Instant(offset: elapsed), body)
        } watch: { body in
            self.whenClocksJump(body)
        }
    }

    private var moment: TimeSource.Moment {
        state.withLock { state in
            TimeSource.Moment(
                boottime: state.now.offset, monotonic: state.now.offset - state.asleep,
                realtime: beginning.addingTimeInterval((state.now.offset + state.wallOffset) / .seconds(1)))
        }
    }
}

/// The error when fewer sleepers than expected wait for a clock.
public struct TestClockTimeout: Error, CustomStringConvertible {
    /// The expected number, and the deadlines of the actual sleepers.
    public let description: String

    init(wanted: Int, deadlines: [TestClock.Instant]) {
        let times = deadlines.map { "\($0.offset)" }.joined(separator: ", ")
        description = "wanted \(wanted) to wait, but there were \(deadlines.count): \(times)"
    }
}
