// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DialtoneServer

struct FormTextTests {
    @Test(arguments: [
        ("", [:]), ("a=1&b=2", ["a": "1", "b": "2"]), ("a=1&a=2", ["a": "1"]), ("a", ["a": ""]),
        ("a=b=c", ["a": "b=c"]),
        ("a=%20%C3%A9+x", ["a": " é x"]), ("a=%", ["a": "%"]), ("a=%4", ["a": "%4"]), ("a=%zz", ["a": "%zz"]),
        ("a=%-1", ["a": "%-1"]), ("&&=x&", ["": "x"]),
    ])
    func `forms are decoded`(text: String, form: [String: String]) {
        #expect(FormText.decode(text) == form)
    }

    @Test func `a form with very many fields is decoded only in part`() {
        #expect(FormText.decode((0..<10_000).map { "f\($0)=1" }.joined(separator: "&")).count == 64)
    }
}
