//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Decides whether work that failed is tried again.
struct RetryRules {
    let policy: WaitingPolicy
    /// How many attempts there have been.
    let attempts: Int
    let failure: RequestFailure
    /// What stands in the way of another attempt at this moment; nil when the network seems to be well.
    let obstacle: WaitReason?

    /// What to do.
    enum Verdict: Hashable {
        /// The failure is the caller's.
        case fail
        /// Once more as soon as the network is back, at no cost.
        case whenBack
        /// Once more after a backoff, at the cost of one retry.
        case afterBackoff
    }

    var verdict: Verdict {
        if let maximum = policy.maximumAttempts, attempts >= maximum { return .fail }
        if failure.mayHaveReachedServer && !policy.isIdempotent { return .fail }
        switch failure.kind {
        case .cancelled, .invalidRequest: return .fail
        // An error that tells nothing, or a stranger's certificate, is the network's fault only where that is seen to be ill.
        case .unknown, .tlsFailure: return obstacle == nil ? .fail : .whenBack
        default: return obstacle == nil ? .afterBackoff : .whenBack
        }
    }
}
