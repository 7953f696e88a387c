// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The host that a request contacts first.
struct ContactTests {
    @Test(
        arguments: [
            ("http://example.com/", [:], "example.com"),
            ("http://example.com/", ["http_proxy": "http://proxy.test:3128"], "proxy.test"),
            ("https://example.com/", ["http_proxy": "http://proxy.test:3128"], "example.com"),
            ("https://example.com/", ["https_proxy": "192.0.2.1:8080"], "192.0.2.1"),
            ("http://example.com/", ["http_proxy": "http://proxy.test", "no_proxy": "example.com"], "example.com"),
            ("http://example.com/", ["all_proxy": "socks5://proxy.test"], nil),
        ] as [(String, [String: String], String?)])
    func `a proxy is contacted instead of the host`(
        url: String, environment: [String: String], host: String?
    ) throws {
        let contact = HostTarget.contact(for: try #require(URL(string: url)), environment: environment)
        #expect(contact?.host == (try host.map { try HostTarget($0).host }))
    }
}
