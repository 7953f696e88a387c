// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// The tiers of the tests: *logic* needs only values and memory, *real* uses the kernel, sockets, processes, files or a browser.
///
/// A test without ``Trait/real`` and without a required capability belongs to the logic tier. `make test-logic` sets
/// `DIALTONE_TIER=logic` and runs only these, in a network namespace whose loopback is down.
enum TestTier {
    static let isLogicAlone = ProcessInfo.processInfo.environment["DIALTONE_TIER"] == "logic"

    /// Skips a test of the real tier when only the logic tier runs.
    static func skipReal(_ test: Test) async throws {
        guard isLogicAlone else { return }
        let skip: ConditionTrait = .disabled("belongs to the real tier")
        try await skip.prepare(for: test)
    }
}

/// Marks tests of the real tier.
public struct RealTierTrait: TestTrait, SuiteTrait {
    /// True: on a suite it applies to every test in it.
    public var isRecursive: Bool { true }

    /// Skips the test when only the logic tier runs.
    public func prepare(for test: Test) async throws { try await TestTier.skipReal(test) }
}

extension Trait where Self == RealTierTrait {
    /// The test uses the kernel, sockets, processes, files or a browser.
    public static var real: Self { Self() }
}
