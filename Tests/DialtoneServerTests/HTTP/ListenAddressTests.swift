// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent
import Testing

@testable import DialtoneServer

struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8484", "127.0.0.1:8484", true), ("localhost:0", "127.0.0.1:0", true),
        ("[::1]:80", "[::1]:80", true),
        ("0.0.0.0:80", "0.0.0.0:80", false), ("[::]:80", "[::]:80", false),
        ("192.0.2.1:65535", "192.0.2.1:65535", false),
        ("127.9.9.9:1", "127.9.9.9:1", true), ("[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1", true),
    ])
    func `an address and a port are parsed`(text: String, description: String, isLoopback: Bool) throws {
        let address = try ListenAddress(parsing: text)
        #expect(address.description == description)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", ":", "8484", ":8484", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
        "::1:80",
        "[127.0.0.1]:80", "[::1]80", "example.com:80", "127.0.0.1:8a",
    ])
    func `anything else is rejected`(text: String) {
        #expect(throws: ServiceError.self) { try ListenAddress(parsing: text) }
    }
}
