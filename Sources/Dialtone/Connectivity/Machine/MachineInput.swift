//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a connectivity machine is told.
enum MachineInput: Sendable {
    /// Watching begins: the first value is due within the bound.
    case started
    /// The path is this, and leads into this network as far as is known.
    case path(NetworkPath, NetworkIdentity?)
    /// A check has answered, and the network looked like this right after it.
    case checkFinished(generation: UInt64, InternetCheck.Report, NetworkIdentity?)
    /// The app tells what became of a request.
    case reported(ReportedOutcome)
    /// The time that was asked for has come; too early does no harm.
    case timerFired
    /// The clocks may have jumped; every input looks at them, and this does nothing else.
    case clocksLookedAt
    /// Somebody wants to know now.
    case checkRequested
    /// The system says that the machine has slept, or that the wall clock was set.
    case clockJumped
    /// No checks until `resumed`.
    case suspended
    /// Checks again.
    case resumed
}

/// What a connectivity machine wants done, in this order.
enum MachineAction: Hashable, Sendable {
    /// The running check's answer is no longer wanted.
    case cancelCheck(generation: UInt64)
    /// A check is to begin over this path.
    case startCheck(generation: UInt64, NetworkPath)
    /// `timerFired` is wanted at this time and at no other; nil is never.
    case setTimer(Duration?)
    /// This is news.
    case publish(Connectivity)
}
