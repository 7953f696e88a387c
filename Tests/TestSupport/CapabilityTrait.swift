// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// Skips a test, and reports it, on a machine that lacks a capability.
///
/// ```swift
/// @Test(.requires(.networkNamespaces)) func `a link comes up`() { … }
/// ```
///
/// Every skipped test writes the line `SKIPPED-CAPABILITY: <what> — <test>` to standard error, so that skips can be
/// counted and an unexpected one fails the build. In the logic tier the test is skipped without a line, and nothing is probed.
public struct CapabilityTrait: TestTrait, SuiteTrait {
    private let capability: Capability

    init(_ capability: Capability) {
        self.capability = capability
    }

    /// True: on a suite it applies to every test in it.
    public var isRecursive: Bool { true }

    /// Decides whether the test runs.
    public func prepare(for test: Test) async throws {
        try await ConditionTrait.real.prepare(for: test)
        guard let lack = capability.lack else { return }
        if !test.isSuite {
            let name = "\(test.sourceLocation.moduleName): \(test.displayName ?? test.name)"
            let line = "SKIPPED-CAPABILITY: \(capability) — \(name)\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
        let skip: ConditionTrait = .disabled("needs \(capability.description): \(lack.reason)")
        try await skip.prepare(for: test)
    }
}

extension Trait where Self == CapabilityTrait {
    /// Skips the test, and reports it, where the machine lacks the capability.
    public static func requires(_ capability: Capability) -> Self { Self(capability) }
}
