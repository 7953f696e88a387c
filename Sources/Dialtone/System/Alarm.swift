//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Dispatch

/// Calls back once, at a time.
///
/// On Linux `Task.sleep` needs Swift's pool of threads, over which libdispatch there watches once a second from its first use on: a
/// program that waits for days would wake for nothing.
enum Alarm {
    /// Calls back after a wait, unless cancelled before.
    ///
    /// - Parameter wait: on Linux, where a sleep of the machine is told apart from it (`ClockJumps`), by a clock that stands
    ///   still meanwhile; elsewhere by one that goes on.
    static func call(after wait: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        #if canImport(Darwin)
        let task = Task.detached {
            try await Task.sleep(for: wait, clock: .continuous)
            body()
        }
        return { task.cancel() }
        #else
        // Cancelling is all that is done with it from other threads, which Dispatch allows.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "dialtone.alarm"))
        timer.setEventHandler {
            timer.cancel()
            body()
        }
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds(wait)), leeway: .nanoseconds(0))
        timer.activate()
        return { timer.cancel() }
        #endif
    }

    #if !canImport(Darwin)
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
