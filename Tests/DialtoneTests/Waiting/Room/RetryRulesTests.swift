// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// The conditions under which a failed operation is retried, as a table.
struct RetryRulesTests {
    struct Row: Sendable, CustomStringConvertible {
        let failure: RequestFailure.Kind
        /// The decisions with a working network, and with an obstacle; each for an idempotent operation, and for another
        /// one.
        let well: (RetryRules.Decision, RetryRules.Decision)
        let ill: (RetryRules.Decision, RetryRules.Decision)
        var description: String { failure.rawValue }
    }

    static let rows = [
        Row(failure: .notConnected, well: (.afterBackoff, .afterBackoff), ill: (.whenBack, .whenBack)),
        Row(failure: .notAllowed, well: (.afterBackoff, .afterBackoff), ill: (.whenBack, .whenBack)),
        Row(failure: .nameNotFound, well: (.afterBackoff, .afterBackoff), ill: (.whenBack, .whenBack)),
        Row(failure: .cannotConnect, well: (.afterBackoff, .afterBackoff), ill: (.whenBack, .whenBack)),
        Row(failure: .timedOut, well: (.afterBackoff, .fail), ill: (.whenBack, .fail)),
        Row(failure: .connectionLost, well: (.afterBackoff, .fail), ill: (.whenBack, .fail)),
        Row(failure: .tlsFailure, well: (.fail, .fail), ill: (.whenBack, .whenBack)),
        Row(failure: .redirectLoop, well: (.fail, .fail), ill: (.whenBack, .fail)),
        Row(failure: .cancelled, well: (.fail, .fail), ill: (.fail, .fail)),
        Row(failure: .invalidRequest, well: (.fail, .fail), ill: (.fail, .fail)),
        Row(failure: .unknown, well: (.fail, .fail), ill: (.whenBack, .fail)),
    ]

    @Test(arguments: rows) func `the kind of failure, the network and the operation decide`(row: Row) {
        let decisions = [nil, WaitingPolicy.Obstacle.offline(nil)].map { obstacle in
            [true, false].map { isIdempotent in
                RetryRules(
                    policy: WaitingPolicy(isIdempotent: isIdempotent), attempts: 1,
                    failure: RequestFailure(row.failure),
                    obstacle: obstacle
                ).decision
            }
        }
        #expect(decisions == [[row.well.0, row.well.1], [row.ill.0, row.ill.1]])
    }

    @Test func `every kind is in the table`() {
        #expect(Set(Self.rows.map(\.failure)) == Set(RequestFailure.Kind.allCases))
    }

    @Test func `an operation that provably never reached a server is retried even if it is not idempotent`() {
        let failure = RequestFailure(.timedOut, mayHaveReachedServer: false)
        #expect(
            RetryRules(policy: WaitingPolicy(), attempts: 1, failure: failure, obstacle: nil).decision == .afterBackoff)
    }

    @Test func `the policy limits the number of attempts`() {
        let failure = RequestFailure(.cannotConnect)
        let decision = { (maximum: Int?, attempts: Int) in
            RetryRules(
                policy: WaitingPolicy(maximumAttempts: maximum), attempts: attempts, failure: failure, obstacle: nil
            ).decision
        }
        #expect(decision(1, 1) == .fail)
        #expect(decision(2, 1) == .afterBackoff)
        #expect(decision(2, 2) == .fail)
        #expect(decision(nil, .max) == .afterBackoff)
    }

    @Test func `an attempt that the network could not carry is repeated at no cost`() {
        let decision = { (policy: WaitingPolicy, failure: RequestFailure, obstacle: WaitingPolicy.Obstacle?) in
            RetryRules(
                policy: policy, attempts: 5, failure: failure, obstacle: obstacle,
                uncarried: .hostUnreachable(HostError(.routerSilent))
            ).decision
        }
        let unsent = RequestFailure(.cannotConnect)
        let perhapsSent = RequestFailure(.timedOut)
        let once = WaitingPolicy(maximumAttempts: 1)
        let idempotent = WaitingPolicy(isIdempotent: true)
        #expect(decision(WaitingPolicy(), unsent, nil) == .whenCarried)
        #expect(decision(once, unsent, nil) == .whenCarried)
        #expect(decision(idempotent, perhapsSent, nil) == .whenCarried)
        #expect(decision(WaitingPolicy(), perhapsSent, nil) == .fail)
        #expect(decision(WaitingPolicy(maximumAttempts: 1, isIdempotent: true), perhapsSent, nil) == .fail)
        // An obstacle to the path is waited for as before.
        #expect(decision(WaitingPolicy(), unsent, .offline(nil)) == .fail)
        #expect(decision(WaitingPolicy(maximumAttempts: 6), unsent, .offline(nil)) == .whenBack)
    }
}
