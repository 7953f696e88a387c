// SPDX-License-Identifier: Apache-2.0

/// Decides whether a failed operation is retried.
struct RetryRules {
    let policy: WaitingPolicy
    /// The number of attempts so far.
    let attempts: Int
    let failure: RequestFailure
    /// The current obstacle to another attempt; nil if the network seems to work.
    let obstacle: WaitReason?

    /// The decision.
    enum Verdict: Hashable {
        /// Throw the error to the caller.
        case fail
        /// Retry as soon as the network is back, at no cost.
        case whenBack
        /// Retry after a backoff, at the cost of one retry from the budget.
        case afterBackoff
    }

    var verdict: Verdict {
        if let maximum = policy.maximumAttempts, attempts >= maximum { return .fail }
        if failure.mayHaveReachedServer && !policy.isIdempotent { return .fail }
        switch failure.kind {
        case .cancelled, .invalidRequest: return .fail
        // An error of unknown meaning, or an untrusted certificate, counts as the network's fault only if there is an
        // obstacle.
        case .unknown, .tlsFailure: return obstacle == nil ? .fail : .whenBack
        default: return obstacle == nil ? .afterBackoff : .whenBack
        }
    }
}
