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
        let deadline = ContinuousClock.now + wait
        // Other threads reschedule and cancel it, which Dispatch allows.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
        let arm: @Sendable () -> Void = {
            let rest = nanoseconds(deadline - ContinuousClock.now)
            unsafe timer.schedule(deadline: .now() + .nanoseconds(rest), leeway: .nanoseconds(0))
        }
        let number = register(arm)
        unsafe timer.setEventHandler {
            unsafe timer.cancel()
            remove(number)
            body()
        }
        arm()
        unsafe timer.activate()
        return {
            unsafe timer.cancel()
            remove(number)
        }
        #endif
    }

    #if !canImport(Darwin)
    /// The queue of all timers: after a sleep all are due at once, and a queue of its own would give each a thread.
    private static let queue = DispatchQueue(label: "dialtone.timer")

    /// The pending timers.
    ///
    /// Dispatch's clock stops while the machine sleeps, so all timers are rescheduled after a sleep.
    private struct Pending {
        var timers: [UInt64: @Sendable () -> Void] = [:]
        var lastNumber: UInt64 = 0
        /// Whether clock jumps are watched; then for as long as the process runs, because most alarms are short.
        var isWatching = false
    }

    private static let pending = Mutex(Pending())

    private static func register(_ arm: @escaping @Sendable () -> Void) -> UInt64 {
        pending.withLock { pending in
            pending.lastNumber += 1
            pending.timers[pending.lastNumber] = arm
            if !pending.isWatching { pending.isWatching = ClockJumps.watch(armAll) != nil }
            return pending.lastNumber
        }
    }

    private static func remove(_ number: UInt64) {
        pending.withLock { _ = $0.timers.removeValue(forKey: number) }
    }

    @Sendable private static func armAll() {
        for arm in pending.withLock({ Array($0.timers.values) }) { arm() }
    }

    /// A wait in nanoseconds: 0 if the time has passed, and at most what Dispatch can count.
    private static func nanoseconds(_ wait: Duration) -> Int {
        let (seconds, attoseconds) = wait.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLong || whole > longest ? longest : whole + Int(attoseconds / 1_000_000_000)
    }

    /// A hundred years.
    private static let longest = 100 * 366 * 86_400 * 1_000_000_000
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
