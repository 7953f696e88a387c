//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
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
final class Signals {
    /// Those that end a command by default, and that others send on purpose.
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]
    /// Those that a terminal's keys send.
    static let ofKeyboard: Set = [SIGINT, SIGQUIT]

    private let sources: [any DispatchSourceProtocol]
    /// Those that this object catches, and that a child must get as they were.
    let caught: [Int32]

    /// Calls back at each signal for as long as this object lives.
    ///
    /// - Parameter body: gets its number, and whether the keys of a terminal sent it, which reach this process's children by
    ///   themselves.
    init(_ body: @escaping @Sendable (_ number: Int32, _ isOfKeys: Bool) -> Void) {
        caught = Self.all.filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return !action.isIgnored
        }
        #if os(Linux)
        let source = SignalCatcher.start(caught) { body($0, $1 && Self.ofKeyboard.contains($0)) }
        sources = source.map { [$0] } ?? []
        #else
        sources = caught.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // Who sent it is not told here: in the foreground it was most likely the keys.
            source.setEventHandler { body(number, Self.ofKeyboard.contains(number) && Self.isInForeground) }
            source.activate()
            return source
        }
        #endif
    }

    deinit {
        for source in sources { source.cancel() }
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

    #if !os(Linux)
    /// Whether this process is in the foreground of a terminal, whose keys then reach its children by themselves.
    static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
    #endif
}

extension sigaction {
    fileprivate var isIgnored: Bool {
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
