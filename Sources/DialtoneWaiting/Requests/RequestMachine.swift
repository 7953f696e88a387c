// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport

/// Computes one status from requests that begin and end in any order.
///
/// A value without clocks or locks. The last request is the one that began last: the outcome of an earlier request does
/// not overwrite its outcome. A cancelled request leaves the status as if it had not been made.
struct RequestMachine: Sendable {
    private(set) var status = RequestStatus()
    private var lastBegun: UInt64 = 0
    /// The request that `status.outcome` belongs to.
    private var lastSettled: UInt64 = 0
    private var underWay: Set<UInt64> = []

    /// Records the start of a request.
    ///
    /// - Returns: its number.
    mutating func begin() -> UInt64 {
        lastBegun += 1
        underWay.insert(lastBegun)
        status.state = .checking
        return lastBegun
    }

    /// Records the end of a request; a second call for the same request has no effect.
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
