// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import DialtoneServer

struct HostAllowListTests {
    private let loopback: HostAllowList
    private let wide: HostAllowList

    init() throws {
        loopback = HostAllowList([try ListenAddress(parsing: "127.0.0.1:8484")])
        wide = HostAllowList(
            [try ListenAddress(parsing: "127.0.0.1:8485"), try ListenAddress(parsing: "192.0.2.7:8484")],
            extra: ["Status.Example.org", "198.51.100.1"])
    }

    @Test(arguments: [
        ("dash.example.org", true), ("DASH.example.org:8443", true), ("xn--bcher-kva.example", true), ("nas", true),
        ("192.0.2.1", true), ("192.0.2.1:80", true), ("2001:db8::1", true), ("[2001:db8::1]:80", true),
        ("https://dash.example.org", false), ("dash.example.org/", false), ("*.example.org", false), ("", false),
        ("a b", false), ("dash.example.org:http", false), ("b\u{FC}cher.example", false), ("[nas]", false),
    ])
    func `an additional name is a host name or an address`(text: String, isValid: Bool) {
        #expect(HostAllowList.isValid(text) == isValid)
    }

    @Test(arguments: [
        "localhost", "localhost:8484", "LOCALHOST:8484", "127.0.0.1:8484", "127.0.0.1", "[::1]:8484", "[::1]",
        "127.0.0.1:1",
    ])
    func `any loopback name addresses this server`(host: String) {
        #expect(loopback.allows(host))
        #expect(wide.allows(host))
    }

    @Test(arguments: [
        "", "evil.test", "evil.test:8484", "localhost.evil.test:8484", "localhost:80", "127.0.0.1.evil.test",
        "evil.test@localhost", "localhost:8484.evil.test", "[::1", "[::1]x", "[localhost]", "localhost:",
        "localhost:+8484",
        "192.0.2.1:8484", "0.0.0.0:8484", "[::]:8484", "127.0.0.1:8484:8484", "localhost,evil.test", "169.254.169.254",
    ])
    func `every other name is rejected`(host: String) {
        #expect(!loopback.allows(host))
        #expect(!wide.allows(host))
    }

    @Test func `configured names and the server's own address are allowed`() {
        for host in [
            "status.example.org", "status.example.org:443", "STATUS.example.org", "198.51.100.1", "192.0.2.7:8484",
        ] {
            #expect(wide.allows(host), "\(host)")
            #expect(!loopback.allows(host), "\(host)")
        }
    }

    @Test func `listening on all addresses does not allow each of them as a host name`() throws {
        let everywhere = HostAllowList([try ListenAddress(parsing: "0.0.0.0:8484")])
        #expect(!everywhere.allows("192.0.2.7:8484"))
        #expect(!everywhere.allows("0.0.0.0:8484"))
    }
}
