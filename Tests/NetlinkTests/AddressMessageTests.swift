// SPDX-License-Identifier: Apache-2.0

import NetlinkTesting
import Testing

@testable import Netlink

struct AddressMessageTests {
    static func address(_ capture: Capture) throws -> AddressMessage {
        guard case .newAddress(let address) = try capture.message() else {
            throw NetlinkError.malformed("not a new address")
        }
        return address
    }

    @Test func `an IPv4 address with a label`() throws {
        let address = try Self.address(AddressCaptures.ipv4WithLabel)
        #expect(address.prefix.description == "192.0.2.1/24")
        #expect(address.index == 3)
        #expect(address.flags == .permanent)
        #expect(address.scope == .universe)
        #expect(address.peer == nil)
        #expect(address.validLifetime == nil)
    }

    @Test func `an IPv6 address without duplicate address detection`() throws {
        let address = try Self.address(AddressCaptures.ipv6WithoutDetection)
        #expect(address.prefix.description == "2001:db8::1/64")
        #expect(address.flags == [.permanent, .noDuplicateDetection])
    }

    @Test func `an IPv6 address during duplicate address detection, with a lifetime`() throws {
        let address = try Self.address(AddressCaptures.ipv6Tentative)
        #expect(address.prefix.description == "2001:db8::2/64")
        #expect(address.flags == .tentative)
        #expect(address.validLifetime == 3600)
    }

    @Test func `a point-to-point address`() throws {
        let address = try Self.address(AddressCaptures.ipv4Peer)
        #expect(address.prefix.description == "198.51.100.1/32")
        #expect(address.peer?.description == "198.51.100.2")
    }

    static let broken = [
        "a length of more bits than there are": "02 21 80 00 03 00 00 00 08 00 02 00 c0 00 02 01",
        "no address": "02 18 80 00 03 00 00 00",
        "a short address": "0a 40 80 00 03 00 00 00 08 00 02 00 c0 00 02 01",
        "another family": "1c 18 80 00 03 00 00 00 08 00 02 00 c0 00 02 01",
    ]

    @Test(arguments: broken.keys.sorted()) func `an address message without an address is rejected`(what: String) throws
    {
        let payload = Capture(Self.broken[what] ?? "").bytes
        let error = #expect(throws: NetlinkError.self) { try AddressMessage(payload.span.bytes) }
        #expect(error?.code == .malformed)
    }
}
