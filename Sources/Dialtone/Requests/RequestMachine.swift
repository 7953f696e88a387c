//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

/// Makes one status of requests that begin and end, in whatever order.
///
/// A value without clocks or locks. The last request is the one that began last: what becomes of one that began earlier
/// does not overwrite what became of it. A request that was cancelled is as if it had not been made.
struct RequestMachine: Sendable {
    private(set) var status = RequestStatus()
    private var lastBegun: UInt64 = 0
    /// The request that `status.outcome` is of.
    private var lastSettled: UInt64 = 0
    private var underWay: Set<UInt64> = []

    /// A request begins.
    ///
    /// - Returns: its number.
    mutating func begin() -> UInt64 {
        lastBegun += 1
        underWay.insert(lastBegun)
        status.state = .checking
        return lastBegun
    }

    /// A request has ended; again does no harm.
    mutating func end(_ number: UInt64, _ outcome: RequestOutcome, at now: Date) {
        guard underWay.remove(number) != nil else { return }
        if number > lastSettled, outcome != .cancelled {
            lastSettled = number
            status.outcome = outcome
            status.updatedAt = now
        }
        let isChecking = underWay.contains { $0 > lastSettled }
        status.state = isChecking ? .checking : status.outcome.flatMap(RequestStatus.State.init) ?? .unknown
    }
}
