// SPDX-License-Identifier: Apache-2.0

import OpenNetwork
import Testing

struct PortTests {
    @Test(
        arguments: [
            (NWEndpoint.Port.any, 0), (.ssh, 22), (.smtp, 25), (.http, 80), (.pop, 110), (.imap, 143), (.https, 443),
            (.imaps, 993), (.socks, 1080),
        ] as [(NWEndpoint.Port, UInt16)])
    func `a constant has the number in its name`(port: NWEndpoint.Port, number: UInt16) {
        #expect(port.rawValue == number)
        #expect(port == NWEndpoint.Port(rawValue: number))
        #expect(port.debugDescription == String(number))
    }

    @Test(arguments: [("0", 0), ("80", 80), ("0080", 80), ("65535", 65535)] as [(String, UInt16)])
    func `a decimal number is a port`(text: String, number: UInt16) {
        #expect(NWEndpoint.Port(text)?.rawValue == number)
    }

    @Test(
        arguments: [
            ("http", 80), ("https", 443), ("ssh", 22), ("smtp", 25), ("pop3", 110), ("imaps", 993), ("socks", 1080),
        ] as [(String, UInt16)])
    func `a service name is a port`(text: String, number: UInt16) {
        #expect(NWEndpoint.Port(text)?.rawValue == number)
    }

    @Test(arguments: [
        "", " ", "65536", "99999999999999999999", "-1", "+80", " 80", "80 ", "0x50", "8o", "http\0", "80\0", "http ",
        "no-such-service", "８０", "%",
    ])
    func `anything else is rejected`(text: String) {
        #expect(NWEndpoint.Port(text) == nil)
    }

    @Test func `integer literals are ports, and every number is valid`() {
        let port: NWEndpoint.Port = 1234
        #expect(port.rawValue == 1234)
        #expect(NWEndpoint.Port(rawValue: 65535)?.rawValue == 65535)
        #expect(NWEndpoint.Port.https == 443)
        #expect(Set<NWEndpoint.Port>([80, .http, 443]).count == 2)
    }
}
