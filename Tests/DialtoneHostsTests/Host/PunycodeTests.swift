// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DialtoneHosts

struct PunycodeTests {
    /// RFC 3492 section 7.1, without its mixed-case annotation.
    @Test(arguments: [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
        ("安室奈美恵-with-super-monkeys", "-with-super-monkeys-pc58ag80a8qai00g7n9n"),
        ("bücher", "bcher-kva"), ("ü", "tda"), ("faß", "fa-hia"),
        ("-> $1.00 <-", "-> $1.00 <--"),
    ])
    func `a text and its encoding convert to each other`(text: String, encoded: String) {
        #expect(Punycode.encode(Array(text.unicodeScalars)) == encoded)
        #expect(Punycode.decode(encoded).map { String(String.UnicodeScalarView($0)) } == text)
    }

    @Test func `encoding and decoding any text returns it`() throws {
        var generator = SeededGenerator(seed: 3492)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...24, using: &generator)
            let scalars = (0..<count).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator))
            }
            let encoded = try #require(Punycode.encode(scalars))
            #expect(Punycode.decode(encoded) == scalars)
        }
    }

    @Test(arguments: ["a-99999999999", "bcher-kv", "ü", "9999999999999999999999999999", "a-\0", "-ü"])
    func `an invalid encoding is refused`(text: String) {
        #expect(Punycode.decode(text) == nil)
    }

    @Test func `what decodes from random text is encoded as the same text, apart from its case`() {
        var generator = SeededGenerator(seed: 1)
        let letters = Array("abcxyz0189-ABC")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                    letters.randomElement(using: &generator)
                })
            guard let scalars = Punycode.decode(text) else { continue }
            #expect(Punycode.encode(scalars)?.lowercased() == text.lowercased(), "\(text)")
        }
    }
}
