// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if os(Linux) || os(Android)
import NetworkState
#endif

/// Reports when the machine has slept or its wall clock was set.
enum ClockJumps {
    private static let queue = DispatchQueue(label: "dialtone.clocks")

    /// Calls back whenever the machine may have slept or its wall clock may have been set, until cancelled.
    ///
    /// Nothing runs in between. On Linux the kernel reports it through timerfd(2). Elsewhere, and if no descriptor is
    /// available, there are no calls.
    static func watch(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        #if os(Linux) || os(Android)
        guard let timer = ClockTimer() else { return {} }
        return watch(timer, body)
        #else
        return {}
        #endif
    }

    #if os(Linux) || os(Android)
    static func watch(_ timer: ClockTimer, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        // Other threads only cancel it, which Dispatch allows.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: timer.number, queue: queue)
        source.setEventHandler {
            timer.clear()
            body()
        }
        // The descriptor stays open until the source has released it.
        source.setCancelHandler { withExtendedLifetime(timer) {} }
        source.activate()
        return { source.cancel() }
    }
    #endif
}
