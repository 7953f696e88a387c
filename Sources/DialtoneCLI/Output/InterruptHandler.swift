// SPDX-License-Identifier: Apache-2.0

import CLibrary
import DialtoneCommandLine

/// Handles SIGINT, SIGTERM and SIGHUP as events.
final class InterruptHandler {
    private let catcher: SignalCatcher?

    /// Calls back at SIGINT, SIGTERM and SIGHUP until this object is released, except for those that were ignored when
    /// the command started, as under nohup(1).
    init(_ body: @escaping @Sendable () -> Void) {
        catcher = SignalCatcher([SIGINT, SIGTERM, SIGHUP].filter { !InheritedSignals.isIgnored($0) }) { _, _ in body() }
    }

    deinit { catcher?.cancel() }
}
