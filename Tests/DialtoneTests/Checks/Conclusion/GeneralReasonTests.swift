// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The sentences that the history and its report have for a cause without facts.
struct GeneralReasonTests {
    private static let causes = Set(Rule.all.compactMap(\.cause)).sorted { $0.rawValue < $1.rawValue }

    @Test(arguments: causes) func `every cause has a sentence without an address`(cause: ConnectivityCause) throws {
        let sentence = try #require(GeneralReason.sentence(for: cause))
        #expect(sentence.hasSuffix(".") || sentence.hasSuffix("?"))
        #expect(!sentence.contains { $0.isNumber || $0 == "/" })
    }

    @Test func `an unknown cause has none`() {
        #expect(GeneralReason.sentence(for: ConnectivityCause(rawValue: "10.0.0.1 said no")) == nil)
    }
}
