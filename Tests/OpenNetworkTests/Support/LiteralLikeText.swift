// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension SeededGenerator {
    /// Text of random tokens that matter to parsers of addresses, scopes and ports, mixed with others.
    mutating func literalLikeText() -> String {
        let pieces = [
            "0", "1", "7", "9", "10", "127", "255", "256", "65535", "65536", "4294967295", "99999999999999999999",
            "0x7f", "0X", "08", "ffff", "fe80", "2001", "db8", "abcde", ".", ".", ":", ":", "::", "%", "%lo", "%1",
            "lo",
            "http", "-", "+", " ", "\n", "\0", "é", "👩‍👩‍👧", "\u{301}", "[", "]", "/", "",
        ]
        let count = Int.random(in: 0...9, using: &self)
        return (0..<count).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }
}
