// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// The tiers of the tests.
///
/// The logic tier has values, memory and virtual time. It runs without a network, and a timer of the system ends it: see
/// `Scripts/test-logic`.
public enum Tier {
    /// Whether the environment selects the logic tier.
    public static let isLogic = ProcessInfo.processInfo.environment["DIALTONE_TIER"] == "logic"
}

extension Trait where Self == ConditionTrait {
    /// Excludes a test or a suite from the logic tier: it uses namespaces, sockets, processes, files or the system's clock.
    ///
    /// A test that `requires` a capability of the machine is excluded too.
    public static var real: Self { .disabled(if: Tier.isLogic, "not in the logic tier") }
}
