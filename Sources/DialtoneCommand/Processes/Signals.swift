// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import LibC
import SystemSupport

/// The signals that ask a command to end, or that it passes on to another, as events.
///
/// A signal that was ignored when the command started, as under nohup(1), stays ignored.
final class Signals: Sendable {
    /// The signals that end a command by default, and that other processes send intentionally.
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]
    /// The signals that a terminal's keys send.
    static let ofKeyboard: Set = [SIGINT, SIGQUIT]

    private let catcher: SignalCatcher?
    /// The signals that this object catches, and whose original handling a child must get.
    let caught: [Int32]

    /// Calls back at each signal until this object is released.
    ///
    /// - Parameter body: gets its number, and whether the keys of a terminal sent it, which then also reaches this
    ///   process's children.
    init(_ body: @escaping @Sendable (_ number: Int32, _ isOfKeys: Bool) -> Void) {
        caught = Self.all.filter { !InheritedSignals.isIgnored($0) }
        catcher = SignalCatcher(caught) { body($0, $1 && Self.ofKeyboard.contains($0)) }
    }

    deinit { catcher?.cancel() }

    /// Makes the pending calls for all signals so far, on systems that can; must not be called from such a call.
    func deliverPending() { catcher?.deliverPending() }

    /// Ends this process by the signal, so that its parent sees the reason.
    static func endProcess(by number: Int32) {
        signal(number, SIG_DFL)
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe sigaddset(&mask, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        raise(number)
    }
}

/// A signal that has arrived, if any.
final class Received: Sendable {
    private let value = Mutex<Int32?>(nil)

    var signal: Int32? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
