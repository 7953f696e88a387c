// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

struct OneLineJSONTests {
    /// Possible network names and their JSON form.
    static let texts: [(String, String)] = [
        ("plain / \"quoted\" \\", #""plain / \"quoted\" \\""#),
        ("caf\u{E9} \u{65E5}\u{672C} e\u{301}", "\"caf\u{E9} \u{65E5}\u{672C} e\u{301}\""),
        ("\u{9B}2J", #""\u009b2J""#), ("\u{7F}\u{80}\u{9F}", #""\u007f\u0080\u009f""#),
        ("a\u{202E}b", #""a\u202eb""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("\u{FEFF}", #""\ufeff""#),
        ("\u{E000}\u{378}\u{FFFF}", #""\ue000\u0378\uffff""#),
        ("\u{1F600}", "\"\u{1F600}\""), ("\u{E0041}", #""\udb40\udc41""#), ("\\\u{9B}", #""\\\u009b""#),
    ]

    @Test(arguments: texts)
    func `invisible characters are escaped, and decoded unchanged`(text: String, json: String) throws {
        #expect(try OneLineJSON.text([text]) == "[\(json)]")
        #expect(try decoded(OneLineJSON.text([text])) == [text])
    }

    @Test func `a key is escaped like a value`() throws {
        #expect(try OneLineJSON.text(["\u{9B}": 1]) == #"{"\u009b":1}"#)
    }

    private func decoded(_ json: String) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(json.utf8))
    }
}
