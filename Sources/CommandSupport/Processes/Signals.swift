// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC

/// Signals as events, until this object is released.
///
/// A signal that was ignored when the command started, as under nohup(1), stays ignored.
package final class Signals: Sendable {
    /// The signals that end a command by default, and that other processes send intentionally.
    package static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    private let catcher: SignalCatcher?
    /// The signals that this object catches, and whose original handling a child must get.
    package let caught: [Int32]

    /// - Parameter body: gets each signal, and whether the kernel sent it, as it does for the keys of a terminal.
    package init(_ numbers: [Int32], _ body: @escaping @Sendable (_ number: Int32, _ isOfKernel: Bool) -> Void) {
        caught = numbers.filter { !InheritedSignals.isIgnored($0) }
        catcher = SignalCatcher(caught, body)
    }

    /// Handles SIGINT, SIGTERM and SIGHUP.
    ///
    /// - Parameters:
    ///   - onReload: called instead at a SIGHUP that a process sent. The kernel's means that the terminal was closed.
    ///   - body: ends the command.
    package convenience init(onReload: (@Sendable () -> Void)? = nil, _ body: @escaping @Sendable () -> Void) {
        self.init([SIGINT, SIGTERM, SIGHUP]) { number, isOfKernel in
            if number == SIGHUP, !isOfKernel, let onReload { onReload() } else { body() }
        }
    }

    deinit { catcher?.cancel() }

    /// Makes the pending calls for all signals so far, on systems that can; must not be called from such a call.
    package func deliverPending() { catcher?.deliverPending() }

    /// Runs work until it ends, until a signal to end arrives, or until the reader of standard output closes it.
    ///
    /// - Parameter cleanUp: called before the process exits while the work still runs; the work may end meanwhile.
    package static func runInterruptible(
        beforeExit cleanUp: @escaping @Sendable () -> Void = {}, _ work: sending @escaping () async throws -> Void
    ) async throws {
        let task = startCommandTask(work)
        let signals = Signals {
            task.cancel()
            // If the reader of a full pipe reads no more, a write never ends, and the task waits for it.
            // clock: an alarm of `TimeSource` may wait for it, too: all of them share a queue.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
                cleanUp()
                _exit(0)
            }
        }
        Console.whenClosed { task.cancel() }
        defer { withExtendedLifetime(signals) {} }
        do { try await task.value } catch is Console.Closed {}
    }

    /// Ends this process by the signal, so that its parent sees the reason.
    package static func endProcess(by number: Int32) {
        signal(number, SIG_DFL)
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe sigaddset(&mask, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        raise(number)
    }
}
