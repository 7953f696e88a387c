// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC

/// Handles SIGINT, SIGTERM and SIGHUP as events.
package final class InterruptHandler {
    private let catcher: SignalCatcher?

    /// Calls back at SIGINT, SIGTERM and SIGHUP until this object is released, except for those that were ignored when
    /// the command started, as under nohup(1).
    ///
    /// - Parameters:
    ///   - onReload: called instead at a SIGHUP that a process sent. The kernel's means that the terminal was closed.
    ///   - body: ends the command.
    package init(onReload: (@Sendable () -> Void)? = nil, _ body: @escaping @Sendable () -> Void) {
        let signals = [SIGINT, SIGTERM, SIGHUP].filter { !InheritedSignals.isIgnored($0) }
        catcher = SignalCatcher(signals) { number, isOfKernel in
            if number == SIGHUP, !isOfKernel, let onReload { onReload() } else { body() }
        }
    }

    deinit { catcher?.cancel() }

    /// Runs work until it ends, until a signal to end arrives, or until the reader of standard output closes it.
    ///
    /// - Parameter cleanUp: called before the process exits while the work still runs; the work may end meanwhile.
    package static func run(
        beforeExit cleanUp: @escaping @Sendable () -> Void = {}, _ work: sending @escaping () async throws -> Void
    ) async throws {
        let task = startCommandTask(work)
        let handler = InterruptHandler {
            task.cancel()
            // If the reader of a full pipe reads no more, a write never ends, and the task waits for it.
            // clock: an alarm of `TimeSource` may wait for it, too: all of them share a queue.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
                cleanUp()
                _exit(0)
            }
        }
        Console.whenClosed { task.cancel() }
        defer { withExtendedLifetime(handler) {} }
        do { try await task.value } catch is Console.Closed {}
    }
}
