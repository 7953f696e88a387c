// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Calls back once, after a duration that includes the time for which the machine sleeps.
///
/// It avoids `Task.sleep`, which on Linux needs Swift's thread pool. libdispatch checks that pool every second after
/// its first use, so a program that waits for days would wake up for nothing.
enum ContinuousTimer {
    /// Calls back after a wait, unless cancelled before that.
    ///
    /// - Parameter wait: measured by a clock that runs while the machine sleeps. A call that is due during sleep is
    ///   made when the machine wakes.
    static func call(after wait: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        #if canImport(Darwin)
        let task = Task.detached {
            try await Task.sleep(for: wait, clock: .continuous)
            body()
        }
        return { task.cancel() }
        #else
        let number = add(ContinuousClock.now + wait, body)
        return {
            // Outside the lock, because the objects that it holds may be released with it.
            withExtendedLifetime(remove(number)) {}
        }
        #endif
    }

    #if !canImport(Darwin)
    private struct Pending {
        var calls: [UInt64: (deadline: ContinuousClock.Instant, body: @Sendable () -> Void)] = [:]
        var lastNumber: UInt64 = 0
        /// When the timer fires, which may be before the first deadline, because a call was cancelled; nil if it does not.
        var alarm: ContinuousClock.Instant?
        /// Whether clock jumps are watched; then for as long as the process runs, because most waits are short.
        var isWatching = false

        /// Sets the timer to the first deadline.
        mutating func setAlarm() {
            alarm = calls.values.lazy.map(\.deadline).min()
            let wait = alarm.map { DispatchTime.now() + .nanoseconds(nanoseconds($0 - ContinuousClock.now)) }
            unsafe timer.schedule(deadline: wait ?? .distantFuture, leeway: .nanoseconds(0))
        }
    }

    private static let pending = Mutex(Pending())

    /// One timer and one queue for all calls. A timer for each call costs a check 1 % more instructions, and a queue for each
    /// would need as many threads after a sleep of the machine, when all calls are due at once.
    // Other threads reschedule it, which Dispatch allows; `pending` guards the order.
    private nonisolated(unsafe) static let timer = {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "dialtone.timer"))
        timer.setEventHandler(handler: callDue)
        timer.schedule(deadline: .distantFuture)
        timer.activate()
        return timer
    }()

    private static func add(_ deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        pending.withLock { pending in
            pending.lastNumber += 1
            pending.calls[pending.lastNumber] = (deadline, body)
            if pending.alarm.map({ deadline < $0 }) ?? true { pending.setAlarm() }
            // Dispatch's clock stops while the machine sleeps.
            if !pending.isWatching {
                pending.isWatching = ClockJumps.watch { Self.pending.withLock { $0.setAlarm() } } != nil
            }
            return pending.lastNumber
        }
    }

    /// Removes a call, and returns what would have been called.
    private static func remove(_ number: UInt64) -> (@Sendable () -> Void)? {
        pending.withLock { pending in
            let call = pending.calls.removeValue(forKey: number)
            // A program without a call that is pending does not wake up.
            if pending.calls.isEmpty, pending.alarm != nil { pending.setAlarm() }
            return call?.body
        }
    }

    /// Makes the calls that are due, in the order of their deadlines; one that an earlier one cancels is not made.
    @Sendable private static func callDue() {
        let due = pending.withLock { pending in
            let now = ContinuousClock.now
            return pending.calls.filter { $0.value.deadline <= now }
                .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.key)
        }
        for number in due { remove(number)?() }
        pending.withLock { $0.setAlarm() }
    }

    /// A wait in nanoseconds: 0 if the time has passed, and at most a hundred years, which Dispatch can count.
    private static func nanoseconds(_ wait: Duration) -> Int {
        Int(min(max(wait, .zero), .seconds(100 * 366 * 86_400)) / .nanoseconds(1))
    }
    #endif
}

/// Reports when the machine has slept or its wall clock was set.
enum ClockJumps {
    private static let queue = DispatchQueue(label: "dialtone.clocks")

    /// Calls back whenever the machine may have slept or its wall clock may have been set, until cancelled.
    ///
    /// Nothing runs in between. On Linux the kernel reports it through timerfd(2).
    ///
    /// - Returns: a closure that ends the calls; nil if there are none, because no descriptor is available or on another system.
    static func watch(_ body: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        #if os(Linux) || os(Android)
        ClockTimer().map { watch($0, body) }
        #else
        nil
        #endif
    }

    #if os(Linux) || os(Android)
    static func watch(_ timer: ClockTimer, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        // Other threads only cancel it, which Dispatch allows.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: timer.number, queue: queue)
        unsafe source.setEventHandler {
            timer.clear()
            body()
        }
        // The descriptor stays open until the source has released it.
        unsafe source.setCancelHandler { withExtendedLifetime(timer) {} }
        unsafe source.activate()
        return { unsafe source.cancel() }
    }
    #endif
}
