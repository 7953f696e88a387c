//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

#if os(Linux) || os(Android)
import NetworkState
#endif

/// Tells when the machine has slept or its wall clock was set.
enum ClockJumps {
    private static let queue = DispatchQueue(label: "dialtone.clocks")

    /// Calls back whenever that may have happened, until cancelled.
    ///
    /// While it does not, nothing runs. On Linux the kernel tells, by timerfd(2). Elsewhere, and when no descriptor is left, nobody does.
    static func watch(_ body: @escaping @Sendable () -> Void) -> MonitorTime.Cancellation {
        #if os(Linux) || os(Android)
        guard let timer = ClockTimer() else { return {} }
        return watch(timer, body)
        #else
        return {}
        #endif
    }

    #if os(Linux) || os(Android)
    static func watch(_ timer: ClockTimer, _ body: @escaping @Sendable () -> Void) -> MonitorTime.Cancellation {
        // Cancelling is all that is done with it from other threads, which Dispatch allows.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: timer.number, queue: queue)
        source.setEventHandler {
            timer.clear()
            body()
        }
        // The descriptor stays open until the source has let go of it.
        source.setCancelHandler { withExtendedLifetime(timer) {} }
        source.activate()
        return { source.cancel() }
    }
    #endif
}
