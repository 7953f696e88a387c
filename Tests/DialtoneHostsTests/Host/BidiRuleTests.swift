// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

/// RFC 5893: names with letters that are written from right to left.
struct BidiRuleTests {
    @Test(arguments: [
        "עברית.example", "دبي.امارات", "עברית1.example", "a1.עברית", "ܐܒ.example", "אב\u{05B7}.example",
        "עב-רית.example",
        "دبي٣.example", "دبي3.example", "xn--5dbqzzl.example", "xn--5dbqzzl",
    ])
    func `names that look the same on every screen are allowed`(text: String) {
        #expect(throws: Never.self) { try HostTarget(text) }
    }

    /// The name, and the label that breaks the rule.
    @Test(
        arguments: [
            // Condition 1: a digit first.
            ("1עברית.example", nil), ("1.עברית", "1"),
            // Conditions 2 and 5: both directions in one label.
            ("עבa.example", nil), ("aעב.example", nil), ("aא1.example", nil),
            // Condition 4: both sets of digits.
            ("دبي3٣.example", nil),
            // Conditions 6 and 1: the rule also applies to the other labels.
            ("_tcp.עברית", "_tcp"), ("9a.דוגמה.example", "9a"),
        ] as [(String, String?)])
    func `names that could look like others are refused`(text: String, label: String?) throws {
        let error = try #require(throws: HostTargetError.self) { try HostTarget(text) }
        #expect(error.code == .invalidInternationalName)
        if let label { #expect(error.part == label) }
    }

    @Test(arguments: ["1.example", "9a.bücher.example", "_tcp.example", "127.0.0.1"])
    func `the rule does not apply to names without such letters`(text: String) {
        #expect(throws: Never.self) { try HostTarget(text) }
    }
}
