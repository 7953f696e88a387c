// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// The conditions under which a failed operation is retried, as a table.
struct RetryRulesTests {
    struct Row: Sendable, CustomStringConvertible {
        let failure: RequestFailure.Kind
        /// The verdicts with a working network, and with an obstacle; each for an idempotent operation, and for another
        /// one.
        let well: (RetryRules.Verdict, RetryRules.Verdict)
        let ill: (RetryRules.Verdict, RetryRules.Verdict)
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
        let verdicts = [nil, WaitingPolicy.Obstacle.offline(nil)].map { obstacle in
            [true, false].map { isIdempotent in
                RetryRules(
                    policy: WaitingPolicy(isIdempotent: isIdempotent), attempts: 1,
                    failure: RequestFailure(row.failure),
                    obstacle: obstacle
                ).verdict
            }
        }
        #expect(verdicts == [[row.well.0, row.well.1], [row.ill.0, row.ill.1]])
    }

    @Test func `every kind is in the table`() {
        #expect(Set(Self.rows.map(\.failure)) == Set(RequestFailure.Kind.allCases))
    }

    @Test func `an operation that provably never reached a server is retried even if it is not idempotent`() {
        let failure = RequestFailure(.timedOut, mayHaveReachedServer: false)
        #expect(
            RetryRules(policy: WaitingPolicy(), attempts: 1, failure: failure, obstacle: nil).verdict == .afterBackoff)
    }

    @Test func `the policy limits the number of attempts`() {
        let failure = RequestFailure(.cannotConnect)
        let verdict = { (maximum: Int?, attempts: Int) in
            RetryRules(
                policy: WaitingPolicy(maximumAttempts: maximum), attempts: attempts, failure: failure, obstacle: nil
            ).verdict
        }
        #expect(verdict(1, 1) == .fail)
        #expect(verdict(2, 1) == .afterBackoff)
        #expect(verdict(2, 2) == .fail)
        #expect(verdict(nil, .max) == .afterBackoff)
    }

    @Test func `an attempt that the network could not carry is repeated at no cost`() {
        let verdict = { (policy: WaitingPolicy, failure: RequestFailure, obstacle: WaitingPolicy.Obstacle?) in
            RetryRules(
                policy: policy, attempts: 5, failure: failure, obstacle: obstacle,
                uncarried: .hostUnreachable(HostError(.routerSilent))
            ).verdict
        }
        let unsent = RequestFailure(.cannotConnect)
        let perhapsSent = RequestFailure(.timedOut)
        let once = WaitingPolicy(maximumAttempts: 1)
        let idempotent = WaitingPolicy(isIdempotent: true)
        #expect(verdict(WaitingPolicy(), unsent, nil) == .whenCarried)
        #expect(verdict(once, unsent, nil) == .whenCarried)
        #expect(verdict(idempotent, perhapsSent, nil) == .whenCarried)
        #expect(verdict(WaitingPolicy(), perhapsSent, nil) == .fail)
        #expect(verdict(WaitingPolicy(maximumAttempts: 1, isIdempotent: true), perhapsSent, nil) == .fail)
        // An obstacle to the path is waited for as before.
        #expect(verdict(WaitingPolicy(), unsent, .offline(nil)) == .fail)
        #expect(verdict(WaitingPolicy(maximumAttempts: 6), unsent, .offline(nil)) == .whenBack)
    }
}
