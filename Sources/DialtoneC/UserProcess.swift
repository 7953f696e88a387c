// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LibC
import Synchronization
import SystemSupport

/// The process that uses the library: the first one that calls a function which may start threads or take locks.
enum UserProcess {
    private static let identifier = Atomic<pid_t>(0)

    /// Whether the caller's process was forked from the one that uses the library.
    ///
    /// Its threads do not exist here, and a lock that one of them held is never released.
    static var isForked: Bool {
        let caller = getpid()
        let (isFirst, user) = identifier.compareExchange(expected: 0, desired: caller, ordering: .relaxed)
        return !isFirst && user != caller
    }

    /// Runs a function's body unless the process was forked, and reports what it throws as a negative error number.
    static func status(_ body: () throws(SystemError) -> Void) -> Int32 {
        do throws(SystemError) {
            try check()
            try body()
            return 0
        } catch {
            return -error.number
        }
    }

    /// Runs a function's body unless the process was forked; if it throws, returns nil and sets `errno`.
    static func pointer(
        _ body: () throws(SystemError) -> UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer? {
        do throws(SystemError) {
            try check()
            return unsafe try body()
        } catch {
            errno = error.number
            return nil
        }
    }

    private static func check() throws(SystemError) {
        if isForked { throw SystemError(ECHILD) }
    }
}

/// Runs work that may start threads, which then block signals: the program's handlers run on its own threads.
///
/// A fault of a thread stays unblocked, because a blocked one ends the process without calling its crash reporter.
func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
    var blocked = sigset_t()
    var former = sigset_t()
    unsafe sigfillset(&blocked)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&blocked, fault) }
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    return body()
}

/// The queue that calls the handlers of all monitors, one at a time.
enum HandlerQueue {
    private static let mark = DispatchSpecificKey<Bool>()
    private static let queue = {
        let queue = DispatchQueue(label: "dialtone.handlers")
        queue.setSpecific(key: mark, value: true)
        return queue
    }()

    /// Runs work on the queue; Dispatch may start a thread for it, with the signal mask of the caller's.
    static func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Throws if the caller is a handler: waiting would block every other one.
    static func rejectWaiting() throws(SystemError) {
        if DispatchQueue.getSpecific(key: mark) == true { throw SystemError(EDEADLK) }
    }
}
