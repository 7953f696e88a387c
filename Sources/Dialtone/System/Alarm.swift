//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Dispatch

/// Calls back once, at a time.
///
/// `Task.sleep` needs Swift's pool of threads, over which libdispatch watches once a second from its first use on: a program
/// that waits for days would wake for nothing.
enum Alarm {
    /// Calls back after a wait, on a queue of its own, unless cancelled before.
    ///
    /// - Parameter wait: by a clock that stands still while the machine sleeps.
    static func call(after wait: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        // Cancelling is all that is done with it from other threads, which Dispatch allows.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "dialtone.alarm"))
        timer.setEventHandler {
            timer.cancel()
            body()
        }
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds(wait)), leeway: .nanoseconds(0))
        timer.activate()
        return { timer.cancel() }
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
}
