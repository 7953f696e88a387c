// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Testing

@testable import Dialtone

/// Invalid policies, and the field that each error names.
struct PolicyTests {
    @Test(arguments: [
        (WaitingPolicy(deadline: .zero), "deadline"), (WaitingPolicy(deadline: .seconds(-1)), "deadline"),
        (WaitingPolicy(deadline: .seconds(1e15)), "deadline"), (WaitingPolicy(maximumAttempts: 0), "maximumAttempts"),
        (WaitingPolicy(maximumAttempts: -3), "maximumAttempts"),
        (WaitingPolicy(backoff: WaitingPolicy.Backoff(first: .zero)), "backoff.first"),
        (WaitingPolicy(backoff: WaitingPolicy.Backoff(longest: .seconds(-1))), "backoff.longest"),
        (WaitingPolicy(backoff: WaitingPolicy.Backoff(first: .seconds(2), longest: .seconds(1))), "backoff.first"),
        (WaitingPolicy(backoff: WaitingPolicy.Backoff(factor: 0.5)), "backoff.factor"),
        (WaitingPolicy(backoff: WaitingPolicy.Backoff(factor: .nan)), "backoff.factor"),
        (WaitingPolicy(backoff: WaitingPolicy.Backoff(factor: .infinity)), "backoff.factor"),
        (WaitingPolicy(deadline: .seconds(1), backoff: WaitingPolicy.Backoff(first: .seconds(5))), "backoff.first"),
    ])
    func `an invalid policy is rejected before anything happens`(policy: WaitingPolicy, field: String) async {
        let error = await #expect(throws: InvalidConfiguration.self) {
            try await withConnectivity(policy) { Issue.record("the work began") }
        }
        #expect(error?.field == field)
        #expect(error?.description.hasPrefix(field) == true)
    }

    @Test func `the default policies, and those at a limit, are valid`() throws {
        try WaitingPolicy().validate()
        try WaitingPolicy(.verified, deadline: .milliseconds(1), maximumAttempts: 1).validate()
        try WaitingPolicy(maximumAttempts: nil).validate()
        try WaitingPolicy(deadline: .seconds(1), backoff: WaitingPolicy.Backoff(first: .seconds(1))).validate()
        try WaitingRoom.Configuration().validate()
    }

    @Test func `the Internet behind a proxy satisfies a policy that requires it, and no policy that requires a path`() {
        let path = SimulatedPath.offline(.noRoute).path
        let values = [ConnectivityState.online, .offline].map {
            Connectivity(state: $0, path: path, since: .distantPast)
        }
        let reason = WaitingPolicy.Obstacle.offline(path.diagnosis)
        #expect(values.map { WaitingPolicy(.verified).obstacle(in: $0) } == [nil, reason])
        #expect(values.map { WaitingPolicy(.path).obstacle(in: $0) } == [reason, reason])
    }

    @Test func `an invalid room configuration is rejected`() {
        let changes: [(String, (inout WaitingRoom.Configuration) -> Void)] = [
            ("concurrencyLimit", { $0.concurrencyLimit = 0 }), ("releaseSpread", { $0.releaseSpread = .seconds(-1) }),
            ("retryBudget", { $0.retryBudget = -1 }), ("retryRefillInterval", { $0.retryRefillInterval = .zero }),
        ]
        for (field, change) in changes {
            var configuration = WaitingRoom.Configuration()
            change(&configuration)
            let error = #expect(throws: InvalidConfiguration.self) { try configuration.validate() }
            #expect(error?.field == field)
        }
    }

    @Test(
        arguments: [
            (
                NetworkPath(
                    status: .satisfied, usedInterfaceTypes: [.cellular], isExpensive: true, isConstrained: true), true,
                true, true, nil
            ),
            (
                NetworkPath(
                    status: .satisfied, usedInterfaceTypes: [.cellular], isExpensive: true, isConstrained: true), false,
                false, false, .cellular
            ),
            (
                NetworkPath(
                    status: .satisfied, usedInterfaceTypes: [.cellular], isExpensive: true, isConstrained: true), true,
                false, false, .expensive
            ),
            (
                NetworkPath(
                    status: .satisfied, usedInterfaceTypes: [.cellular], isExpensive: true, isConstrained: true), true,
                true, false, .constrained
            ),
            (NetworkPath(status: .satisfied, usedInterfaceTypes: [.wifi]), false, false, false, nil),
            // A tunnel over a mobile network is a mobile network.
            (NetworkPath(status: .satisfied, usedInterfaceTypes: [.other, .cellular]), false, true, true, .cellular),
            (
                NetworkPath(status: .satisfied, usedInterfaceTypes: [.wifi], isExpensive: true), false, false, true,
                .expensive
            ),
        ] as [(NetworkPath, Bool, Bool, Bool, InterfacePolicy.Restriction?)])
    func `the restriction that forbids a path`(
        path: NetworkPath, cellular: Bool, expensive: Bool, constrained: Bool, restriction: InterfacePolicy.Restriction?
    ) {
        let policy = InterfacePolicy(
            allowsCellular: cellular, allowsExpensive: expensive, allowsConstrained: constrained)
        #expect(policy.restriction(of: path) == restriction)
    }
}
