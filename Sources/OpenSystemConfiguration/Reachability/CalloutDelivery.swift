// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch

/// Runs callouts on the queue or run loop that the client has chosen.
protocol CalloutDelivery: AnyObject, Sendable {
    /// Schedules a callout; several requests before it begins may be merged into one.
    func request(_ callout: @escaping @Sendable () -> Void)
    /// Prevents any further callout from beginning.
    func end()
}

/// Runs callouts on a dispatch queue, one at a time even if the queue is concurrent.
final class QueueDelivery: CalloutDelivery {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = DispatchQueue(label: "dialtone.reachability", target: queue)
    }

    func request(_ callout: @escaping @Sendable () -> Void) { queue.async(execute: callout) }

    func end() {}
}

/// Calls a closure once after a delay, unless the timer is released before.
///
/// `@unchecked Sendable`: Dispatch allows its sources to be used from any thread, and this object never changes.
final class RetryTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    private static let queue = DispatchQueue(label: "dialtone.reachability.timer")

    init(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: Self.queue)
        // A delay of 10 % more does no harm, and lets the system serve several timers at once.
        source.schedule(deadline: .now() + seconds, leeway: .milliseconds(Int(seconds * 100)))
        source.setEventHandler(handler: body)
        source.activate()
    }

    deinit { source.cancel() }
}

#endif
