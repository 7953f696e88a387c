// SPDX-License-Identifier: Apache-2.0

/// SplitMix64 with a fixed seed, so that a failing random input occurs again on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

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
