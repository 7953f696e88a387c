//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Dispatch
import Synchronization

/// Calls back once, at a time.
///
/// On Linux `Task.sleep` needs Swift's pool of threads, over which libdispatch there watches once a second from its first use on: a
/// program that waits for days would wake for nothing.
enum Alarm {
    /// Calls back after a wait, unless cancelled before.
    ///
    /// - Parameter wait: by a clock that goes on while the machine sleeps. A call that falls into a sleep comes at its end.
    static func call(after wait: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        #if canImport(Darwin)
        let task = Task.detached {
            try await Task.sleep(for: wait, clock: .continuous)
            body()
        }
        return { task.cancel() }
        #else
        let deadline = ContinuousClock.now + wait
        // It is set anew and cancelled from other threads, which Dispatch allows.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "dialtone.alarm"))
        let arm: @Sendable () -> Void = {
            let rest = nanoseconds(deadline - ContinuousClock.now)
            timer.schedule(deadline: .now() + .nanoseconds(rest), leeway: .nanoseconds(0))
        }
        let number = enlist(arm)
        timer.setEventHandler {
            timer.cancel()
            strike(number)
            body()
        }
        arm()
        timer.activate()
        return {
            timer.cancel()
            strike(number)
        }
        #endif
    }

    #if !canImport(Darwin)
    /// The alarms that are to come.
    ///
    /// Dispatch's clock stands still while the machine sleeps, so all are set anew after that.
    private struct Pending {
        var alarms: [UInt64: @Sendable () -> Void] = [:]
        var lastNumber: UInt64 = 0
        var cancelWatch: MonitorTime.Cancellation?
    }

    private static let pending = Mutex(Pending())

    private static func enlist(_ arm: @escaping @Sendable () -> Void) -> UInt64 {
        pending.withLock { pending in
            pending.lastNumber += 1
            pending.alarms[pending.lastNumber] = arm
            if pending.cancelWatch == nil { pending.cancelWatch = ClockJumps.watch(armAll) }
            return pending.lastNumber
        }
    }

    private static func strike(_ number: UInt64) {
        pending.withLock { pending in
            pending.alarms[number] = nil
            guard pending.alarms.isEmpty else { return }
            pending.cancelWatch?()
            pending.cancelWatch = nil
        }
    }

    @Sendable private static func armAll() {
        for arm in pending.withLock({ Array($0.alarms.values) }) { arm() }
    }

    /// A wait that has passed is 0; one longer than Dispatch can count is its longest.
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
