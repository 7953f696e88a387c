//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The signals that ask a command to end, or that it hands on to another, as events.
///
/// A signal that was ignored when the command began, as under nohup(1), stays ignored.
final class Signals: Sendable {
    /// Those that end a command by default, and that others send on purpose.
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]
    /// Those that a terminal's keys send.
    static let ofKeyboard: Set = [SIGINT, SIGQUIT]

    private let catcher: SignalCatcher?
    /// Those that this object catches, and that a child must get as they were.
    let caught: [Int32]

    /// Calls back at each signal for as long as this object lives.
    ///
    /// - Parameter body: gets its number, and whether the keys of a terminal sent it, which reach this process's children by
    ///   themselves.
    init(_ body: @escaping @Sendable (_ number: Int32, _ isOfKeys: Bool) -> Void) {
        caught = Self.all.filter { !Self.isIgnored($0) }
        catcher = SignalCatcher(caught) { body($0, $1 && Self.ofKeyboard.contains($0)) }
    }

    deinit { catcher?.cancel() }

    /// Makes the calls for all signals that have come, where the system lets that be known; call it from no such call.
    func catchUp() { catcher?.catchUp() }

    /// Whether a signal does nothing.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.isIgnored
    }

    /// Ends this process as the signal would have, so that who waits for it sees why.
    static func die(of number: Int32) {
        signal(number, SIG_DFL)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        raise(number)
    }
}

extension sigaction {
    /// Whether the signal does nothing.
    var isIgnored: Bool {
        let ignore = unsafeBitCast(SIG_IGN, to: Int.self)
        #if canImport(Darwin)
        return unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == ignore
        #else
        return unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == ignore
        #endif
    }
}

/// A signal that came, if one did.
final class Received: Sendable {
    private let value = Mutex<Int32?>(nil)

    var signal: Int32? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
